/** The input of an operation, from a request. The operation's schema validates it afterwards. */
import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";
import type { z } from "zod";
import { DomainError, invalidField, invalidFields, type FieldError } from "../../domain/errors.ts";
import { parseContentType, MULTIPART_TYPE } from "../../lib/content-type.ts";
import { hasMoreValues } from "../../lib/json.ts";
import { readWholeBody } from "../request/body.ts";
import { wordUnknown } from "../../operations/field-messages.ts";
import { LIMITS } from "../../domain/limits.ts";
import { carriesBody, getInputSources, listPathParameters, requiresBody, type LoadedRoute } from "./routes.ts";

/** A query parameter with an empty name, which Hono leaves out. */
const NAMELESS = /^[^?]*\?(?:[^#]*&)?=/;

type QueryParser = (value: string) => unknown;

/**
 * Returns a function that reads a route's input from a request. It throws errors about the body's format and size, and
 * `invalid_request` for a query parameter that is unknown or given more than once.
 */
export function makeInputReader(route: LoadedRoute): (c: Context<AppEnv>) => Promise<Record<string, unknown>> {
  const parameters = listPathParameters(route.path);
  const { query, body } = getInputSources(route);
  const takesUrl = route.upload === true && "url" in route.operation.input.shape;
  const needsBody = takesUrl || requiresBody(route);
  // The body is read even if the operation needs none: a field in it is a mistake that must be reported.
  const readInput = async (c: Context<AppEnv>): Promise<Record<string, unknown>> => {
    if (route.upload && !(takesUrl && isJson(c.req.raw))) return readFile(c);
    if (route.streams) return readStreamedFile(c.req.raw);
    if (!carriesBody(route.method)) return {};
    return readBody(c.req.raw, needsBody);
  };
  const parsers = query.map((name) => [name, getQueryParser(route.operation.input.shape[name] as z.ZodType)] as const);
  const requireKnown = (url: string, given: Readonly<Record<string, unknown>>): void => {
    const unknown = Object.keys(given).filter((name) => !query.includes(name));
    if (NAMELESS.test(url)) unknown.push("=");
    if (unknown.length === 0) return;
    const named = unknown.slice(0, LIMITS.fieldErrors);
    throw invalidFields(
      named.map((name) => ({
        path: name.slice(0, LIMITS.fieldPath),
        message: body.includes(name) ? "belongs in the body" : wordUnknown("query parameter", name, query),
      })),
    );
  };

  return async (c) => {
    const input = await readInput(c);
    const both: FieldError[] = [];
    for (const name of parameters) {
      // A resource may be sent back as it was read, with the identifier from the path.
      if (name in input && input[name] !== c.req.param(name))
        both.push({ path: name, message: "is part of the path, and must not be different in the body" });
      input[name] = c.req.param(name);
    }
    if (both.length > 0) throw invalidFields(both);
    // Most reads of one article have no query.
    if (!c.req.raw.url.includes("?")) return input;
    // Each call of `queries` parses the whole query.
    const given = c.req.queries();
    requireKnown(c.req.raw.url, given);
    for (const [name, parse] of parsers) {
      const values = given[name];
      if (values === undefined) continue;
      if (values.length > 1 || (route.upload && name in input)) throw invalidField(name, "is given more than once");
      input[name] = parse(values[0] ?? "");
    }
    return input;
  };
}

const isJson = ({ headers }: Request): boolean => parseContentType(headers).type === "application/json";

/** Returns the body as a file that has not arrived yet. Throws `unsupported_media_type`. */
async function readStreamedFile({ headers, body }: Request): Promise<Record<string, unknown>> {
  const isForm = parseContentType(headers).type === MULTIPART_TYPE;
  if (isForm || (headers.get("Content-Encoding") ?? "identity").toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type", "Send the file itself as the body, as it is.");
  }
  const { ImportFile } = await import("../../domain/imports.ts");
  const length = headers.get("Content-Length");
  return body === null ? {} : { file: new ImportFile(body, length === null ? null : Number(length)) };
}

/** Returns the uploaded picture and the fields of its form. A new picture is named after its file by default. */
async function readFile(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const { readUpload } = await import("../request/upload.ts");
  const { file, fileName, fields } = await readUpload(c.req.raw);
  const given = new Map<string, unknown>(file && [["file", file]]);
  for (const [name, value] of fields) {
    if (given.has(name)) throw invalidField(name, "is given more than once");
    given.set(name, value);
  }
  // A field `__proto__` becomes an own property here, which the schema refuses.
  const input: Record<string, unknown> = Object.fromEntries(given);
  const isNamed = "name" in input || c.req.path.endsWith("/file") || c.req.query("name") !== undefined;
  return isNamed || fileName === "" ? input : { ...input, name: fileName };
}

/** Returns a function that converts a query parameter to the type of its schema. Other text stays: the schema refuses it. */
const getQueryParser = (schema: z.ZodType): QueryParser => PARSERS[unwrapSchema(schema).def.type] ?? ((value) => value);

const PARSERS: Partial<Record<z.ZodType["def"]["type"], QueryParser>> = {
  // No limit is near the largest safe integer.
  number: (value) => (/^-?\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value),
  boolean: (value) => (value === "true" ? true : value === "false" ? false : value),
  array: (value) => value.split(","),
};

function unwrapSchema(schema: z.ZodType): z.ZodType {
  const { def } = schema as { def: { innerType?: z.ZodType } };
  return def.innerType === undefined ? schema : unwrapSchema(def.innerType);
}

/**
 * Returns the JSON object in the body. Unless it is required, an empty body counts as `{}`. Throws
 * `unsupported_media_type`, `invalid_json` or `body_too_large`.
 */
async function readBody(request: Request, required: boolean): Promise<Record<string, unknown>> {
  // Some clients send an empty body instead of none, so only the bytes can tell.
  const bytes = () => readWholeBody(request, LIMITS.bodyBytes);
  const unasked = required ? null : await bytes();
  if (unasked?.byteLength === 0) return {};
  const encoding = request.headers.get("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type", "The body must not be compressed.");
  }
  if (!isJson(request)) throw new DomainError("unsupported_media_type");
  const body = parseJson(unasked ?? (await bytes()));
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new DomainError("invalid_json", "The body must be one JSON object.");
  }
  // Not copied: with very many fields, that takes as long as parsing.
  return body as Record<string, unknown>;
}

function parseJson(bytes: Uint8Array): unknown {
  if (hasMoreValues(bytes, LIMITS.jsonValues)) {
    throw new DomainError("invalid_request", `The body has more than ${LIMITS.jsonValues} values.`);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new DomainError("invalid_json");
  }
}
