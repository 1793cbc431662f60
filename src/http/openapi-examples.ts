/** Whole examples, composed of those of the members, so that no example is written twice. */
import type { OpenAPIHono } from "@hono/zod-openapi";

export type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/** The part of JSON Schema that the generator writes. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly readOnly?: boolean;
};

type Media = { readonly schema?: unknown; example?: unknown; readonly examples?: unknown };

/** Gives every body of requests and responses an example that has none. */
export function composeExamples(document: Document): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const item of [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})]) {
    for (const operation of Object.values(item) as { requestBody?: object; responses?: Record<string, object> }[]) {
      const { requestBody, responses } = operation;
      for (const media of mediaOf(requestBody)) fill(media, schemas, true);
      for (const media of Object.values(responses ?? {}).flatMap(mediaOf)) fill(media, schemas, false);
    }
  }
}

const mediaOf = (body: object = {}): Media[] =>
  Object.values((body as { content?: Record<string, Media> }).content ?? {});

function fill(media: Media, schemas: Record<string, Schema>, sent: boolean): void {
  if (media.example !== undefined || media.examples !== undefined) return;
  media.example = compose(media.schema as Schema, schemas, sent);
}

/** The example of a schema; in what is sent, read-only members are left out. */
function compose(schema: Schema, schemas: Record<string, Schema>, sent: boolean): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice("#/components/schemas/".length);
    return compose(schemas[name] ?? {}, schemas, sent);
  }
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => compose(part, schemas, sent))) as object;
  }
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).filter(([, member]) => !(sent && member.readOnly));
    return Object.fromEntries(members.map(([name, member]) => [name, compose(member, schemas, sent)]));
  }
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.items !== undefined) return [compose(schema.items, schemas, sent)];
  const [type] = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return type === "boolean" ? true : type === "integer" || type === "number" ? 0 : "";
}
