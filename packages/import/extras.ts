/**
 * What an article has besides its `FIELDS` (article.ts). Sources may have any of it; an import neither sends nor
 * compares what its source lacks.
 */
import { makeTermSlug } from "../../src/domain/derived-names.ts";
import { ARTICLE_TEXTS, NAMED_TEXTS, type NamedText } from "../../src/domain/article-fields.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { NO_SEO, type Seo } from "../../src/domain/seo.ts";
import { parseDate } from "../../src/lib/dates.ts";
import { toLine, isSingleLine, isStorable, shorten } from "../../src/lib/text.ts";
import { isStorableWebUrl } from "../../src/lib/web-url.ts";
import type { Remarks } from "./remarks.ts";

type Texts = { readonly [Name in NamedText]?: string | undefined };

export type Extras = Texts & {
  readonly publishTime?: string | undefined;
  /** Names or slugs. */
  readonly tags?: readonly string[] | undefined;
  readonly authors?: readonly string[] | undefined;
  readonly seo?: Seo | undefined;
};

export type SaidExtras = Omit<Extras, "publishTime" | "seo"> & {
  /** When it became public. publication.ts handles times in the future. */
  readonly time?: string | undefined;
  readonly seo?: Partial<Seo> | undefined;
};

/** Returns what the service accepts. Adds remarks for the rest. */
export function toExtras({ time, tags, authors, seo, ...texts }: SaidExtras, remarks: Remarks): Extras | undefined {
  const extras = {
    ...fitTexts(texts),
    publishTime: toPublishTime(time),
    tags: toTermNames(tags, "tags", remarks),
    authors: toTermNames(authors, "authors", remarks),
    seo: toSeo(seo, remarks),
  };
  const said = Object.entries(extras).filter(([, value]) => value !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

const fitTexts = (said: Texts): Texts =>
  Object.fromEntries(NAMED_TEXTS.map((name) => [name, said[name] && fitText(said[name], ARTICLE_TEXTS[name])]));

const fitText = (text: string, { most }: { readonly most: number }) => shorten(toLine(text), most);

function toPublishTime(time = ""): string | undefined {
  const milliseconds = parseDate(time);
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
}

function toTermNames(given: readonly string[] | undefined, kind: "tags" | "authors", remarks: Remarks) {
  if (given === undefined) return undefined;
  const bySlug = new Map<string, string>();
  for (const text of given) {
    const line = toLine(text.normalize("NFC"));
    const name = kind === "authors" ? stripEmails(line) : line;
    if (name !== line) remarks.add("e-mail addresses left out of the names of authors");
    if (name === "" && line !== "") continue;
    const slug = makeTermSlug(name);
    const fits = slug !== null && name.length <= LIMITS.termName && isStorable(name) && isSingleLine(name);
    if (!fits || bySlug.size >= LIMITS.termsOfArticle) remarks.add(`${kind} left out that are too long or too many`);
    else if (!bySlug.has(slug)) bySlug.set(slug, name);
  }
  return [...bySlug.values()];
}

const hasEmail = (text: string): boolean => /\S[@\uff20]\S/.test(text);

/** Returns a person's name without the email addresses in it; "" if nothing else is left. */
function stripEmails(name: string): string {
  // Some write `ada (at) example.com`, or put spaces around the sign.
  const joined = name.replaceAll(/(?:\s*[([{]\s*at\s*[)\]}]|\s[@\uff20])\s*(?=[\p{L}\p{N}-]+\.)/giu, "@");
  if (!hasEmail(joined)) return name;
  const words = joined.replaceAll(/[<([]/g, " $&").split(/\s/);
  const others = words.filter((word) => !hasEmail(word)).join(" ");
  return others.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.]+$/gu, "");
}

function toSeo(said: Partial<Seo> | undefined, remarks: Remarks): Seo | undefined {
  if (said === undefined) return undefined;
  const url = (text = "") => {
    if (text === "" || (text.length <= LIMITS.url && isStorableWebUrl(text))) return text;
    remarks.add("SEO addresses left out, because they are not web addresses");
    return "";
  };
  // What the service would store stays unchanged, so that an export can be imported again byte for byte.
  const text = (given = "", most: number, fits: (text: string) => boolean) => {
    const line = fits(given) && given.trim() !== "" ? given : toLine(given);
    if (line.length > most) remarks.add("SEO texts shortened");
    return shorten(line, most);
  };
  const seo: Seo = {
    title: text(said.title, LIMITS.title, isSingleLine),
    description: text(said.description, LIMITS.description, isStorable),
    canonicalUrl: url(said.canonicalUrl),
    noindex: said.noindex === true,
    image: url(said.image),
  };
  return isEqual(seo, NO_SEO) ? undefined : seo;
}

/** Returns the same object for extras that mean the same. */
const toComparable = ({ publishTime, tags, authors, seo, ...texts }: Extras) => ({
  ...texts,
  publishTime,
  tags: tags?.map(makeTermSlug),
  authors: authors?.map(makeTermSlug),
  seo: seo && Object.entries(seo).toSorted(([a], [b]) => (a < b ? -1 : 1)),
});

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const serializeExtras = (extras: Extras = {}): string => JSON.stringify(toComparable(extras));

/**
 * Returns whether a stored article has what a source says. Tags and authors are not compared: all translations share
 * them, and another one may have said others.
 */
export function hasSameExtras(said: Extras | undefined, stored: Extras | undefined): boolean {
  const [asked, there] = [toComparable(said ?? {}), toComparable(stored ?? {})];
  const names = [...NAMED_TEXTS, "publishTime", "seo"] as const;
  return names.every((name) => asked[name] === undefined || isEqual(asked[name], there[name]));
}

type StoredTerm = { readonly slug: string; readonly name: string };

/** The extras of a stored article; undefined if the request did not ask for them. */
export type StoredExtras = Omit<Extras, "publishTime" | "tags" | "authors"> & {
  readonly publishTime?: string | null | undefined;
  readonly tags?: readonly StoredTerm[] | undefined;
  readonly authors?: readonly StoredTerm[] | undefined;
};

/** Returns the extras of a stored article as a source would have them. A term is its name if the slug follows from it. */
export const fromStoredExtras = ({ publishTime, tags, authors, seo, ...texts }: StoredExtras): Extras => ({
  ...texts,
  publishTime: publishTime ?? undefined,
  tags: tags?.map(toTermName),
  // An import would remove the address from such a name.
  authors: authors?.map((author) => (hasEmail(author.name) ? author.slug : toTermName(author))),
  seo,
});

const toTermName = ({ slug, name }: StoredTerm): string => (makeTermSlug(name) === slug ? name : slug);

/** Returns the extras for an exported file, without empty ones. */
export function toExportedExtras({
  publishTime,
  tags = [],
  authors = [],
  seo = NO_SEO,
  ...texts
}: Extras): Record<string, unknown> {
  const said = Object.entries(seo).filter(([, value]) => value !== "" && value !== false);
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text !== "")),
    ...(publishTime !== undefined && { publishTime }),
    ...(tags.length > 0 && { tags }),
    ...(authors.length > 0 && { authors }),
    ...(said.length > 0 && { seo: Object.fromEntries(said) }),
  };
}
