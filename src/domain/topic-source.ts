/** Defines the sources of topic ideas. */

/** A blog's source of topic ideas, as stored. `name` is what the blog's people call it. */
export type TopicSource =
  | { readonly kind: "feed"; readonly name: string; readonly url: string }
  /** Stories of Hacker News that match `query`; if it is "", the front page. */
  | { readonly kind: "hackernews"; readonly name: string; readonly query: string }
  /** A Discourse site at `url`. `category` (a slug) and `tag` narrow it; "" means all. */
  | {
      readonly kind: "discourse";
      readonly name: string;
      readonly url: string;
      readonly category: string;
      readonly tag: string;
    }
  | { readonly kind: "reddit"; readonly name: string; readonly subreddit: string }
  /** `site` is the name of a site in Stack Exchange's API, such as `stackoverflow`. */
  | { readonly kind: "stackexchange"; readonly name: string; readonly site: string; readonly tag: string }
  | { readonly kind: "lobsters"; readonly name: string; readonly tag: string };

export type TopicSourceKind = TopicSource["kind"];

/** The source of an idea or mention: its kind, and its name in the blog. */
export type TopicOrigin = { readonly kind: TopicSourceKind; readonly name: string };

/** The base URLs of forums that have one fixed address, without a slash at the end. */
export type ForumBaseUrls = Readonly<Record<Exclude<TopicSourceKind, "feed" | "discourse">, string>>;

/** The public base URLs. The setting FORUM_BASE_URLS can replace them, for example by those of a proxy. */
export const FORUM_BASE_URLS: ForumBaseUrls = {
  hackernews: "https://hn.algolia.com",
  reddit: "https://www.reddit.com",
  stackexchange: "https://api.stackexchange.com",
  lobsters: "https://lobste.rs",
};
