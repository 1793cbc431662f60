import * as z from "zod";

export type JsonSchema = { readonly type: "object"; readonly [member: string]: unknown };

/**
 * Returns the JSON Schema of an input or output. Without references, which some clients ignore, and without patterns that
 * other languages cannot compile, such as Python: the descriptions say the same.
 */
export function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;
  return resolveReferences(root, ($defs ?? {}) as Schema) as JsonSchema;
}

type Schema = Record<string, unknown>;

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
      .map(([name, value]) => [name, VERBATIM.has(name) ? value : resolveReferences(value, definitions)]),
  );
}

/** Returns whether a pattern has groups or escapes beyond what JSON Schema recommends (2020-12, 6.4). */
const isSpecial = (pattern: unknown): boolean => typeof pattern === "string" && /\(\?|\\[A-Za-z\d]/.test(pattern);

const VERBATIM: ReadonlySet<string> = new Set(["default", "enum", "const", "required"]);

const isSchema = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("type" in value || "anyOf" in value || "$ref" in value);
