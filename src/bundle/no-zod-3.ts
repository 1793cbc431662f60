/**
 * Replaces zod 3 in the deployed bundle. By these names, the AI SDK tells the kinds of its schemas; all schemas here are of
 * zod 4.
 */
export const ZodFirstPartyTypeKind: Readonly<Record<string, string>> = {};
