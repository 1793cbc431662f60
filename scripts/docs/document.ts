/** The parts of the OpenAPI document that the reference shows, and from which the client's types are made. */
import type { Sample } from "../../src/domain/sample.ts";

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
};

export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};

type Content = Readonly<
  Record<string, { readonly schema?: Schema; readonly example?: unknown; readonly examples?: object }>
>;

export type Response = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
};

type Reference = { readonly $ref: string };

/** An operation as the document has it. */
export type RawOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly "x-scope"?: string;
  readonly "x-sample"?: Sample;
  readonly security?: readonly object[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, Response | Reference>>;
};

export type Document = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly example?: unknown }>>;
    readonly [kind: string]: Readonly<Record<string, unknown>>;
  };
};

/** An operation, or an event (with an empty `path`). References are resolved, except to schemas. */
export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Null if any credentials, or none, are enough. */
  readonly scope: string | null;
  /** Can be called without credentials. */
  readonly open: boolean;
  /** Can be called with credentials. */
  readonly closed: boolean;
  readonly sample: Sample | null;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** The body may be a file. `body` then describes the form that may be sent instead. */
  readonly takesFile: "image/*" | "application/octet-stream" | null;
  readonly responses: readonly { readonly status: string; readonly response: Response }[];
};

export type Api = {
  readonly document: Document;
  readonly operations: readonly Operation[];
  readonly events: readonly Operation[];
  readonly resolve: (schema: Schema) => Schema;
};

/** Returns the component that a reference names; anything else as it is. */
export function followReference<Part extends object>({ components }: Document, part: Part | Reference): Part {
  if (!("$ref" in part) || typeof part.$ref !== "string") return part as Part;
  const [kind = "", name = ""] = part.$ref.replace("#/components/", "").split("/");
  return components[kind]?.[name] as Part;
}

export function toApi(document: Document): Api {
  const follow = <Part extends object>(part: Part | Reference) => followReference(document, part);
  const read = (method: string, path: string, raw: RawOperation, id = raw.operationId): Operation => ({
    id,
    method: method.toUpperCase(),
    path,
    tag: raw.tags[0] ?? "Service",
    summary: raw.summary,
    description: raw.description ?? "",
    scope: raw["x-scope"] ?? null,
    sample: raw["x-sample"] ?? null,
    open: (raw.security ?? []).length === 0 || (raw.security ?? []).some((each) => Object.keys(each).length === 0),
    closed: (raw.security ?? []).some((each) => Object.keys(each).length > 0),
    parameters: (raw.parameters ?? []).map(follow),
    body: toBody(raw),
    takesFile:
      (["image/*", "application/octet-stream"] as const).find((type) => raw.requestBody?.content[type]) ?? null,
    responses: Object.entries(raw.responses).map(([status, response]) => ({ status, response: follow(response) })),
  });
  return {
    document,
    operations: Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, raw]) => read(method, path, raw)),
    ),
    events: Object.entries(document.webhooks).flatMap(([name, item]) =>
      Object.values(item).map((raw) => read("post", "", raw, name)),
    ),
    resolve: follow,
  };
}

/** Returns the members of a body. Those of an upload include the URL that may be sent as JSON instead of a file. */
function toBody({ requestBody }: RawOperation): Schema | null {
  const { "application/json": json, "multipart/form-data": form } = requestBody?.content ?? {};
  if (json?.schema === undefined || form?.schema === undefined) return json?.schema ?? form?.schema ?? null;
  return { ...form.schema, properties: { ...form.schema.properties, ...json.schema.properties } };
}

/** Returns the name of a referenced schema; null if the schema is written out. */
export const getSchemaName = ({ $ref }: Schema): string | null => $ref?.slice("#/components/schemas/".length) ?? null;

/** Returns the error codes that the document lists in the description of a response. */
export const listErrorCodes = ({ status, response }: Operation["responses"][number]): string[] =>
  Number(status) < 400 ? [] : Array.from(response.description.matchAll(/`(\w+)`/g), ([, code = ""]) => code);

export function findSuccess({
  responses,
}: Operation): { status: string; schema: Schema | null; response: Response } | null {
  const found = responses.find(({ status }) => /^20\d$/.test(status));
  if (found === undefined) return null;
  return { ...found, schema: found.response.content?.["application/json"]?.schema ?? null };
}
