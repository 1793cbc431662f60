/** Ends a working copy by giving the article its fields (contract 18.12): an ordinary update with them. */
import { sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { storedSeo } from "../../domain/seo.ts";
import { isStale, type IfMatch } from "../../domain/preconditions.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { all, firstRow } from "../core/sql.ts";
import { articles, workingCopies } from "./schema.ts";
import { toArticle, type ArticleRow } from "./rows.ts";
import { differs } from "./update-conditions.ts";
import { updateArticle, type Updated } from "./updating.ts";
import { answerOf, ownArticle, wholeArticle } from "./conditions.ts";
import { deletion, JOINED, missing, type DraftFields } from "./working-copies.ts";

type Read = {
  readonly members: string;
  readonly content: string | null;
  readonly version: string;
  readonly baseVersion: string;
  readonly published: number;
  /** 0 if it surely changes the article. */
  readonly mayEqual: number;
};

/**
 * The condition that a working copy leaves the texts of its article as they are. Few do, so few are compared as a
 * whole.
 */
const MAY_EQUAL = all(
  sql`coalesce(${workingCopies.content}, ${articles.content}) = ${articles.content}`,
  ...[articles.title, articles.description].map(
    (column) => sql`coalesce(${workingCopies.members} ->> ${`$.${column.name}`}, ${column}) = ${column}`,
  ),
);

type Application = {
  readonly overwrite: boolean;
  /** Whether the article becomes published. False leaves a draft a draft. */
  readonly published: boolean;
};

/** How often a publication is tried if the working copy is saved, or a tag of it renamed, at the same moment. */
const MOST_TRIES = 10;

/**
 * Publishes the working copy of an article: the article gets its fields, is published unless it is to stay a draft, and
 * has no working copy any more. One that equals its published article is only discarded. Stores the former state and the
 * event `article.updated`, and returns the article. Throws `not_found`, `precondition_failed`, `article_changed` if the
 * article has changed since the working copy was begun (unless `overwrite`) or was to stay a draft but is public, and the
 * errors of {@link updateArticle}.
 */
export async function publishWorkingCopy(
  writer: Writer,
  { articleId, ifMatch, ...asked }: Application & { readonly articleId: string; readonly ifMatch: IfMatch | undefined },
): Promise<Updated> {
  for (let tries = 1; ; tries++) {
    const read = await firstRow<Read>(
      writer.db,
      sql`select ${workingCopies.members}, ${workingCopies.content}, ${workingCopies.version},
          ${workingCopies.baseVersion} as "baseVersion", ${articles.published}, ${MAY_EQUAL} as "mayEqual" ${JOINED} where ${ownArticle(writer, articleId)}`,
    );
    if (read === null) throw missing();
    if (isStale(ifMatch, read.version)) throw new DomainError("precondition_failed");
    if (!asked.published && read.published === 1) throw new DomainError("article_changed", IS_PUBLIC);
    const moved = new DomainError("precondition_failed", "The working copy was saved at the same time.");
    try {
      return await publishing(writer, articleId, read, { ...asked, moved });
    } catch (error) {
      // Perhaps only a tag in it was renamed or merged: the next try reads it again. If it was saved, an `If-Match`
      // fails there.
      if (error !== moved || tries === MOST_TRIES) throw error;
    }
  }
}

const IS_PUBLIC = "The article is already published, so readers would see these changes at once.";

/** Publishes the working copy that was read. Throws `moved` if it is another one, or gone, or the article public, by then. */
async function publishing(
  writer: Writer,
  id: string,
  read: Read,
  { overwrite, published, moved }: Application & { readonly moved: DomainError },
): Promise<Updated> {
  const { seo, tags, authors, ...members } = JSON.parse(read.members) as DraftFields;
  const fields = {
    ...members,
    ...(seo !== undefined && { seo: storedSeo(seo) }),
    ...(read.content !== null && { content: read.content }),
  };
  const bytes = sql`coalesce((select octet_length(${workingCopies.members}) + coalesce(octet_length(${workingCopies.content}), 0)
    from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}), 0)`;
  const isNotMoved = sql`exists (select 1 from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}
    and ${workingCopies.version} = ${read.version} and ${workingCopies.members} = ${read.members})`;
  const nothing = all(
    isNotMoved,
    sql`${articles.published} = ${Number(published)}`,
    sql`not ${differs(fields, { tags, authors })}`,
  );
  const discarded = read.mayEqual === 1 ? await discardEqual(writer, id, nothing) : null;
  if (discarded !== null) return discarded;
  const change = {
    id,
    fields: published ? { ...fields, published } : fields,
    terms: { tags, authors },
    unchanged: {},
    ifMatch: undefined,
  };
  const staysDraft = !published && sql`${articles.published} = 0`;
  try {
    return await updateArticle(writer, overwrite ? change : { ...change, ifMatch: [read.baseVersion] }, {
      action: published ? "articles.publishDraft" : "articles.update",
      isContentUnsent: true,
      condition: { holds: all(isNotMoved, staysDraft), refusal: moved },
      freed: bytes,
      change: (licence) => [deletion(id, licence)],
    });
  } catch (error) {
    const articleChanged = error instanceof DomainError && error !== moved && error.code === "precondition_failed";
    throw articleChanged ? new DomainError("article_changed") : error;
  }
}

/**
 * Discards a working copy that `equals` its article, and returns the article: it gets no event, no former state
 * and no new time. Returns null if it does not equal it.
 */
async function discardEqual(writer: Writer, id: string, equals: SQL): Promise<Updated | null> {
  const which = all(ownArticle(writer, id), equals);
  if ((await firstRow(writer.db, sql`select 1 from ${articles} where ${which}`)) === null) return null;
  const licence = newLicence(writer);
  const outcome = await commit<ArticleRow, unknown>(writer, licence, {
    action: "articles.discardDraft",
    resourceId: id,
    blogId: sql`${articles.blogId}`,
    where: sql`from ${articles} where ${which}`,
    change: () => ({
      before: [deletion(id, licence)],
      returning: wholeArticle(id),
      again: () => wholeArticle(id),
    }),
    ...answerOf(id, undefined),
  });
  return outcome.refused ? null : toArticle(outcome.row);
}
