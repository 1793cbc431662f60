/**
 * fast-check with the same cases in every run, so that a test that passed once passes everywhere.
 * `SEED=$RANDOM npm test` tries other cases.
 */
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    seed: number;
    /** Whether nothing is left out: all samples, longer properties, longer measurements. */
    exhaustive: boolean;
    /** The names of the queues of the deployments "production" and "staging". */
    queues: readonly string[];
  }
}

// By default, fast-check does not try lengths up to a given maximum: it generates texts of about ten characters.
fc.configureGlobal({ seed: inject("seed"), defaultSizeToMaxWhenMaxSpecified: true, baseSize: "medium" });

/** How often a property is tried that takes long: ten times as often with `npm run test:exhaustive`. */
export const runs = (few: number) => ({ numRuns: inject("exhaustive") ? 10 * few : few });

/** Any character, and also single surrogates, which fast-check's own `binary` does not generate. */
export const anyCharacter = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
  fc.integer({ min: 0xd8_00, max: 0xdf_ff }).map((half) => String.fromCharCode(half)),
);

export default fc;
