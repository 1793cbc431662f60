/** What the generator does not write: whole examples, and how parameters are sent. */
import type { OpenAPIHono } from "@hono/zod-openapi";

export type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/** The part of JSON Schema that the generator writes. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly readOnly?: boolean;
  example?: unknown;
  examples?: readonly unknown[];
};

type Schemas = Readonly<Record<string, Schema>>;
type Media = { readonly schema?: Schema; example?: unknown; readonly examples?: unknown };
type Body = { readonly content?: Readonly<Record<string, Media>> };
type Parameter = { readonly schema: Schema; readonly required: boolean; style?: "form"; explode?: boolean };

type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
};

/** Completes a generated document. */
export function finish(document: Document): void {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  const items = [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})];
  for (const operation of items.flatMap((item) => Object.values(item) as Operation[])) {
    for (const parameter of operation.parameters ?? []) finishParameter(parameter);
    for (const media of mediaOf(operation.requestBody)) addExample(media, schemas, true);
    for (const media of Object.values(operation.responses).flatMap(mediaOf)) addExample(media, schemas, false);
  }
}

function finishParameter(parameter: Parameter): void {
  const { schema, required } = parameter;
  // Lists are separated by commas, which OpenAPI calls not exploded.
  if (schema.type === "array") Object.assign(parameter, { style: "form", explode: false });
  // Swagger UI sends an `example` unasked, and no stored version matches that of an example's If-Match.
  if (required || schema.example === undefined) return;
  schema.examples = [schema.example];
  delete schema.example;
}

const mediaOf = (body: Body = {}): Media[] => Object.values(body.content ?? {});

/** Composes an example of those of the members, so that no example is written twice. */
function addExample(media: Media, schemas: Schemas, sent: boolean): void {
  if (media.schema === undefined || media.example !== undefined || media.examples !== undefined) return;
  media.example = compose(media.schema, schemas, sent);
}

/** The example of a schema; in what is sent, read-only members are left out. */
function compose(schema: Schema, schemas: Schemas, sent: boolean): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    return compose(schemas[schema.$ref.slice("#/components/schemas/".length)] ?? {}, schemas, sent);
  }
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).filter(([, member]) => !(sent && member.readOnly));
    return Object.fromEntries(members.map(([name, member]) => [name, compose(member, schemas, sent)]));
  }
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.items !== undefined) return [compose(schema.items, schemas, sent)];
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  return type === "boolean" ? true : type === "integer" || type === "number" ? 0 : "";
}
