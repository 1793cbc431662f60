/** Converts a zod schema to the JSON schema that a model gets. */
import * as z from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Returns the JSON schema in the form that strict structured output requires: every field is required, and an optional
 * field may be null instead (OpenAI, Structured Outputs, "All fields must be required"). Other fields are forbidden.
 */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: "draft-7", io: "input", unrepresentable: "any", override: makeStrict });
}

function makeStrict({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const { properties, required = [] } = jsonSchema;
  if (properties === undefined) return;
  jsonSchema.additionalProperties = false;
  jsonSchema.required = Object.keys(properties);
  for (const [name, member] of Object.entries(properties)) {
    if (required.includes(name) || typeof member === "boolean") continue;
    // `readObject` applies defaults when it reads the answer. Strict structured output does not allow the keyword.
    const { default: _, ...rest } = member;
    properties[name] = { anyOf: [rest, { type: "null" }] };
  }
}
