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

// By default a stated maximum is not tried: texts of up to ten characters or so are all that is drawn.
fc.configureGlobal({ seed: inject("seed"), defaultSizeToMaxWhenMaxSpecified: true, baseSize: "medium" });

/** Any character, and halves of pairs, which fast-check's own `binary` leaves out. */
export const anyCharacter = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
  fc.integer({ min: 0xd8_00, max: 0xdf_ff }).map((half) => String.fromCharCode(half)),
);

export default fc;
