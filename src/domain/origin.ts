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

/** What others read of how a text came about: the term of the IPTC at schema.org, and the word of the W3C's proposal of a meta element. */
export const DISCLOSURES: Readonly<
  Record<GeneratedOrigin["kind"], { readonly sourceType: string; readonly word: string }>
> = {
  generated: { sourceType: "https://schema.org/TrainedAlgorithmicMediaDigitalSource", word: "ai-generated" },
  edited: { sourceType: "https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource", word: "ai-assisted" },
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
