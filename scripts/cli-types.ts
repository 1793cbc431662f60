/** Writes packages/client/src/api.ts: types of all schemas and operations, generated from the OpenAPI document. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "json-schema-to-typescript";
import { openApiDocument } from "../src/surfaces/rest/openapi/openapi.ts";

const FILE = "packages/client/src/api.ts";
const BANNER = "/** What the service says, of its OpenAPI document. Written by `npm run cli-types`. */";

type Schema = Parameters<typeof compile>[0];
type Schemas = Record<string, object>;
type Content = { readonly content?: Readonly<Record<string, { readonly schema: object }>> };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: object };
type Reference = { $ref: string };
type Operation = {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content | Reference>>;
};

type Document = {
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: Record<string, Parameter>;
    readonly responses: Record<string, Content>;
  };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, { post: { requestBody: Content } }>;
};

export async function clientTypes(): Promise<Record<string, string>> {
  const document = openApiDocument() as unknown as Document;
  const schemas = { ...document.components.schemas, ...events(document), Operations: operations(document) };
  return { [FILE]: await typesOf(schemas) };
}

/** Returns a schema with a member for each operation that answers with JSON, by method and path. */
function operations({ paths, components }: Document): object {
  const found = Object.entries(paths).flatMap(([place, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const answer = jsonOf(whole(components.responses, answerOf(operation)));
      if (answer === undefined) return [];
      const parameters = (operation.parameters ?? []).map((each) => whole(components.parameters, each));
      const body = bodyOf(operation);
      const members = {
        ...inputs("params", parameters, "path"),
        ...inputs("query", parameters, "query"),
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

const answerOf = ({ responses }: Operation): Content | Reference => responses["200"] ?? responses["202"] ?? {};
const jsonOf = ({ content = {} }: Content): object | undefined => content["application/json"]?.schema;

function whole<T extends object>(known: Record<string, T>, given: T | Reference): T {
  if (!("$ref" in given)) return given;
  const found = known[given.$ref.split("/").at(-1) ?? ""];
  if (found === undefined) throw new Error(`The document has no ${given.$ref}.`);
  return found;
}

function bodyOf({ requestBody: { content = {} } = {} }: Operation): object | undefined {
  const json = jsonOf({ content });
  const takesFile = Object.keys(content).some((type) => type === "image/*" || type === "application/octet-stream");
  const bodies = [...(json === undefined ? [] : [json]), ...(takesFile ? [{ tsType: "Blob" }] : [])];
  return bodies.length > 1 ? { anyOf: bodies } : bodies[0];
}

function inputs(member: string, parameters: readonly Parameter[], place: string): Schemas {
  const used = parameters.filter((each) => each.in === place);
  if (used.length === 0) return {};
  const properties = used.map(({ name, schema, description }) => [name, { ...schema, description }] as const);
  const required = used.flatMap((each) => (each.required === true ? [each.name] : []));
  return { [member]: { type: "object", properties: Object.fromEntries(properties), required } };
}

const typeName = (kind: string) => kind.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns a schema for the body of each kind of webhook, and one for all of them. */
function events({ webhooks }: Document): Schemas {
  const kinds = Object.entries(webhooks).map(
    ([kind, { post }]) => [`${typeName(kind)}Event`, jsonOf(post.requestBody) ?? {}] as const,
  );
  const any = { oneOf: kinds.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) };
  return { ...Object.fromEntries(kinds), WebhookEvent: any };
}

async function typesOf(schemas: Schemas): Promise<string> {
  const used = Object.fromEntries(Object.keys(schemas).map((name) => [name, { $ref: `#/definitions/${name}` }]));
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll("#/components/schemas/", "#/definitions/"),
  ) as NonNullable<Schema["definitions"]>;
  const root: Schema = { type: "object", properties: used, definitions, additionalProperties: false };
  const written = await compile(root, ROOT, OPTIONS);
  return `${BANNER}\n\n${withoutRoot(written)}`;
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
const withoutRoot = (text: string): string =>
  text
    .trimStart()
    .replace(new RegExp(`export interface ${ROOT} \\{[^}]*\\}\\n`), "")
    .trimStart();

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [file, text] of Object.entries(await clientTypes())) {
    writeFileSync(path.resolve(import.meta.dirname, "..", file), text);
  }
}
