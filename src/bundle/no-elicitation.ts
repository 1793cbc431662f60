/**
 * What stands in the deployed bundle for the parts of the MCP server's SDK that differ by runtime: a validator of the
 * answers to questions that a server asks a person (elicitation), and standard input and output. Nothing here uses either.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("A validator of JSON Schema is not part of this bundle.");
  }
}

export const process = {};
