/**
 * The full text index: what it stores of an article, and how it is kept in sync. An article's `search_id` is the
 * `rowid` of its row in the FTS5 table `article_text`, and its `indexed_version` the version that is indexed. If that
 * is not the article's version, the article waits for the sweep. A trigger (migration 0009) deletes the row of a
 * deleted article.
 *
 * `article_text` is contentless: it keeps the terms, but not the prepared texts, which would take more than twice as
 * much space. So a row can only be replaced as a whole.
 */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { utf8Length } from "../../lib/text.ts";
import type { Phrase } from "../../domain/search-query.ts";
import { makeWordReader, decodeLetters } from "../../domain/search-text.ts";
import { articleRenderings as renderings, articles } from "../../schema/articles.ts";
import type { License } from "../core/commit.ts";
import type { Optional } from "../core/preconditions.ts";
import { builder, runTransaction, type Database } from "../core/sql.ts";

/** The searched texts. `text` is the content as readers see it; null to index it as it was written. */
export type SearchedTexts = {
  readonly title: string;
  readonly description: string;
  readonly content: string;
  readonly text: string | null;
};

const MARK_LENGTH = 6;

/**
 * Returns the mark with which each indexed word of an organization begins. Because of it, FTS5 counts words separately
 * for each organization, so what a word begins reveals nothing about others' words. Two organizations may have the
 * same mark, so a search must also be restricted by {@link makePlaceWords}.
 */
export const computeMark = (organizationId: string): string =>
  Number.parseInt(organizationId.replaceAll("-", "").slice(-8), 16)
    .toString(36)
    .padStart(MARK_LENGTH, "0")
    .slice(-MARK_LENGTH);

/**
 * Returns the different terms of a text for the index, separated by spaces and each with the mark: its words, and each
 * pair of neighboring words as one term ({@link toPhraseTerms}). It ends after `LIMITS.searchedBytes` UTF-8 bytes, or
 * after about `LIMITS.searchedWords` words of the text.
 *
 * So a repeated word does not make a row grow, and a search finds a phrase by its pairs. Otherwise FTS5 would have to
 * store all positions of words, and to compare those of the phrase's words in all rows that contain them.
 */
export function prepareText(text: string, mark: string): string {
  const terms = new Set<string>();
  let bytes = 0;
  for (const term of generateTerms(text)) {
    if (terms.has(term)) continue;
    bytes += MARK_LENGTH + 1 + utf8Length(term);
    if (bytes > LIMITS.searchedBytes) break;
    terms.add(term);
  }
  return Array.from(terms, (term) => mark + term).join(" ");
}

function* generateTerms(text: string): Generator<string> {
  let before: string | undefined;
  for (const { word } of makeWordReader(LIMITS.searchedWords)(text)) {
    yield word;
    if (before !== undefined) yield toPairTerm(before, word);
    before = word;
  }
}

/**
 * Returns the term of two neighboring words: a hash of 18 bits, which takes little space. One in some 300 articles of
 * 6,000 characters has the hash of a pair that it does not have, so a search also asks for the words. Words never
 * contain the separator, so neither a word nor a prefix search for one can match such a term.
 */
function toPairTerm(first: string, second: string): string {
  const hash = hashText(second, hashText(first, FNV_BASIS));
  return `\u00b7${((hash ^ (hash >>> 18)) & 0x3ffff).toString(36)}`;
}

/** The 32-bit FNV-1a hash, over the code units of a text and a separator (www.isthe.com/chongo/tech/comp/fnv). */
function hashText(text: string, basis: number): number {
  let hash = basis;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), FNV_PRIME);
  return Math.imul(hash ^ SEPARATOR, FNV_PRIME);
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SEPARATOR = 0xb7;

/** Returns the terms by which the index finds a phrase: its words, and each pair of neighbors. */
const toPhraseTerms = (words: readonly string[]): readonly string[] => [
  ...words,
  ...words.slice(1).map((word, before) => toPairTerm(words[before] ?? "", word)),
];

/** Returns functions for the words of the column `place`, which restrict a search to a blog and so on. */
export const makePlaceWords = (mark: string) => ({
  organization: (id: string): string => `${mark}o${toHexDigits(id)}`,
  blog: (id: string): string => `${mark}b${toHexDigits(id)}`,
  locale: (tag: string): string => `${mark}l${toHex(tag)}`,
  published: (published: boolean): string => `${mark}p${Number(published)}`,
});

/**
 * Returns two FTS5 queries. Both find the rows that have all words of `places` in the column `place`, and all phrases
 * in `columns`. The first matches an open phrase as whole words, the second also as the beginning of longer words.
 * Terms consist of letters, digits and the separator, so they cannot contain FTS5 syntax.
 */
export function buildQueries(
  mark: string,
  asked: { readonly places: readonly string[]; readonly columns: string; readonly phrases: readonly Phrase[] },
): readonly [string, string] {
  const places = asked.places.map((word) => `"${word}"`).join(" AND ");
  const question = (prefix: string): string => {
    const terms = asked.phrases.flatMap(({ words, open }) =>
      toPhraseTerms(words).map((term) => `"${mark}${term}"${open ? prefix : ""}`),
    );
    return `place : (${places}) AND {${asked.columns}} : (${[...new Set(terms)].join(" AND ")})`;
  };
  return [question(""), question(" *")];
}

/**
 * Returns the condition that more than `LIMITS.searchPrefixed` words begin with the open word of a search. FTS5 would
 * read all occurrences of all of them, so the word must then be searched as a whole word. False if no word is open.
 */
export function isTooWide(mark: string, phrases: readonly Phrase[]): SQL {
  const beginning = phrases.find(({ open }) => open)?.words[0];
  if (beginning === undefined) return sql`0`;
  const from = mark + beginning;
  return sql`(select count(*) from (select 1 from article_text_terms where term >= ${from} and term < ${`${from}\u{10ffff}`}
    limit ${LIMITS.searchPrefixed + 1})) > ${LIMITS.searchPrefixed}`;
}

/** Removes everything but hex digits from an id. The id comes from the caller and must not contain FTS5 syntax. */
const toHexDigits = (id: string): string => id.replaceAll(/[^0-9a-f]/gi, "");

const toHex = (text: string): string =>
  Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");

/** Returns the SQL expression, on an article's row, for all words of {@link makePlaceWords}. */
const buildPlace = (mark: string): SQL => sql`${mark} || 'o' || replace(${articles.organizationId}, '-', '')
  || ' ' || ${mark} || 'b' || replace(${articles.blogId}, '-', '') || ' ' || ${mark} || 'l' || lower(hex(${articles.locale}))
  || ' ' || ${mark} || 'p' || ${articles.published}`;

/** An SQL expression for the next `search_id`. Newer articles have larger ones, and a search reads the newest first. */
export const NEXT_SEARCH_ID = sql`(select coalesce(max(newest.search_id), 0) + 1 from ${articles} newest)`;

/**
 * Returns the statement that writes the index row of an article. It does nothing unless the article has this version,
 * and records it as the indexed one. The column `content` has what readers see, and `source` what only writers see,
 * such as the targets of links and comments.
 */
export function writeIndexRow(id: string, organizationId: string, texts: SearchedTexts, version: string): SQL {
  const mark = computeMark(organizationId);
  const { title, description, content, text } = texts;
  const written = prepareText(decodeLetters(content), mark);
  const read = text === null ? written : prepareText(text, mark);
  return sql`insert or replace into article_text (rowid, content, title, description, place, source)
    select ${articles.searchId}, ${read}, ${prepareText(title, mark)}, ${prepareText(description, mark)}, ${buildPlace(mark)},
      ${written === read ? "" : removeTerms(written, new Set(read.split(" ")))}
    from ${articles} where ${articles.id} = ${id} and ${articles.version} = ${version}
      and ${articles.indexedVersion} = ${version}`;
}

const removeTerms = (text: string, known: ReadonlySet<string>): string =>
  text
    .split(" ")
    .filter((term) => !known.has(term))
    .join(" ");

const markIndexed = (version: string) => ({
  searchId: sql<number>`coalesce(${articles.searchId}, ${NEXT_SEARCH_ID})`,
  indexedVersion: version,
});

type IndexedFields = Partial<Omit<SearchedTexts, "text">> & {
  readonly locale?: string | undefined;
  readonly published?: boolean | undefined;
};

/**
 * Returns how an update keeps the index in sync: the columns that it sets, and the statements that follow it. `text` is
 * the text of its new content.
 * - If no indexed field is given, an index row that was up to date stays so.
 * - If all texts are given, the index row is replaced.
 * - Otherwise (`isLate`), the article waits, and {@link indexNow} must follow with all its texts.
 */
export function planIndexing(
  id: string,
  organizationId: string,
  {
    title,
    description,
    content,
    locale,
    published,
    text = null,
  }: Optional<IndexedFields> & Pick<Partial<SearchedTexts>, "text">,
  { id: version }: License,
) {
  if ([title, description, content, locale, published].every((field) => field === undefined)) {
    const kept = sql<string>`case when ${articles.indexedVersion} = ${articles.version} then ${version} end`;
    return { columns: { indexedVersion: kept }, rows: [], isLate: false };
  }
  if (title === undefined || description === undefined || content === undefined) {
    return { columns: {}, rows: [], isLate: true };
  }
  const row = writeIndexRow(id, organizationId, { title, description, content, text }, version);
  return { columns: markIndexed(version), rows: [row], isLate: false };
}

/** An article with its version. If it was read, `renderer` is the number of the renderer that made its `text`. */
export type Indexable = SearchedTexts & {
  readonly id: string;
  readonly organizationId: string;
  readonly version: string;
  readonly renderer?: number | null;
};

/** Indexes articles in one transaction, but for those that changed since they were read. Returns how many. */
export async function indexNow(db: Database, found: readonly Indexable[]): Promise<number> {
  const { noted } = await runTransaction(db, {
    noted: found.map(({ id, version, renderer }) =>
      builder
        .update(articles)
        .set(markIndexed(version))
        .where(and(eq(articles.id, id), eq(articles.version, version), isUnindexed, isRenderedBy(renderer)))
        .returning({ id: articles.id }),
    ),
    rows: found.map(({ id, organizationId, version, ...texts }) => writeIndexRow(id, organizationId, texts, version)),
  });
  return noted.flat().length;
}

const isRenderedBy = (renderer: number | null | undefined): SQL | undefined =>
  renderer === undefined
    ? undefined
    : sql`(select ${renderings.renderer} from ${renderings} where ${renderings.articleId} = ${articles.id}) is ${renderer}`;

/** The condition of the index `articles_unindexed`. */
export const isUnindexed = sql`${articles.indexedVersion} is not ${articles.version}`;
