/** Writes the service's OpenAPI document to the file that the first argument names. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openApiDocument } from "../src/surfaces/rest/openapi/openapi.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Which file?");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(openApiDocument()));
