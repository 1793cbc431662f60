/** Edits of a content: of a draft as it is, of a published article in its working copy (contract 4.15). */
import { sql } from "drizzle-orm";
import type { Writer } from "../core/writer.ts";
import { queryFirstRow } from "../core/sql.ts";
import { findUnauthorizedError, isAuthorized } from "../core/standing.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import { isOwnArticle, makeArticleNotFoundError } from "./conditions.ts";
import { saveWorkingCopy } from "./saving-copies.ts";
import { updateArticle } from "./updating.ts";

/** What an edit changes. */
export type EditedArticle = {
  readonly _id: string;
  readonly published: boolean;
  /** Whether it is the working copy. */
  readonly workingCopy: boolean;
  readonly content: string;
  /** Of the working copy, or of the article. */
  readonly version: string;
  readonly articleVersion: string;
};

type Row = {
  readonly id: string;
  readonly published: number;
  readonly articleVersion: string;
  readonly copyVersion: string | null;
  readonly content: string;
  readonly standing: number;
};

/** Reads what an edit changes. Throws `not_found`, and an error if the writer is no longer authorized: a refusal shows passages. */
export async function readEdited(writer: Writer, articleId: string): Promise<EditedArticle> {
  const row = await queryFirstRow<Row>(
    writer.db,
    sql`select ${articles.id}, ${articles.published}, ${articles.version} as "articleVersion", ${workingCopies.version} as "copyVersion",
        coalesce(${workingCopies.content}, ${articles.content}) as "content", ${isAuthorized(writer)} as "standing"
      from ${articles} left join ${workingCopies} on ${workingCopies.articleId} = ${articles.id}
      where ${isOwnArticle(writer, articleId)}`,
  );
  if (row === null) throw makeArticleNotFoundError(articleId);
  if (row.standing !== 1) throw await findUnauthorizedError(writer);
  const { id, articleVersion, copyVersion, content } = row;
  const published = row.published === 1;
  const version = (published ? copyVersion : null) ?? articleVersion;
  return { _id: id, published, workingCopy: published && copyVersion !== null, content, version, articleVersion };
}

/**
 * Stores the content of an edit, and `answer` for a repeated call. Throws `precondition_failed` and `article_not_published` if the article or its
 * working copy has changed since it was read, and the errors of {@link updateArticle} and {@link saveWorkingCopy}.
 */
export async function replaceContent(
  writer: Writer,
  { _id: id, published, version, articleVersion }: EditedArticle,
  content: string,
  answer: object,
): Promise<{ readonly version: string; readonly uncommitted?: true }> {
  const change = { fields: { content }, ifMatch: [version] };
  const { version: of, uncommitted } = published
    ? await saveWorkingCopy(writer, { ...change, articleId: id, ofArticle: articleVersion, answer })
    : await updateArticle(writer, { ...change, id }, { answer });
  return { version: of, ...(uncommitted && { uncommitted }) };
}
