/**
 * Working copies: changes of a published article that only its writers see until they are published (contract 18.11).
 * The row holds only the fields that were saved, so that publishing it is an ordinary update with these fields. Saving
 * touches neither the article nor its index, and fires no event.
 */
import { sql, type SQL } from "drizzle-orm";
import { TEXTS, type Written } from "../../domain/article-fields.ts";
import { DomainError } from "../../domain/errors.ts";
import { NO_SEO, serializeSeo } from "../../domain/seo.ts";
import type { NamedTerm } from "../../domain/terms.ts";
import { pick } from "../../lib/pick.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import type { License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import type { Versioned } from "../core/paging.ts";
import type { Optional } from "../core/preconditions.ts";
import { queryFirstRow, jsonObject } from "../core/sql.ts";
import type { GivenTerms } from "../terms/assigning.ts";
import { isOwnArticle } from "./conditions.ts";

export type DraftFields = Optional<Written & { publishTime: string }> & GivenTerms;

export type WorkingCopy = Written & {
  readonly articleId: string;
  /** Only if it was saved. */
  readonly publishTime?: string;
  readonly tags?: NamedTerm[];
  readonly authors?: NamedTerm[];
  readonly changed: string[];
  /** Whether the article has changed since the working copy was begun. */
  readonly articleChanged: boolean;
  readonly by: { readonly kind: string; readonly id: string };
  readonly creationTime: string;
  readonly lastEditTime: string;
};

/** The article with the saved fields, and the members of the working copy itself, as JSON; `content` is empty. */
export const VALUE = sql`json_patch(json_patch(${jsonObject({
  articleId: articles.id,
  ...pick(articles, TEXTS),
  content: sql`''`,
  seo: sql`json(coalesce(${articles.seo}, ${JSON.stringify(NO_SEO)}))`,
})}, ${workingCopies.members}), ${jsonObject({
  changed: sql`(select json_group_array(name) from (select key as name from json_each(${workingCopies.members})
    union all select 'content' where ${workingCopies.content} is not null))`,
  articleChanged: sql`json(case when ${workingCopies.baseVersion} = ${articles.version} then 'false' else 'true' end)`,
  by: jsonObject({ kind: workingCopies.actorKind, id: workingCopies.actorId }),
  creationTime: workingCopies.creationTime,
  lastEditTime: workingCopies.lastEditTime,
})})`;

export const CONTENT = sql`coalesce(${workingCopies.content}, ${articles.content})`;

/** `FROM` an article with its working copy. */
export const JOINED = sql`from ${articles} join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}`;

/** `value` is JSON. */
export type CopyShown = {
  readonly value: string;
  readonly content: string;
  readonly rowVersion: string;
  readonly articleVersion: string;
};

/** Returns the query of a working copy, with `more` columns. */
export const selectCopy = (which: SQL, more?: SQL): SQL<CopyShown> =>
  sql<CopyShown>`select ${VALUE} as "value", ${CONTENT} as "content", ${workingCopies.version} as "rowVersion",
    ${articles.version} as "articleVersion" ${more === undefined ? sql`` : sql`, ${more}`} ${JOINED} where ${which}`;

export const toRecord = ({ value, content, rowVersion }: CopyShown): Versioned<WorkingCopy> => ({
  value: { ...(JSON.parse(value) as WorkingCopy), content },
  version: rowVersion,
});

/**
 * Returns the working copy of an article that the writer may touch, or null if it has none. `state` is the version of
 * the article, because fields that were not saved change with the article.
 */
export async function findWorkingCopy(
  writer: Writer,
  articleId: string,
): Promise<(Versioned<WorkingCopy> & { readonly state: string }) | null> {
  const row = await queryFirstRow<CopyShown>(writer.db, selectCopy(isOwnArticle(writer, articleId)));
  return row && { ...toRecord(row), state: row.articleVersion };
}

/** A working copy as it is stored. */
export type CopyRow = {
  readonly members: string;
  readonly content: string | null;
  readonly version: string;
  readonly application: string | null;
};

/** Returns the fields and terms that a working copy gives its article. */
export function parseCopy({ members, content }: CopyRow) {
  const { seo, tags, authors, ...fields } = JSON.parse(members) as DraftFields;
  return {
    fields: { ...fields, ...(seo && { seo: serializeSeo(seo) }), ...(content !== null && { content }) },
    terms: { tags, authors },
  };
}

/** Returns the condition, on `articles`, that its copy is the one that was read. A renamed tag changes it, too. */
export const isSameCopy = ({ version, members }: CopyRow): SQL =>
  sql`exists (select 1 from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}
    and ${workingCopies.version} = ${version} and ${workingCopies.members} = ${members})`;

/** The bytes that the working copy of an article takes, on a row of `articles`. */
export const COPY_BYTES = sql`coalesce((select octet_length(${workingCopies.members}) + coalesce(octet_length(${workingCopies.content}), 0)
  from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}), 0)`;

export const deleteCopy = (articleId: string, license: License): SQL =>
  sql`delete from ${workingCopies} where ${workingCopies.articleId} = ${articleId} and ${license.held}`;

export const makeCopyNotFoundError = (): DomainError =>
  new DomainError("not_found", "There is no such article, or it has no working copy.");
