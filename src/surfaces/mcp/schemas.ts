import * as z from "zod";
import { TOLD } from "../../operations/told.ts";

export type JsonSchema = { readonly type: "object"; readonly [member: string]: unknown };

/**
 * Returns the JSON Schema of an input. A model reads it with each conversation, so it leaves out what says nothing.
 * Without references, which some clients ignore, and without patterns that other languages cannot compile, such as Python:
 * the descriptions say the same.
 */
export function toJsonSchema(schema: z.ZodObject): JsonSchema {
  // Without `$schema`, it is of the dialect 2020-12 (MCP, tools).
  const {
    $defs,
    $schema: _,
    ...root
  } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: shorten }) as Schema;
  return resolveReferences(root, ($defs ?? {}) as Schema) as JsonSchema;
}

type Schema = Record<string, unknown>;

/** Writes what a model is told in place of a schema. */
function shorten({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Schema }): void {
  const told = TOLD.get(zodSchema);
  if (told === undefined) return;
  for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
  Object.assign(jsonSchema, told);
}

const REFERENCE = "#/$defs/";
const LEFT_OUT: ReadonlySet<string> = new Set(["example", "id"]);

/** Replaces references by their schemas. No schema contains itself. */
function resolveReferences(node: unknown, definitions: Schema): unknown {
  if (Array.isArray(node)) return node.map((item) => resolveReferences(item, definitions));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, ...rest } = node as Schema;
  const referred = typeof $ref === "string" ? definitions[$ref.slice(REFERENCE.length)] : undefined;
  const members = Object.entries({ ...(referred as Schema | undefined), ...rest });
  return Object.fromEntries(
    members
      // A property may have the name of a keyword ("example", "id"). Its value is then a schema, and stays.
      .filter(([name, value]) => !(LEFT_OUT.has(name) && !isSchema(value)) && !(name === "pattern" && isSpecial(value)))
      .filter(([name, value]) => !saysNothing(name, value))
      .map(([name, value]) => [name, VERBATIM.has(name) ? value : resolveReferences(value, definitions)]),
  );
}

/** Returns whether a keyword tells a model nothing that it needs: a refusal says how long a text may be. */
function saysNothing(name: string, value: unknown): boolean {
  if (name === "minLength" || name === "maxLength") return typeof value === "number";
  if (name === "default") return value === "" || value === false || (Array.isArray(value) && value.length === 0);
  if (name === "minimum" || name === "minItems") return value === 0 || value === 1;
  if (name === "description") return typeof value === "string" && PLAIN.test(value);
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}

/** Descriptions of fields whose names say it. */
const PLAIN = /^(?:The identifier of an? \w+|A BCP 47 language tag)\.$/;

/** Returns whether a pattern has groups or escapes beyond what JSON Schema recommends (2020-12, 6.4). */
const isSpecial = (pattern: unknown): boolean => typeof pattern === "string" && /\(\?|\\[A-Za-z\d]/.test(pattern);

const VERBATIM: ReadonlySet<string> = new Set(["default", "enum", "const", "required"]);

const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("type" in value || "anyOf" in value || "$ref" in value);
