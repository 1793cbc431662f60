/** The JSON schema that a model is given for a zod schema. */
import * as z from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The schema in the form that strict structured output needs: every member is required, and optional ones may
 * be null instead (OpenAI, Structured Outputs, "All fields must be required"). Further members are forbidden.
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
    // A default belongs to the reader of an answer; strict output refuses the keyword.
    const { default: _, ...rest } = member;
    properties[name] = { anyOf: [rest, { type: "null" }] };
  }
}
