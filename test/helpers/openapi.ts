/** The OpenAPI document as clients get it, and functions to read its parts. */
import { buildOpenApiDocument } from "../../src/surfaces/rest/openapi/openapi.ts";
import { findDocumentedPath, type LoadedRoute } from "../../src/surfaces/rest/routes.ts";

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema & { readOnly?: boolean }>;
  items?: Schema;
  allOf?: Schema[];
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
};
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
type Body = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
  required?: boolean;
};
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Body>;
  "x-scope"?: string;
};

/** The document as the service sends it, as JSON text. */
export const text = JSON.stringify(buildOpenApiDocument());

export const document = JSON.parse(text) as {
  openapi: string;
  info: { version: string; license: object };
  servers: { url: string }[];
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, unknown>;
  components: Record<"schemas" | "securitySchemes", Record<string, Schema>>;
};

/** Returns the part of the document that a reference points to. */
export const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);

/** Returns a part of the document with its references resolved, except for those to schemas. */
function read(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(read);
  if (typeof node !== "object" || node === null) return node;
  const { $ref } = node as { $ref?: string };
  if ($ref !== undefined && !$ref.startsWith("#/components/schemas/")) return read(resolve($ref));
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, read(member)]));
}

const paths = read(document.paths) as Record<string, Record<string, Operation>>;

/** The webhooks, by event. */
export const webhooks = read(document.webhooks) as Record<string, { post: Operation }>;

/** Every operation, with a title for its test. */
export const documented = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, path, operation })),
);

/** Returns the path of a route in the form of the document. */
export const template = (route: LoadedRoute): string => findDocumentedPath(route).replaceAll(/:(\w+)/g, "{$1}");

/** Returns the operation of a route. Throws if it is not documented. */
export function operationOf(route: LoadedRoute): Operation {
  const operation = paths[template(route)]?.[route.method];
  if (operation === undefined) throw new Error(`${route.method} ${route.path} is not documented`);
  return operation;
}

/** Returns the examples of a response body: the written ones, or one that is composed as tools do. */
export const examplesOf = (media: Media): unknown[] => writtenExamples(media) ?? [compose(media.schema, false)];

/** Returns the examples of a request body, without read-only fields. */
export const sentExamplesOf = (media: Media): unknown[] => writtenExamples(media) ?? [compose(media.schema, true)];

function writtenExamples({ example, examples }: Media): unknown[] | undefined {
  if (examples !== undefined) return Object.values(examples).map(({ value }) => value);
  return example === undefined ? undefined : [example];
}

/** Returns the example of a schema, composed like in tools that show the document. */
function compose(schema: Schema, sent: boolean): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.$ref !== undefined) return compose(resolve(schema.$ref) as Schema, sent);
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => compose(part, sent)));
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).filter(([, member]) => !(sent && member.readOnly));
    return Object.fromEntries(members.map(([name, member]) => [name, compose(member, sent)]));
  }
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.items !== undefined) return [compose(schema.items, sent)];
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  return type === "boolean" ? true : type === "integer" || type === "number" ? 0 : "";
}

/** Returns the JSON content of a body. Throws if it has none. */
export const json = (body: Body | undefined): Media => {
  const media = body?.content?.["application/json"];
  if (media === undefined) throw new Error("no JSON");
  return media;
};
