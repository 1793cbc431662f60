/** How an article came about (contract 18.20). */

/** `generated`: as the model wrote it. `edited`: its texts were changed since. */
export type GeneratedOrigin = {
  readonly kind: "generated" | "edited";
  readonly model: string;
  readonly generationId: string;
  /** Who published it in the console and thereby confirmed the review, and when; null if nobody did. */
  readonly reviewedBy: string | null;
  readonly reviewTime: string | null;
};

export type Origin =
  | GeneratedOrigin
  | {
      readonly kind: "human";
      readonly model: null;
      readonly generationId: null;
      readonly reviewedBy: null;
      readonly reviewTime: null;
    };

export const HUMAN: Origin = { kind: "human", model: null, generationId: null, reviewedBy: null, reviewTime: null };
