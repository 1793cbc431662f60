/** What the generator does not write: how parameters are sent, and what several parts of the document share. */
import type { OpenAPIHono } from "@hono/zod-openapi";

export type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

/** The part of JSON Schema that is looked at here. */
type Schema = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  description?: string;
  example?: unknown;
  examples?: readonly unknown[];
};

type Schemas = Record<string, Schema | { readonly allOf: readonly object[] }>;

type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly schema: Schema;
  required?: boolean;
  style?: "form";
  explode?: boolean;
};

type Response = { readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>> };
type Reference = { readonly $ref: string };

type Operation = {
  readonly parameters?: (Parameter | Reference)[];
  readonly responses: Record<string, Response | Reference>;
};

/** Completes a generated document. */
export function finish(document: Document): void {
  const items = [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})];
  const operations = items.flatMap((item) => Object.values(item) as Operation[]);
  const { schemas = {}, responses, ...components } = document.components ?? {};
  const parameters = operations.flatMap(parametersOf);
  for (const { part } of parameters) finishParameter(part);
  extendSchemas(schemas);
  document.components = {
    ...components,
    schemas,
    responses: { ...responses, ...share("responses", operations.flatMap(successesOf)) },
    parameters: share("parameters", parameters),
  } as Document["components"] & object;
}

/** A part of the document that others may be equal to, the name of the component that it would be, and its place. */
type Place<Part> = { readonly part: Part; readonly name: string; readonly put: (reference: Reference) => void };

/** Replaces parts that are the same by references to one component, and returns these components by name. */
function share<Part>(kind: "parameters" | "responses", places: readonly Place<Part>[]): Record<string, Part> {
  const shared: Record<string, Part> = {};
  for (const [, same] of Map.groupBy(places, ({ part }) => JSON.stringify(part))) {
    const [first] = same;
    // Two may be called alike, such as a limit with another maximum: the second ones stay where they are.
    if (first === undefined || same.length === 1 || first.name in shared) continue;
    shared[first.name] = first.part;
    for (const { put } of same) put({ $ref: `#/components/${kind}/${first.name}` });
  }
  return shared;
}

const parametersOf = ({ parameters = [] }: Operation): Place<Parameter>[] =>
  parameters.flatMap((part, index) => {
    if (!("name" in part)) return [];
    const name = part.in === "path" ? `path.${part.name}` : part.name;
    return [{ part, name, put: (reference) => (parameters[index] = reference) }];
  });

/** The answers of operations that end well, by the names of their schemas. */
const successesOf = ({ responses }: Operation): Place<Response>[] =>
  Object.entries(responses).flatMap(([status, part]) => {
    const schema = "content" in part ? part.content?.["application/json"]?.schema : undefined;
    if (!status.startsWith("2") || schema?.$ref === undefined) return [];
    const name = schema.$ref.slice("#/components/schemas/".length);
    return [{ part: part as Response, name, put: (reference) => (responses[status] = reference) }];
  });

function finishParameter(parameter: Parameter): void {
  const { schema } = parameter;
  // The generator says it of the parameter too.
  delete schema.description;
  // Lists are separated by commas, which OpenAPI calls not exploded.
  if (schema.type === "array") Object.assign(parameter, { style: "form", explode: false });
  if (parameter.required) return;
  delete parameter.required;
  // Swagger UI sends an `example` unasked, and no stored version matches that of an example's If-Match.
  if (schema.example === undefined) return;
  schema.examples = [schema.example];
  delete schema.example;
}

/** Schemas that are another one with members of their own: what was just created, with what is shown once. */
const EXTENSIONS = {
  NewApiKey: "ApiKey",
  NewAccessToken: "AccessToken",
  NewInvitation: "Invitation",
  NewWebhookSubscription: "WebhookSubscription",
};

/** Writes these with a reference to the schema that they extend. */
function extendSchemas(schemas: Schemas): void {
  for (const [name, base] of Object.entries(EXTENSIONS)) {
    const { properties = {}, required = [] } = schemas[name] as Schema;
    const inherited = Object.keys((schemas[base] as Schema).properties ?? {});
    const own = Object.entries(properties).filter(([member]) => !inherited.includes(member));
    schemas[name] = {
      allOf: [
        { $ref: `#/components/schemas/${base}` },
        {
          type: "object",
          properties: Object.fromEntries(own),
          required: required.filter((member) => !inherited.includes(member)),
        },
      ],
    };
  }
}
