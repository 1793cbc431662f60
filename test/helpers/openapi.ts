/** The OpenAPI document as a client reads it, and ways to its parts. */
import { openApiDocument } from "../../src/http/openapi.ts";
import type { Route } from "../../src/http/routes.ts";

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };
type Body = {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
  required?: boolean;
};
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Record<string, unknown> };
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

/** What JSON does not carry is gone. */
export const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<"schemas" | "securitySchemes", Record<string, Record<string, unknown>>>;
};

/** Every operation, with its title. */
export const documented = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, path, operation })),
);

/** The path of a route as the document writes it. */
export const template = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** What the document says of a route. */
export function operationOf({ method, path }: Route): Operation {
  const operation = document.paths[template(path)]?.[method];
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`);
  return operation;
}

/** What a reference refers to. */
export const resolve = (ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);

/** The examples of a body. */
export const examplesOf = ({ example, examples }: Media): unknown[] =>
  examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);

/** The JSON of a body. */
export const json = (body: Body | undefined): Media => {
  const media = body?.content?.["application/json"];
  if (media === undefined) throw new Error("no JSON");
  return media;
};
