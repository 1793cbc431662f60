/** Where topic ideas come from. */

/** A source of a blog, as it is stored; `name` is what people call it. */
export type TopicSource =
  | { readonly kind: "feed"; readonly name: string; readonly url: string }
  /** Stories of Hacker News that match a query; "" for its front page. */
  | { readonly kind: "hackernews"; readonly name: string; readonly query: string }
  /** A Discourse site by its address; `category` (slug) and `tag` narrow it, "" for all. */
  | {
      readonly kind: "discourse";
      readonly name: string;
      readonly url: string;
      readonly category: string;
      readonly tag: string;
    }
  | { readonly kind: "reddit"; readonly name: string; readonly subreddit: string }
  /** `site` is the API's name of a site, such as `stackoverflow`. */
  | { readonly kind: "stackexchange"; readonly name: string; readonly site: string; readonly tag: string }
  | { readonly kind: "lobsters"; readonly name: string; readonly tag: string };

export type TopicSourceKind = TopicSource["kind"];

/** Where the forums that have one address are reached, without a slash at the end. */
export type ForumBaseUrls = Readonly<Record<Exclude<TopicSourceKind, "feed" | "discourse">, string>>;

/** The public addresses. A deployment may name others by FORUM_BASE_URLS, such as a proxy's. */
export const FORUM_BASE_URLS: ForumBaseUrls = {
  hackernews: "https://hn.algolia.com",
  reddit: "https://www.reddit.com",
  stackexchange: "https://api.stackexchange.com",
  lobsters: "https://lobste.rs",
};
