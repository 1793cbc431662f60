import type { Miniflare } from "miniflare";

/** What the seed creates for the load: the caller's credentials, and the articles to read. */
export type Fixture = {
  readonly organizationId: string;
  readonly blogId: string;
  /** The id of an API key with every scope, and its secret. */
  readonly keyId: string;
  readonly apiKey: string;
  /** Slugs of published articles from all over the blog. */
  readonly slugs: readonly string[];
};

/** The article that each write stores, without its slug. */
export type MeasuredArticle = { readonly title: string; readonly content: string; readonly published: boolean };

export type D1 = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** How a database is held (worker/held.ts): each query takes so long, and `how` is "works" if it is left out. */
export type Held = { readonly milliseconds?: number; readonly how?: "works" | "hangs" | "fails" };
