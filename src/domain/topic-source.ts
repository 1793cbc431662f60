/** A blog's source of topic ideas, as stored. `name` is the blog's own name for it. */
export type TopicSource =
  | { readonly kind: "feed"; readonly name: string; readonly url: string }
  /** Stories that match `query`; "" means the front page. */
  | { readonly kind: "hackernews"; readonly name: string; readonly query: string }
  /** `category` (a slug) and `tag` narrow it; "" means all. */
  | {
      readonly kind: "discourse";
      readonly name: string;
      readonly url: string;
      readonly category: string;
      readonly tag: string;
    }
  | { readonly kind: "reddit"; readonly name: string; readonly subreddit: string }
  /** `site` is a name of Stack Exchange's API, such as `stackoverflow`. */
  | { readonly kind: "stackexchange"; readonly name: string; readonly site: string; readonly tag: string }
  /** "" means the hottest stories of all tags. */
  | { readonly kind: "lobsters"; readonly name: string; readonly tag: string }
  /** The address of a community at an instance, also of one of another instance: `https://lemmy.world/c/name@its.instance`. */
  | { readonly kind: "lemmy"; readonly name: string; readonly url: string };

export type TopicSourceKind = TopicSource["kind"];

export type TopicOrigin = { readonly kind: TopicSourceKind; readonly name: string };

/** An item of an idea. `engagement` is the number of its votes and comments; earlier versions did not store it. */
export type Mention = { url: string; source: TopicOrigin; engagement?: number | undefined };

/** Base URLs of forums with a fixed address, without a slash at the end. */
export type ForumBaseUrls = Readonly<Record<Exclude<TopicSourceKind, "feed" | "discourse" | "lemmy">, string>>;

/** The setting FORUM_BASE_URLS can replace them, for example with a proxy. */
export const FORUM_BASE_URLS: ForumBaseUrls = {
  hackernews: "https://hn.algolia.com",
  reddit: "https://www.reddit.com",
  stackexchange: "https://api.stackexchange.com",
  lobsters: "https://lobste.rs",
};

/** Returns the instance of a community of Lemmy, and its name there; null if it is not the address of one. */
export function parseCommunity(address: string): { readonly instance: string; readonly name: string } | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname, username, password, search, hash } = new URL(address);
  const [, folder = "", name] = /^(.*)\/c\/(\w+(?:@[\w.:-]+)?)\/?$/.exec(pathname) ?? [];
  const isBare = [username, password, search, hash].every((part) => part === "");
  return name === undefined || !isBare ? null : { instance: `${origin}${folder}`, name };
}
