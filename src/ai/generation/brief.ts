import type { StyleGuide } from "../../domain/style-guide.ts";
import type { Claim } from "./claims.ts";
import type { Image, ImageModel, TextModel } from "../model.ts";

/** The subject of the article. Only `topic` is written by the caller. The rest is data and never an instruction. */
export type Subject =
  | { readonly kind: "topic"; readonly topic: string }
  | { readonly kind: "idea"; readonly idea: Idea }
  | { readonly kind: "translation"; readonly article: SourceArticle; readonly keepsImages: boolean }
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

/** A document that the article is written from. Its text is data, and never an instruction. */
export type Source = {
  readonly url: string;
  /** "" if it has none. */
  readonly title: string;
  /** Plain text, a line for each paragraph. */
  readonly text: string;
  /** Whether it goes on, but was too long. */
  readonly isCut: boolean;
};

export type Brief = {
  readonly subject: Subject;
  /** Missing in orders that earlier versions have kept. */
  readonly sources?: readonly Source[] | undefined;
  readonly blog: {
    readonly name: string;
    /** Articles in the brief's locale that the text may link to, as `/{slug}`. */
    readonly articles: readonly { readonly slug: string; readonly title: string }[];
  };
  /** How the blog writes. Missing in orders that were kept before blogs had a style guide. */
  readonly styleGuide?: StyleGuide;
  /** A canonical BCP 47 tag. */
  readonly locale: string;
  readonly instructions: string;
  readonly keywords: readonly string[];
  readonly tone: string;
  /** What a person has approved or written: no model is asked for it then. Never for a translation. */
  readonly outline?: GivenOutline | undefined;
  /** 300 to 3,000. Ignored for a translation. */
  readonly words: number;
  readonly coverImage: boolean;
  readonly inlineImages: boolean;
};

/** The title, the primary keyword and the sections of an article. `words` are proportions of the length of the brief. */
export type GivenOutline = {
  readonly title: string;
  readonly keyword: string;
  readonly sections: readonly {
    readonly heading: string;
    readonly points: readonly string[];
    readonly words?: number | undefined;
  }[];
};

/** How much is done, in calls of models: `done` moves on while an answer is written. The storing is the last one. */
export type Progress = { readonly done: number; readonly total: number };

/** What begins, in order. For a translation, a section is one of the parts of its source. */
export type Stage =
  | { readonly step: "outline" }
  | { readonly step: "section"; readonly section: number; readonly of: number }
  | { readonly step: "description" }
  | { readonly step: "image"; readonly image: number; readonly of: number }
  | { readonly step: "checks" }
  | { readonly step: "stored" };

/** What callers are told. A section is reported again while it is written, with more that is `done`. */
export type Step =
  /** A repetition with this key gets the article, or goes on with what is kept. Null if none can come. */
  | { readonly step: "started"; readonly generationId: string; readonly idempotencyKey: string | null }
  | (Stage & Progress)
  /** Help with a text: it begins, is checked; a further piece of what the model writes, from the character `from` on. */
  | { readonly step: "writing" }
  | { readonly step: "checks" }
  | { readonly step: "text"; readonly from: number; readonly text: string };

export type Tools = {
  readonly text: TextModel;
  /** Null if no image model is configured. The missing images are then a degradation. */
  readonly image: ImageModel | null;
  /** Returns the URL of an image that an earlier run has made; null if there is none. */
  readonly findImage?: (prompt: string) => Promise<string | null>;
  /** Stores an image and returns the absolute URL under which it is served. */
  readonly keepImage: (image: Image, prompt: string) => Promise<string>;
  readonly tell: (step: Step) => void;
  /** Aborted if nobody waits for the result. The generation then throws its reason. */
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
  | "links"
  | "style"
  /** Only of an article with sources. */
  | "sources";

/** `detail` is a sentence; "" if there is nothing to say. */
export type Check = { readonly name: CheckName; readonly passed: boolean; readonly detail: string };

export type GeneratedArticle = {
  readonly title: string;
  /** At most LIMITS.metaDescription characters. */
  readonly description: string;
  /** Markdown without headings of level 1. */
  readonly content: string;
  /** A valid slug that the model proposes; "" for a translation, which keeps that of its source. */
  readonly slug: string;
  /** The URL of the new cover image; "" if there is none. A translation keeps the cover of its source. */
  readonly coverUrl: string;
  readonly keywords: readonly string[];
};

export type Outline = readonly { readonly heading: string; readonly points: readonly string[] }[];

export type Generated = {
  readonly article: GeneratedArticle;
  readonly outline: Outline;
  readonly words: number;
  readonly images: readonly { readonly role: "cover" | "inline"; readonly url: string; readonly alt: string }[];
  readonly checks: readonly Check[];
  /** Only of an article with sources. */
  readonly claims?: readonly Claim[] | undefined;
  /** What the article lacks, one sentence each, such as an image that failed. */
  readonly degradations: readonly string[];
  readonly repairs: number;
};
