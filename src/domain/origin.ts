/** How an article came about (contract 18.20). */

/** `generated`: as models wrote it. `edited`: people and models have written it. */
export type GeneratedOrigin = {
  readonly kind: "generated" | "edited";
  /** Null if an application wrote it, which does not say with which model. */
  readonly model: string | null;
  readonly generationId: string | null;
  /** The connected application that wrote it, or was the last to change its texts. */
  readonly application: string | null;
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

/** `reviewed`: whether a person answers for the text. */
export type Origin = (
  | GeneratedOrigin
  | { readonly [Name in keyof GeneratedOrigin]: Name extends "kind" ? "human" : null }
) & {
  readonly reviewed: boolean;
};

const HUMAN: Origin = {
  kind: "human",
  model: null,
  generationId: null,
  application: null,
  reviewed: true,
  reviewedBy: null,
  reviewTime: null,
};

/** Returns an origin as it is shown. `stored` is null if people wrote the article; what it lacks is null. */
export function toOrigin(stored: Partial<GeneratedOrigin> | null): Origin {
  if (stored === null) return HUMAN;
  const shown = { ...HUMAN, ...pickKnown(stored) } as Origin;
  return { ...shown, reviewed: shown.reviewTime !== null };
}

/** Returns an origin as everybody may read it: without identifiers, and without the applications that people use. */
export const toPublicOrigin = <O extends { readonly [Name in keyof Origin]: Origin[Name] }>(origin: O): O => ({
  ...origin,
  generationId: null,
  application: null,
  reviewedBy: null,
});

function pickKnown(stored: Partial<GeneratedOrigin>): Partial<GeneratedOrigin> {
  const { kind, model, generationId, application, reviewedBy, reviewTime } = stored;
  const given = { kind, model, generationId, application, reviewedBy, reviewTime };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
