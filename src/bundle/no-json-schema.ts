/** Replaces zod's reader of JSON Schema in the deployed bundle: Edgepress only writes JSON Schema, from zod's schemas. */
export function fromJSONSchema(): never {
  throw new Error("zod's reader of JSON Schema is not part of this bundle.");
}
