/**
 * Properties, tried with the same cases in every run, so that what passed once passes everywhere.
 * `SEED=$RANDOM npm test` tries others.
 */
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    seed: number;
  }
}

fc.configureGlobal({ seed: inject("seed") });

export default fc;
