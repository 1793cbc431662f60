/**
 * What stands in the deployed bundle for version 3 of zod. The AI SDK turns its schemas into JSON Schema, too, and tells
 * their kinds by these names; all schemas here are of version 4.
 */
export const ZodFirstPartyTypeKind: Readonly<Record<string, string>> = {};
