/**
 * Replaces the parts of the MCP SDK that depend on the runtime in the deployed bundle: the validator of what a person answers
 * to a server (elicitation), and standard input and output. Neither is used here.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error("A validator of JSON Schema is not part of this bundle.");
  }
}

export const process = {};
