/** The articles of imports and exports, and the checks of what the service would refuse. */
import { createHash } from "node:crypto";
import { LISTED_TEXTS, type ListedText } from "../../src/domain/article-fields.ts";
import { slugOf } from "../../src/domain/derived-names.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { canonicalLocale, mayHaveArticles } from "../../src/domain/locale.ts";
import { areSame, printOf, type Extras } from "./extras.ts";
import { isSlug } from "../../src/domain/slug.ts";
import { isSingleLine, isStorable, utf8Length } from "../../src/lib/text.ts";
import { isStorableWebUrl } from "../../src/lib/web-url.ts";

/** What an import sends of an article. */
export type Article = Readonly<Record<ListedText, string>> & {
  readonly published: boolean;
  /** When this draft becomes public (ISO 8601, UTC), by a schedule that the import sets; undefined without one. */
  readonly scheduledTime?: string | undefined;
  /** What its source says beside these fields. */
  readonly extras?: Extras | undefined;
  /** Paths of the old site that are to lead to it, such as `/2012/02/03/old-name/`, in the form that the source has. */
  readonly redirects?: readonly string[] | undefined;
  /** The pictures of the imported folder that it shows, by the addresses that its content has for them. */
  readonly files?: ReadonlyMap<string, LocalFile> | undefined;
  /** Its cover, if that is a file of the imported folder; `coverUrl` is empty then. */
  readonly coverFile?: LocalFile | undefined;
};

/** A file of the imported folder. */
export type LocalFile = {
  /** Its path in the folder. */
  readonly path: string;
  /** What it shows, where the source says so beside the text. */
  readonly alt?: string;
  /** Returns its bytes. Throws `Unusable` if it cannot be read, or has more than `most` bytes. */
  readonly read: (most: number) => Promise<Uint8Array<ArrayBuffer>>;
};

/** The fields of an article, in the order in which exported files have them. */
export const FIELDS = [...LISTED_TEXTS.filter((name) => name !== "content"), ...(["published", "content"] as const)];

/**
 * Thrown for one article, file or entry that cannot be used. The message is the reason. The import of others goes on.
 */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/** Thrown if another article has the slug and locale. */
export class SlugTaken extends Unusable {
  /** The key of the entry of this import that wrote the other article, which may get another slug; else undefined. */
  readonly owner: string | undefined;

  constructor(owner: string | undefined) {
    super("another article has its slug and locale");
    this.owner = owner;
  }
}

/** Maximum bytes of the content as JSON: the limit of a request's body, less 64 KiB for the other fields. */
const MOST_JSON = LIMITS.bodyBytes - 64 * 1024;

/** Throws `Unusable` if the service would refuse the article, so that it is not sent. The rules are the service's. */
export function requireSendable(article: Article): void {
  for (const [holds, reason] of rulesOf(article)) if (!holds()) throw new Unusable(reason);
}

/** Returns each rule with the reason for a refusal; a rule returns whether the article complies with it. */
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
    [
      () => mayHaveArticles(locale),
      `locale: must be a language, and not "${locale}", which is for paths of a blog's site`,
    ],
    [() => coverUrl === "" || isCoverUrl(coverUrl), "coverUrl: must be an absolute http or https URL"],
  ];
}

/** Returns whether the service accepts a URL as the address of a cover. */
export const isCoverUrl = (url: string): boolean => url.length <= LIMITS.url && isStorableWebUrl(url);

/** Returns the name if it is a valid slug, else the slug that the service would derive from it. */
export function slugFrom(name: string): string {
  const whole = name.normalize("NFC");
  return whole.length <= LIMITS.slug && isSlug(whole) ? whole : slugOf(name.slice(0, LIMITS.slug * 4));
}

/** Returns the SHA-256 of texts in lower-case hexadecimal. Texts that are split differently have different digests. */
export const digest = (...texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex");

/** Returns a digest of all that an import sends of an article, the names of its extras, and the time of its schedule. */
export function fingerprint(article: Article): string {
  const print = digest(...FIELDS.map((field) => String(article[field])));
  const names = Object.keys(article.extras ?? {});
  const extras = names.length === 0 ? "" : `+${names.join()}:${digest(printOf(article.extras))}`;
  return `${print}${extras}${article.scheduledTime === undefined ? "" : `${SCHEDULED}${article.scheduledTime}`}`;
}

/** What comes before the time of a schedule in a fingerprint. */
const SCHEDULED = "@";

/** Returns whether the import has scheduled the article that it sent under a fingerprint. */
export const wasScheduled = (print = ""): boolean => print.includes(SCHEDULED);

/**
 * Returns whether an article of the service is what was sent under a fingerprint. It never is if a schedule was to
 * follow: the article does not tell whether it did.
 */
export function hasPrint(stored: Article, print: string): boolean {
  const [, names = ""] = /\+([^:]*):/.exec(print) ?? [];
  const extras = Object.fromEntries(names.split(",").map((name) => [name, stored.extras?.[name as keyof Extras]]));
  return fingerprint({ ...stored, extras: names === "" ? undefined : extras }) === print;
}

/** Returns whether an article of the service is as a source says it is. */
export const isSame = (stored: Article, said: Article): boolean =>
  FIELDS.every((field) => stored[field] === said[field]) && areSame(said.extras, stored.extras);
