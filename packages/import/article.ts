/** The articles of imports and exports, and checks of what the service would refuse. */
import { createHash } from "node:crypto";
import { LISTED_TEXTS, type ListedText } from "../../src/domain/article-fields.ts";
import { makeSlug } from "../../src/domain/derived-names.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { canonicalizeLocale, mayHaveArticles } from "../../src/domain/locale.ts";
import { hasSameExtras, serializeExtras, type Extras } from "./extras.ts";
import { isSlug } from "../../src/domain/slug.ts";
import { isSingleLine, isStorable, utf8Length } from "../../src/lib/text.ts";
import { isStorableWebUrl } from "../../src/lib/web-url.ts";

export type Article = Readonly<Record<ListedText, string>> & {
  readonly published: boolean;
  /** When the import schedules the draft to be published (ISO 8601, UTC). */
  readonly scheduledTime?: string | undefined;
  readonly extras?: Extras | undefined;
  /** Paths of the old site that should lead to the article, such as `/2012/02/03/old-name/`, as the source has them. */
  readonly redirects?: readonly string[] | undefined;
  /** The files of the imported folder that the content shows, by their addresses in it. */
  readonly files?: ReadonlyMap<string, LocalFile> | undefined;
  /** The cover, if it is a file of the imported folder. `coverUrl` is empty then. */
  readonly coverFile?: LocalFile | undefined;
};

export type LocalFile = {
  readonly path: string;
  /** The alt text, if the source has one outside of the content. */
  readonly alt?: string;
  /** Returns the bytes. Throws `Unusable` if the file cannot be read, or has more than `most` bytes. */
  readonly read: (most: number) => Promise<Uint8Array<ArrayBuffer>>;
};

export const FIELDS = [...LISTED_TEXTS.filter((name) => name !== "content"), ...(["published", "content"] as const)];

/** Thrown for one article, file or entry that cannot be used, with the reason. The import of the others goes on. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

export class SlugTaken extends Unusable {
  /** The key of the entry of this import that wrote the other article; undefined if another one did. */
  readonly owner: string | undefined;

  constructor(owner: string | undefined) {
    super("another article has its slug and locale");
    this.owner = owner;
  }
}

/** Maximum bytes of the content as JSON: the limit of a request's body, less 64 KiB for the other fields. */
const MOST_JSON = LIMITS.bodyBytes - 64 * 1024;

export function requireSendable(article: Article): void {
  for (const [holds, reason] of listRules(article)) if (!holds()) throw new Unusable(reason);
}

/** Returns the rules as pairs of a check and the reason if it fails. */
function listRules({ title, description, content, slug, locale, coverUrl }: Article): [() => boolean, string][] {
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
      () => canonicalizeLocale(locale) === locale && locale.length <= LIMITS.locale,
      "locale: must be a BCP 47 language tag",
    ],
    [
      () => mayHaveArticles(locale),
      `locale: must be a language, and not "${locale}", which is for paths of a blog's site`,
    ],
    [() => coverUrl === "" || isCoverUrl(coverUrl), "coverUrl: must be an absolute http or https URL"],
  ];
}

export const isCoverUrl = (url: string): boolean => url.length <= LIMITS.url && isStorableWebUrl(url);

/** Returns the name if it is a valid slug, else the slug that the service would derive from it. */
export function toValidSlug(name: string): string {
  const whole = name.normalize("NFC");
  return whole.length <= LIMITS.slug && isSlug(whole) ? whole : makeSlug(name.slice(0, LIMITS.slug * 4));
}

/** Returns the SHA-256 of texts in lower-case hexadecimal. `["ab"]` and `["a", "b"]` differ. */
export const hashTexts = (...texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex");

/** Returns a digest of what an import sends of an article, with the names of its extras and the time of its schedule. */
export function makeFingerprint(article: Article): string {
  const print = hashTexts(...FIELDS.map((field) => String(article[field])));
  const names = Object.keys(article.extras ?? {});
  const extras = names.length === 0 ? "" : `+${names.join()}:${hashTexts(serializeExtras(article.extras))}`;
  return `${print}${extras}${article.scheduledTime === undefined ? "" : `${SCHEDULED}${article.scheduledTime}`}`;
}

const SCHEDULED = "@";

/** Returns whether the import scheduled the article with this fingerprint. */
export const wasScheduled = (print = ""): boolean => print.includes(SCHEDULED);

/** Returns whether a stored article is what was sent. False if it was to be scheduled: articles do not say so. */
export function matchesFingerprint(stored: Article, print: string): boolean {
  const [, names = ""] = /\+([^:]*):/.exec(print) ?? [];
  const extras = Object.fromEntries(names.split(",").map((name) => [name, stored.extras?.[name as keyof Extras]]));
  return makeFingerprint({ ...stored, extras: names === "" ? undefined : extras }) === print;
}

export const hasSameFields = (stored: Article, said: Article): boolean =>
  FIELDS.every((field) => stored[field] === said[field]) && hasSameExtras(said.extras, stored.extras);
