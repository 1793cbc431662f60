/**
 * The full text index: what it holds of an article, and how it is kept in sync. An article's row stands in
 * `article_text` under the id that `article_search` has for it, with the version that it was made of. Triggers
 * (migrations, 0004_search) mark what was written without, and remove what goes.
 */
import { sql, type SQL } from "drizzle-orm";
import { LIMITS } from "../../domain/limits.ts";
import { utf8Length } from "../../lib/text.ts";
import { openWords } from "../../domain/search-text.ts";
import { articles, articleSearch } from "./schema.ts";
import type { Licence } from "../core/commit.ts";
import { bare, insertInto } from "../core/sql.ts";

/** Texts that are searched. */
export type SearchedTexts = { readonly title: string; readonly description: string; readonly content: string };

const MARK_LENGTH = 6;

/**
 * What each word of an organization begins with: so the index counts them by organization, and nobody finds out
 * from the order of results how often others use a word. Two organizations may have the same one: what
 * is found is narrowed by {@link placeOf} as well.
 */
export const markOf = (organizationId: string): string =>
  Number.parseInt(organizationId.replaceAll("-", "").slice(-8), 16)
    .toString(36)
    .padStart(MARK_LENGTH, "0")
    .slice(-MARK_LENGTH);

/**
 * A text as the index takes it: each word a few times at most, and each two neighbours once, as a term of their own
 * ({@link termsOf}). A row so holds nothing that grows with how often a word is repeated, and a phrase is found without
 * comparing places: FTS5 would compare all places of its words, in all rows that have them.
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

/** Two words that follow each other, as one term: no word has such a sign, and no beginning of one finds it. */
const neighbours = (first: string, second: string): string => `\u00b7${first}\u00b7${second}`;

/** What the index has of words that follow each other: the word where it is one, otherwise each two of them. */
export const termsOf = (words: readonly string[]): readonly string[] =>
  words.length === 1 ? words : words.slice(1).map((word, before) => neighbours(words[before] ?? "", word));

const ASCII = /^[a-z0-9]*$/;

/** The words by which a search is narrowed. */
export const placeOf = (mark: string) => ({
  organization: (id: string): string => `${mark}o${plain(id)}`,
  blog: (id: string): string => `${mark}b${plain(id)}`,
  locale: (tag: string): string => `${mark}l${hex(tag)}`,
  published: (published: boolean): string => `${mark}p${Number(published)}`,
});

/** An identifier comes from the caller: no part of it may be FTS5 syntax. */
const plain = (id: string): string => id.replaceAll(/[^0-9a-f]/gi, "");

const hex = (text: string): string =>
  Array.from(text, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");

/** The same in SQL, of an article's row. */
const place = (mark: string): SQL => sql`${mark} || 'o' || replace(${articles.organizationId}, '-', '')
  || ' ' || ${mark} || 'b' || replace(${articles.blogId}, '-', '') || ' ' || ${mark} || 'l' || lower(hex(${articles.locale}))
  || ' ' || ${mark} || 'p' || ${articles.published}`;

const INTO_ARTICLE_SEARCH = insertInto(articleSearch, ["articleId", "organizationId", "version"]);

/** Notes the version that a new article's row is about to be made of: before the article itself. */
export const noteNew = (id: string, organizationId: string, { id: version, held }: Licence): SQL =>
  sql`${INTO_ARTICLE_SEARCH} select ${id}, ${organizationId}, ${version} where ${held}`;

/** Adds the row of an article, where the index awaits one of this version. */
export function addRow(id: string, organizationId: string, texts: SearchedTexts, version: string): SQL {
  const mark = markOf(organizationId);
  return sql`insert or replace into article_text (rowid, place, title, description, content)
    select ${articleSearch.id}, ${place(mark)}, ${preparedText(texts.title, mark)},
      ${preparedText(texts.description, mark)}, ${preparedText(texts.content, mark)}
    from ${articleSearch} join ${articles} on ${articles.id} = ${articleSearch.articleId}
    where ${articleSearch.articleId} = ${id} and ${articleSearch.version} = ${version}`;
}

/** Notes the version that an article is about to have, where its row is in step: before the article changes. */
export const noteChange = (id: string, { id: version, held }: Licence): SQL =>
  sql`update ${articleSearch} set ${bare(articleSearch.version)} = ${version}
    where ${articleSearch.articleId} = ${id} and ${held} and ${articleSearch.version} = (select ${articles.version} from ${articles} where ${articles.id} = ${id})`;

/** What a change of an article may change of its row. */
type SearchedFields = {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly content?: string | undefined;
  readonly locale?: string | undefined;
  readonly published?: boolean | undefined;
};

/** Changes an article's row, after the article: what the change gives, and nothing where it gives nothing. */
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
