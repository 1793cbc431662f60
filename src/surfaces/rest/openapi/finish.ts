/** What the generator of the OpenAPI document does not write: styles of parameters, and shared components. */
import type { OpenAPIHono } from "@hono/zod-openapi";

export type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

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
  readonly operationId?: string;
  readonly parameters?: (Parameter | Reference)[];
  readonly responses: Record<string, Response | Reference>;
};

/** Changes a generated document in place. */
export function finishDocument(document: Document): void {
  const items = [...Object.values(document.paths ?? {}), ...Object.values(document.webhooks ?? {})];
  const operations = items.flatMap((item) => Object.values(item) as Operation[]);
  const { schemas = {}, responses, ...components } = document.components ?? {};
  const parameters = operations.flatMap(listParameters);
  for (const { part } of parameters) finishParameter(part);
  extendSchemas(schemas);
  document.components = {
    ...components,
    schemas,
    responses: {
      ...responses,
      ...shareComponents("responses", operations.flatMap(listSuccesses)),
      ...shareComponents("responses", operations.flatMap(listRefusals)),
    },
    parameters: shareComponents("parameters", parameters),
  } as Document["components"] & object;
}

/** A part of the document that may occur several times. `put` replaces it by a reference to the component `name`. */
type Place<Part> = { readonly part: Part; readonly name: string; readonly put: (reference: Reference) => void };

/** Replaces equal parts by references to one component. Returns the components by name. */
function shareComponents<Part>(kind: "parameters" | "responses", places: readonly Place<Part>[]): Record<string, Part> {
  const shared: Record<string, Part> = {};
  for (const [, same] of Map.groupBy(places, ({ part }) => JSON.stringify(part))) {
    const [first] = same;
    if (first === undefined || same.length === 1) continue;
    const name = findUnusedName(shared, first.name);
    shared[name] = first.part;
    for (const { put } of same) put({ $ref: `#/components/${kind}/${name}` });
  }
  return shared;
}

/** Different parts may have the same name, such as `limit` with another maximum: the second one becomes `limit2`. */
function findUnusedName(used: object, name: string): string {
  for (let n = 1; ; n++) if (!(`${name}${n === 1 ? "" : n}` in used)) return `${name}${n === 1 ? "" : n}`;
}

const listParameters = ({ parameters = [] }: Operation): Place<Parameter>[] =>
  parameters.flatMap((part, index) => {
    if (!("name" in part)) return [];
    const name = part.in === "path" ? `path.${part.name}` : part.name;
    return [{ part, name, put: (reference) => (parameters[index] = reference) }];
  });

/** Returns the 2xx responses whose schema is a component, under its name. */
const listSuccesses = ({ responses }: Operation): Place<Response>[] =>
  Object.entries(responses).flatMap(([status, part]) => {
    const schema = "content" in part ? part.content?.["application/json"]?.schema : undefined;
    if (!status.startsWith("2") || schema?.$ref === undefined) return [];
    const name = schema.$ref.slice("#/components/schemas/".length);
    return [{ part: part as Response, name, put: (reference) => (responses[status] = reference) }];
  });

const listRefusals = ({ operationId = "", responses }: Operation): Place<Response>[] =>
  Object.entries(responses).flatMap(([status, part]) => {
    if (status.startsWith("2") || "$ref" in part) return [];
    const name = `${operationId}.${status}`;
    return [{ part, name, put: (reference) => (responses[status] = reference) }];
  });

function finishParameter(parameter: Parameter): void {
  const { schema } = parameter;
  // The generator repeats the description in the parameter.
  delete schema.description;
  // Lists are separated by commas: `explode: false` in OpenAPI.
  if (schema.type === "array") Object.assign(parameter, { style: "form", explode: false });
  if (parameter.required) return;
  delete parameter.required;
  // Swagger UI and similar tools send the `example` of an optional parameter. An example If-Match would match no version.
  if (schema.example === undefined) return;
  schema.examples = [schema.example];
  delete schema.example;
}

/** Created resources with a secret that is shown once, and the schemas that they extend. */
const EXTENSIONS = {
  NewApiKey: "ApiKey",
  NewAccessToken: "AccessToken",
  NewInvitation: "Invitation",
  NewWebhookSubscription: "WebhookSubscription",
};

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
