/** The OpenAPI document as a client reads it, and ways to its parts. */
import { openApiDocument } from "../../src/http/openapi.ts";
import { documentedPath, type Route } from "../../src/http/routes.ts";

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

/** The text that is served. What JSON does not carry is gone. */
export const text = JSON.stringify(openApiDocument());

export const document = JSON.parse(text) as {
  openapi: string;
  info: { version: string; license: object };
  servers: { url: string }[];
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, unknown>;
  components: Record<"schemas" | "securitySchemes", Record<string, Schema>>;
};

/** What a reference refers to. */
export const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);

/** A part of the document with what its references refer to; those to schemas stay. */
function read(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(read);
  if (typeof node !== "object" || node === null) return node;
  const { $ref } = node as { $ref?: string };
  if ($ref !== undefined && !$ref.startsWith("#/components/schemas/")) return read(resolve($ref));
  return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, read(member)]));
}

const paths = read(document.paths) as Record<string, Record<string, Operation>>;

/** The webhooks by event. */
export const webhooks = read(document.webhooks) as Record<string, { post: Operation }>;

/** Every operation, with its title. */
export const documented = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, path, operation })),
);

/** The path of a route as the document writes it. */
export const template = (route: Route): string => documentedPath(route).replaceAll(/:(\w+)/g, "{$1}");

/** What the document says of a route. */
export function operationOf(route: Route): Operation {
  const operation = paths[template(route)]?.[route.method];
  if (operation === undefined) throw new Error(`${route.method} ${route.path} is not documented`);
  return operation;
}

/** The examples of a response's body: those that are written, or else the one that tools compose of its members'. */
export const examplesOf = (media: Media): unknown[] => writtenExamples(media) ?? [compose(media.schema, false)];

/** The same of a request's body, which has no read-only members. */
export const sentExamplesOf = (media: Media): unknown[] => writtenExamples(media) ?? [compose(media.schema, true)];

function writtenExamples({ example, examples }: Media): unknown[] | undefined {
  if (examples !== undefined) return Object.values(examples).map(({ value }) => value);
  return example === undefined ? undefined : [example];
}

/** The example of a schema, as tools that show the document make it. */
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

/** The JSON of a body. */
export const json = (body: Body | undefined): Media => {
  const media = body?.content?.["application/json"];
  if (media === undefined) throw new Error("no JSON");
  return media;
};
