/** An article as it travels between files and the service, and the checks of what the service would not accept. */
import { createHash } from "node:crypto";
import { slugOf } from "../../domain/derived-names.ts";
import { LIMITS } from "../../domain/limits.ts";
import { canonicalLocale } from "../../domain/locale.ts";
import { isSlug } from "../../domain/slug.ts";
import { isSingleLine, isStorable, utf8Length } from "../../lib/text.ts";
import { isStorableWebUrl } from "../../lib/web-url.ts";

/** All members of an article that the service allows to be set. */
export type Article = {
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly slug: string;
  readonly locale: string;
  readonly coverUrl: string;
  readonly published: boolean;
};

/** In the order in which files have them. */
export const FIELDS = ["title", "description", "slug", "locale", "coverUrl", "published", "content"] as const;

/** One article, file or entry of an export that cannot be used; its message is the reason. The others go on. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/** The slug and locale belong to another article. */
export class SlugTaken extends Unusable {
  /** The key of the entry that it came from, if that is one of this import: it may get another slug there. */
  readonly owner: string | undefined;

  constructor(owner: string | undefined) {
    super("another article has its slug and locale");
    this.owner = owner;
  }
}

/** Bytes of a request's body, without those that the other members can take. */
const MOST_JSON = LIMITS.bodyBytes - 64 * 1024;

/** Refuses what the service would refuse: the same rules as in its reference, checked before anything is sent. */
export function requireSendable(article: Article): void {
  for (const [holds, reason] of rulesOf(article)) if (!holds()) throw new Unusable(reason);
}

function rulesOf({ title, description, content, slug, locale, coverUrl }: Article): [() => boolean, string][] {
  return [
    [() => title.length <= LIMITS.title, `title: must be at most ${LIMITS.title} characters`],
    [() => isSingleLine(title), "title: must not contain control characters or line breaks"],
    [() => description.length <= LIMITS.description, `description: must be at most ${LIMITS.description} characters`],
    [() => [title, description, content].every(isStorable), "must be well-formed Unicode without NUL characters"],
    [() => utf8Length(content) <= LIMITS.contentBytes, "content: must be at most 1 MiB of UTF-8"],
    [
      () => utf8Length(JSON.stringify(content)) <= MOST_JSON,
      "content: is too large as JSON, where some characters take more room",
    ],
    [
      () => slug.length <= LIMITS.slug && isSlug(slug),
      "slug: must be lower-case letters and digits with single hyphens",
    ],
    [
      () => canonicalLocale(locale) === locale && locale.length <= LIMITS.locale,
      "locale: must be a BCP 47 language tag",
    ],
    [() => coverUrl === "" || isCoverUrl(coverUrl), "coverUrl: must be an absolute http or https URL"],
  ];
}

/** Whether the service takes this as the address of a cover. */
export const isCoverUrl = (url: string): boolean => url.length <= LIMITS.url && isStorableWebUrl(url);

/** The name itself where it is a slug, otherwise the slug that it suggests. */
export function slugFrom(name: string): string {
  const whole = name.normalize("NFC");
  return whole.length <= LIMITS.slug && isSlug(whole) ? whole : slugOf(name.slice(0, LIMITS.slug * 4));
}

/** Lower-case hexadecimal SHA-256 of texts, of which none can pass for another's end. */
export const digest = (...texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex");

/** Represents everything that would be sent of an article. */
export const fingerprint = (article: Article): string => digest(...FIELDS.map((field) => String(article[field])));

/** Whether two are the same to every reader. */
export const isSame = (one: Article, other: Article): boolean => FIELDS.every((field) => one[field] === other[field]);
