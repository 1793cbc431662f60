/** Writes the OpenAPI document that the service shows to the file that is named. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openApiDocument } from "../src/http/openapi.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Which file?");
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(openApiDocument()));
