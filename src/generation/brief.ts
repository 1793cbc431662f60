/** What an article is generated from, and what comes of it. */
import type { Image, ImageModel, TextModel } from "../ai/model.ts";

/** What the article is to be about. Only `topic` is the caller's own words; the rest is data, never instructions. */
export type Subject =
  | { readonly kind: "topic"; readonly topic: string }
  | { readonly kind: "idea"; readonly idea: Idea }
  /** In another locale than the article's. */
  | { readonly kind: "translation"; readonly article: SourceArticle; readonly keepsImages: boolean }
  /** In the article's own locale. */
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
    /** Articles that the text may link to, as `/{slug}`: all in the brief's locale. */
    readonly articles: readonly { readonly slug: string; readonly title: string }[];
  };
  /** A canonical BCP 47 tag. */
  readonly locale: string;
  /** The caller's own words; "" for none. */
  readonly instructions: string;
  readonly keywords: readonly string[];
  /** "" for none. */
  readonly tone: string;
  /** 300 to 3,000; a translation is as long as its source. */
  readonly words: number;
  readonly coverImage: boolean;
  readonly inlineImages: boolean;
};

/**
 * Steps in the order in which they come; "stored" is the operation's own. The sections of a translation are the
 * parts in which it is made.
 */
export type Step =
  | { readonly step: "outline" }
  | { readonly step: "section"; readonly section: number; readonly of: number }
  | { readonly step: "description" }
  | { readonly step: "image"; readonly image: number; readonly of: number }
  | { readonly step: "checks" }
  | { readonly step: "stored" };

export type Tools = {
  readonly text: TextModel;
  /** Null where no image model is configured: then a brief that asks for images is a degradation. */
  readonly image: ImageModel | null;
  /** Keeps an image and says at which absolute URL it will be served. */
  readonly keepImage: (image: Image) => Promise<string>;
  /** Tells of a step that begins. */
  readonly tell: (step: Step) => void;
  /** Aborted when nobody waits for the result any more: throws the signal's reason, soon. */
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

/** `detail` says what was found, in a sentence; "" where it passed and nothing is to be said. */
export type Check = { readonly name: CheckName; readonly passed: boolean; readonly detail: string };

export type GeneratedArticle = {
  readonly title: string;
  /** At most LIMITS.metaDescription characters. */
  readonly description: string;
  /** Markdown without a heading of the first level: the title is the article's own member. */
  readonly content: string;
  /** What the model proposes, made a slug; a translation keeps its source's, so it is "" there. */
  readonly slug: string;
  /** The URL of the cover that was made, or ""; a translation keeps its source's. */
  readonly coverUrl: string;
  readonly keywords: readonly string[];
};

export type Outline = readonly { readonly heading: string; readonly points: readonly string[] }[];

export type Generated = {
  readonly article: GeneratedArticle;
  readonly outline: Outline;
  readonly words: number;
  /** The images that were made. */
  readonly images: readonly { readonly role: "cover" | "inline"; readonly url: string; readonly alt: string }[];
  readonly checks: readonly Check[];
  /** What is less than was asked for, one sentence each: an image that failed, links that were removed. */
  readonly degradations: readonly string[];
  readonly repairs: number;
};
