/**
 * The full text index: what it stores of an article, and how it is kept in sync. The table `article_search` maps each
 * article to a row of the FTS5 table `article_text` (its `id` is the `rowid`), and records the version of the article
 * that is indexed. Triggers (migrations, 0004_search) set this version to '' if an article was written without its
 * index row, and delete the index row of a deleted article.
 */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { utf8Length } from "../../lib/text.ts";
import { openWords } from "../../domain/search-text.ts";
import { articles, articleSearch } from "./schema.ts";
import type { Licence } from "../core/commit.ts";
import { bare, insertInto } from "../core/sql.ts";

/** The fields of an article that are searched. */
export type SearchedTexts = { readonly title: string; readonly description: string; readonly content: string };

const MARK_LENGTH = 6;

/**
 * Returns the mark with which each indexed word of an organization begins. Because of it, FTS5 counts words separately
 * for each organization, and nobody can tell from the order of results how often others use a word. Two organizations
 * may have the same mark, so a search must also be restricted by {@link placeOf}.
 */
export const markOf = (organizationId: string): string =>
  Number.parseInt(organizationId.replaceAll("-", "").slice(-8), 16)
    .toString(36)
    .padStart(MARK_LENGTH, "0")
    .slice(-MARK_LENGTH);

/**
 * Returns the terms of a text for the index, separated by spaces and each with the mark. It contains each word at most
 * `LIMITS.searchedTimes` times, and each pair of neighbouring words once, as one term ({@link termsOf}). It ends after
 * `LIMITS.searchedBytes` UTF-8 bytes, or after about `LIMITS.searchedWords` words of the text.
 *
 * So a row does not grow if a word is repeated, and a search finds a phrase by its pairs. Otherwise FTS5 would have to
 * compare all positions of the phrase's words, in all rows that contain them.
 */
export function preparedText(text: string, mark: string): string {
  const terms: string[] = [];
  let bytes = 0;
  for (const term of termsIn(text)) {
    bytes += MARK_LENGTH + 1 + (ASCII.test(term) ? term.length : utf8Length(term));
    if (bytes > LIMITS.searchedBytes) break;
    terms.push(mark + term);
  }
  return terms.join(" ");
}

function* termsIn(text: string): Generator<string> {
  const times = new Map<string, number>();
  const met = new Set<string>();
  let before: string | undefined;
  for (const { word } of openWords(LIMITS.searchedWords)(text)) {
    const count = times.get(word) ?? 0;
    if (count < LIMITS.searchedTimes) yield word;
    times.set(word, count + 1);
    const both = before === undefined ? undefined : neighbours(before, word);
    if (both !== undefined && !met.has(both)) {
      met.add(both);
      yield both;
    }
    before = word;
  }
}

/**
 * Returns the term of two words that follow each other. Words never contain the separator, so neither a word nor a
 * prefix search for one can match such a term.
 */
const neighbours = (first: string, second: string): string => `\u00b7${first}\u00b7${second}`;

/**
 * Returns the terms by which the index finds a phrase: the word itself if it is one, otherwise each pair of neighbours.
 */
export const termsOf = (words: readonly string[]): readonly string[] =>
  words.length === 1 ? words : words.slice(1).map((word, before) => neighbours(words[before] ?? "", word));

const ASCII = /^[a-z0-9]*$/;

/**
 * Returns functions for the words of the column `place`, which restrict a search to an organization, a blog and so on.
 */
export const placeOf = (mark: string) => ({
  organization: (id: string): string => `${mark}o${plain(id)}`,
  blog: (id: string): string => `${mark}b${plain(id)}`,
  locale: (tag: string): string => `${mark}l${hex(tag)}`,
  published: (published: boolean): string => `${mark}p${Number(published)}`,
});

/** Removes everything but hex digits from an id. The id comes from the caller and must not contain FTS5 syntax. */
const plain = (id: string): string => id.replaceAll(/[^0-9a-f]/gi, "");

const hex = (text: string): string =>
  Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");

/** Returns the SQL expression, on an article's row, for all words of {@link placeOf}. */
const place = (mark: string): SQL => sql`${mark} || 'o' || replace(${articles.organizationId}, '-', '')
  || ' ' || ${mark} || 'b' || replace(${articles.blogId}, '-', '') || ' ' || ${mark} || 'l' || lower(hex(${articles.locale}))
  || ' ' || ${mark} || 'p' || ${articles.published}`;

const INTO_ARTICLE_SEARCH = insertInto(articleSearch, ["articleId", "organizationId", "version"]);

/**
 * Returns the statement that announces the index row of a new article and its version. It must run before the article
 * is inserted, so that the trigger does not mark the article as not indexed.
 */
export const noteNew = (id: string, organizationId: string, { id: version, held }: Licence): SQL =>
  sql`${INTO_ARTICLE_SEARCH} select ${id}, ${organizationId}, ${version} where ${held}`;

/** Returns the statement that inserts the index row of an article, if `article_search` has this version for it. */
export function addRow(id: string, organizationId: string, texts: SearchedTexts, version: string): SQL {
  const mark = markOf(organizationId);
  return sql`insert or replace into article_text (rowid, place, title, description, content)
    select ${articleSearch.id}, ${place(mark)}, ${preparedText(texts.title, mark)},
      ${preparedText(texts.description, mark)}, ${preparedText(texts.content, mark)}
    from ${articleSearch} join ${articles} on ${articles.id} = ${articleSearch.articleId}
    where ${articleSearch.articleId} = ${id} and ${articleSearch.version} = ${version}`;
}

/**
 * Returns the statement that announces the new version of an article, if its index row is up to date. It must run
 * before the article changes. If the index row is not up to date, the trigger marks the article for the sweep.
 */
export const noteChange = (id: string, { id: version, held }: Licence): SQL =>
  sql`update ${articleSearch} set ${bare(articleSearch.version)} = ${version}
    where ${articleSearch.articleId} = ${id} and ${held} and ${articleSearch.version} = (select ${articles.version} from ${articles} where ${articles.id} = ${id})`;

/** The fields of an article whose change affects its index row. */
type SearchedFields = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly content?: string | undefined;
  readonly locale?: string | undefined;
  readonly published?: boolean | undefined;
};

/**
 * Returns the statement that updates an article's index row for the given fields, or an empty list if none of them is
 * indexed. It must run after the article has changed.
 */
export function indexChange(
  id: string,
  organizationId: string,
  fields: SearchedFields,
  { id: version }: Licence,
): SQL[] {
  const mark = markOf(organizationId);
  const moves = fields.locale !== undefined || fields.published !== undefined;
  const changed = [
    ...(moves ? [sql`place = (select ${place(mark)} from ${articles} where ${articles.id} = ${id})`] : []),
    ...(["title", "description", "content"] as const).flatMap((name) => {
      const text = fields[name];
      return text === undefined ? [] : [sql`${sql.identifier(name)} = ${preparedText(text, mark)}`];
    }),
  ];
  if (changed.length === 0) return [];
  return [
    sql`update article_text set ${sql.join(changed, sql`, `)}
      where rowid = (select ${articleSearch.id} from ${articleSearch}
        where ${articleSearch.articleId} = ${id} and ${articleSearch.version} = ${version})`,
  ];
}
