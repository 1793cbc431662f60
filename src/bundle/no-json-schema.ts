/** What stands in the deployed bundle for zod's reader of JSON Schema: here, only schemas of zod become JSON Schema. */
export function fromJSONSchema(): never {
  throw new Error("zod's reader of JSON Schema is not part of this bundle.");
}
