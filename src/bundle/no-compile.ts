/** What stands in the deployed bundle for zod's compiler, which nothing here uses: it needs `eval`, which Workers refuse. */
export const INVALID = null;
export class ZodCompileAsyncError extends Error {}
export class ZodCompileUnsupportedError extends Error {}

export function compile(): never {
  throw new Error("zod's compiler is not part of this bundle.");
}

export { compile as compileFn, compile as withParser };
