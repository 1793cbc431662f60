/** What the seed leaves for the load: who asks, and for what. */
export type Fixture = {
  readonly organizationId: string;
  readonly blogId: string;
  /** The identifier of an API key with every scope, and its secret. */
  readonly keyId: string;
  readonly apiKey: string;
  /** Slugs of published articles, spread over the whole blog. */
  readonly slugs: readonly string[];
};

/** The article that is written, time and again: all of it but the slug. */
export type MeasuredArticle = { readonly title: string; readonly content: string; readonly published: boolean };
