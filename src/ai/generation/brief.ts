/** The input and the result of a generation. */
import type { Image, ImageModel, TextModel } from "../model.ts";

/** The subject of the article. Only `topic` is written by the caller. The rest is data and never an instruction. */
export type Subject =
  | { readonly kind: "topic"; readonly topic: string }
  | { readonly kind: "idea"; readonly idea: Idea }
  /** A translation of the article into another locale. */
  | { readonly kind: "translation"; readonly article: SourceArticle; readonly keepsImages: boolean }
  /** A new version of the article in its own locale. */
  | { readonly kind: "rewrite"; readonly article: SourceArticle };

export type Idea = {
  readonly title: string;
  readonly summary: string;
  readonly angle: string;
  readonly url: string;
  readonly keywords: readonly string[];
};

export type SourceArticle = {
  readonly title: string;
  readonly description: string;
  /** Markdown. */
  readonly content: string;
  readonly locale: string;
};

export type Brief = {
  readonly subject: Subject;
  readonly blog: {
    readonly name: string;
    /** Articles that the text may link to, as `/{slug}`. All are in the locale of the brief. */
    readonly articles: readonly { readonly slug: string; readonly title: string }[];
  };
  /** A canonical BCP 47 tag. */
  readonly locale: string;
  /** Instructions of the caller; "" for none. */
  readonly instructions: string;
  readonly keywords: readonly string[];
  /** The tone that the caller wants; "" for none. */
  readonly tone: string;
  /** The wanted length, 300 to 3,000 words. Ignored for a translation, which is as long as its source. */
  readonly words: number;
  readonly coverImage: boolean;
  readonly inlineImages: boolean;
};

/**
 * The steps of a generation, in their order. The operation reports "stored" itself. For a translation, a section is one
 * of the parts into which its source is split.
 */
export type Step =
  | { readonly step: "outline" }
  | { readonly step: "section"; readonly section: number; readonly of: number }
  | { readonly step: "description" }
  | { readonly step: "image"; readonly image: number; readonly of: number }
  | { readonly step: "checks" }
  | { readonly step: "stored" }
  /** Help with a text (assist.ts): it begins; then a further piece of what the model writes, from the character `from` on. */
  | { readonly step: "writing" }
  | { readonly step: "text"; readonly from: number; readonly text: string };

export type Tools = {
  readonly text: TextModel;
  /** Null if no image model is configured. A brief that asks for images then gets a degradation. */
  readonly image: ImageModel | null;
  /** Stores an image and returns the absolute URL under which it is served. */
  readonly keepImage: (image: Image) => Promise<string>;
  /** Reports that a step begins. */
  readonly tell: (step: Step) => void;
  /** Aborted if nobody waits for the result. The generation then throws the signal's reason. */
  readonly signal: AbortSignal;
};

export type CheckName =
  | "title"
  | "headings"
  | "description"
  | "keyword_in_title"
  | "keyword_in_first_paragraph"
  | "placeholders"
  | "locale"
  | "length"
  | "links";

/** `detail` is a sentence about the result; "" if the check passed and there is nothing to say. */
export type Check = { readonly name: CheckName; readonly passed: boolean; readonly detail: string };

export type GeneratedArticle = {
  readonly title: string;
  /** At most LIMITS.metaDescription characters. */
  readonly description: string;
  /** Markdown without headings of level 1, because the title is a field of its own. */
  readonly content: string;
  /** The slug that the model proposes, in valid form; "" for a translation, which keeps the slug of its source. */
  readonly slug: string;
  /** The URL of the new cover image; "" if there is none. A translation has "" and keeps the cover of its source. */
  readonly coverUrl: string;
  readonly keywords: readonly string[];
};

export type Outline = readonly { readonly heading: string; readonly points: readonly string[] }[];

export type Generated = {
  readonly article: GeneratedArticle;
  readonly outline: Outline;
  readonly words: number;
  /** The images that were generated. */
  readonly images: readonly { readonly role: "cover" | "inline"; readonly url: string; readonly alt: string }[];
  readonly checks: readonly Check[];
  /** What the article lacks, one sentence each, such as an image that failed or links that were removed. */
  readonly degradations: readonly string[];
  /** How often the model was asked again because its answer did not fit. */
  readonly repairs: number;
};
