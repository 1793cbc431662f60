/** Writes the service's OpenAPI document, with what its examples send, to the file that the first argument names. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Operation } from "../src/operations/define.ts";
import { registry } from "../src/operations/registry.ts";
import { buildOpenApiDocument } from "../src/surfaces/rest/openapi/openapi.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Which file?");
mkdirSync(path.dirname(file), { recursive: true });
const document = buildOpenApiDocument();
const samples = new Map(Object.values(registry).map(({ name, sample }: Operation) => [name, sample]));
for (const item of Object.values(document.paths ?? {})) {
  for (const operation of Object.values(item) as { operationId: string; "x-sample"?: object }[]) {
    const sample = samples.get(operation.operationId);
    if (sample !== undefined) operation["x-sample"] = sample;
  }
}
writeFileSync(file, JSON.stringify(document));
