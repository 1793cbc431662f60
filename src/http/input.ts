/** From a request to the input of an operation. What it means is for the operation's schema to say. */
import type { Context } from "hono";
import type { z } from "zod";
import { DomainError, invalidField, type FieldError } from "../errors.ts";
import { bytesWithin } from "../lib/body.ts";
import { LIMITS } from "../domain/limits.ts";
import { carriesBody, inputSources, pathParameters, type Route } from "./routes.ts";

type QueryParser = (value: string) => unknown;

/** Prepares the reading of a route's input. */
export function inputReader(route: Route): (c: Context) => Promise<Record<string, unknown>> {
  const parameters = pathParameters(route.path);
  const { query, body } = inputSources(route);
  // A body that is not asked for is read too: a member in it is a mistake that must not be lost.
  const readInput = async (request: Request): Promise<Record<string, unknown>> =>
    carriesBody(route.method) ? readBody(request, body.length > 0) : {};
  const parsers = query.map((name) => [name, parserOf(route.operation.input.shape[name] as z.ZodType)] as const);

  return async (c) => {
    const input = await readInput(c.req.raw);
    const both: FieldError[] = [];
    for (const name of parameters) {
      if (name in input) both.push({ path: name, message: "belongs in the path and must not be in the body" });
      input[name] = c.req.param(name);
    }
    if (both.length > 0) throw new DomainError("invalid_request", undefined, { errors: both });
    // Most reads of one article have no query at all.
    if (!c.req.raw.url.includes("?")) return input;
    // Once for all: each call goes through the whole query, however long it is.
    const given = c.req.queries();
    for (const [name, parse] of parsers) {
      const values = given[name];
      if (values === undefined) continue;
      if (values.length > 1) throw invalidField(name, "is given more than once");
      input[name] = parse(values[0] ?? "");
    }
    return input;
  };
}

/** Query parameters are text: numbers, booleans and lists are read as such, what is neither is left for the schema. */
function parserOf(schema: z.ZodType): QueryParser {
  return PARSERS[innermost(schema).def.type] ?? ((value) => value);
}

const PARSERS: Partial<Record<z.ZodType["def"]["type"], QueryParser>> = {
  // Past the safe integers one large number is as good as another.
  number: (value) => (/^-?\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value),
  boolean: (value) => (value === "true" ? true : value === "false" ? false : value),
  array: (value) => value.split(","),
};

function innermost(schema: z.ZodType): z.ZodType {
  const { def } = schema as { def: { innerType?: z.ZodType } };
  return def.innerType === undefined ? schema : innermost(def.innerType);
}

/** The request's JSON object; where none is required, an empty body is one. */
async function readBody(request: Request, required: boolean): Promise<Record<string, unknown>> {
  // Some clients send an empty body where others send none: only its bytes tell.
  const unasked = required ? null : await readLimited(request);
  if (unasked?.byteLength === 0) return {};
  const encoding = request.headers.get("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type", "The body must not be compressed.");
  }
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw new DomainError("unsupported_media_type");
  const body = parseJson(unasked ?? (await readLimited(request)));
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new DomainError("invalid_json", "The body must be one JSON object.");
  }
  // Not a copy, which takes as long as parsing where there are very many members.
  return body as Record<string, unknown>;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new DomainError("invalid_json");
  }
}

/** The bytes of the body, up to the limit. */
async function readLimited(request: Request): Promise<Uint8Array> {
  const bytes = await bytesWithin(request, LIMITS.bodyBytes).catch(brokenOff);
  if (bytes === null) throw new DomainError("body_too_large");
  return bytes;
}

function brokenOff(): never {
  throw new DomainError("invalid_json", "The body ended early.");
}
