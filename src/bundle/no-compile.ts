/** Replaces zod's compiler in the deployed bundle: it needs `eval`, which Workers refuse, and nothing here uses it. */
export const INVALID = null;
export class ZodCompileAsyncError extends Error {}
export class ZodCompileUnsupportedError extends Error {}

export function compile(): never {
  throw new Error("zod's compiler is not part of this bundle.");
}

export { compile as compileFn, compile as withParser };
