/** Writes packages/client/src/api.ts: types of all schemas and operations, generated from the OpenAPI document. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "json-schema-to-typescript";
import { buildOpenApiDocument } from "../src/surfaces/rest/openapi/openapi.ts";
import { followReference, type Document, type Parameter, type RawOperation, type Response } from "./docs/document.ts";

const FILE = "packages/client/src/api.ts";
const BANNER = "/** What the service says, of its OpenAPI document. Written by `npm run cli-types`. */";

type Written = Parameters<typeof compile>[0];
type Schemas = Readonly<Record<string, object>>;

export async function generateClientTypes(): Promise<Record<string, string>> {
  const document = buildOpenApiDocument() as unknown as Document;
  const schemas = {
    ...document.components.schemas,
    ...toEventSchemas(document),
    Operations: toOperationsSchema(document),
  };
  return { [FILE]: await compileTypes(schemas) };
}

/** Returns a schema with a member for each operation that answers with JSON, by method and path. */
function toOperationsSchema(document: Document): object {
  const found = Object.entries(document.paths).flatMap(([place, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const answer = getJsonSchema(getAnswer(document, operation));
      if (answer === undefined) return [];
      const parameters = (operation.parameters ?? []).map((each) => followReference(document, each));
      const body = toBodySchema(operation);
      const members = {
        ...toInputSchemas("params", parameters, "path"),
        ...toInputSchemas("query", parameters, "query"),
        ...(body !== undefined && { body }),
        answer,
      };
      const isFree: Readonly<Record<string, boolean>> = {
        body: operation.requestBody?.required !== true,
        query: !parameters.some((each) => each.in === "query" && each.required === true),
      };
      const required = Object.keys(members).filter((name) => !isFree[name]);
      return [[`${method.toUpperCase()} ${place}`, { type: "object", properties: members, required }] as const];
    }),
  );
  return { type: "object", properties: Object.fromEntries(found), required: found.map(([name]) => name) };
}

function getAnswer(document: Document, { responses }: RawOperation): Response | undefined {
  const answer = responses["200"] ?? responses["202"];
  return answer && followReference(document, answer);
}

const getJsonSchema = ({ content = {} }: Pick<Response, "content"> = {}): object | undefined =>
  content["application/json"]?.schema;

function toBodySchema({ requestBody: { content } = { content: {} } }: RawOperation): object | undefined {
  const json = getJsonSchema({ content });
  const takesFile = Object.keys(content).some((type) => type === "image/*" || type === "application/octet-stream");
  const bodies = [...(json === undefined ? [] : [json]), ...(takesFile ? [{ tsType: "Blob" }] : [])];
  return bodies.length > 1 ? { anyOf: bodies } : bodies[0];
}

function toInputSchemas(member: string, parameters: readonly Parameter[], place: string): Schemas {
  const used = parameters.filter((each) => each.in === place);
  if (used.length === 0) return {};
  const properties = used.map(({ name, schema, description }) => [name, { ...schema, description }] as const);
  const required = used.flatMap((each) => (each.required === true ? [each.name] : []));
  return { [member]: { type: "object", properties: Object.fromEntries(properties), required } };
}

const toTypeName = (kind: string) => kind.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns a schema for the body of each kind of webhook, and one for all of them. */
function toEventSchemas({ webhooks }: Document): Schemas {
  const kinds = Object.entries(webhooks).map(
    ([kind, { post }]) => [`${toTypeName(kind)}Event`, getJsonSchema(post?.requestBody) ?? {}] as const,
  );
  const any = { oneOf: kinds.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) };
  return { ...Object.fromEntries(kinds), WebhookEvent: any };
}

async function compileTypes(schemas: Schemas): Promise<string> {
  const used = Object.fromEntries(Object.keys(schemas).map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll("#/components/schemas/", "#/definitions/"),
  ) as NonNullable<Written["definitions"]>;
  const root: Written = { type: "object", properties: used, definitions, additionalProperties: false };
  const written = await compile(root, ROOT, OPTIONS);
  return `${BANNER}\n\n${removeRoot(written)}`;
}

const ROOT = "DocumentRoot";
const OPTIONS: Parameters<typeof compile>[2] = {
  bannerComment: "",
  additionalProperties: false,
  // Without this, an array with `maxItems` becomes a union of tuples of every length.
  ignoreMinAndMaxItems: true,
  style: { printWidth: 120, trailingComma: "all" },
};

/** The generator needs one type that refers to all others. Nobody else does. */
const removeRoot = (text: string): string =>
  text
    .trimStart()
    .replace(new RegExp(`export interface ${ROOT} \\{[^}]*\\}\\n`), "")
    .trimStart();

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [file, text] of Object.entries(await generateClientTypes())) {
    writeFileSync(path.resolve(import.meta.dirname, "..", file), text);
  }
}
