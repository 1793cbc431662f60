/** Ends a working copy by giving the article its fields (contract 18.12): an ordinary update with them. */
import { sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { storedSeo } from "../../domain/seo.ts";
import type { Writer } from "../core/commit.ts";
import type { IfMatch } from "../core/preconditions.ts";
import { all, firstRow } from "../core/sql.ts";
import { articles, workingCopies } from "./schema.ts";
import { updateArticle, type Updated } from "./updating.ts";
import { deletion, JOINED, missing, target, type DraftFields } from "./working-copies.ts";

type Read = {
  readonly members: string;
  readonly content: string | null;
  readonly version: string;
  readonly baseVersion: string;
  readonly published: number;
};

type Application = {
  readonly overwrite: boolean;
  /** Whether the article becomes published. False leaves a draft a draft. */
  readonly published: boolean;
};

/** How often a publication is tried if the working copy is saved, or a tag of it renamed, at the same moment. */
const MOST_TRIES = 10;

/**
 * Publishes the working copy of an article: the article gets its fields, is published unless it is to stay a draft, and
 * has no working copy any more. Stores the former state and the event `article.updated`, and returns the article. Throws
 * `not_found`, `precondition_failed`, `article_changed` if the article has changed since the working copy was begun
 * (unless `overwrite`) or was to stay a draft but is public, and the errors of {@link updateArticle}.
 */
export async function publishWorkingCopy(
  writer: Writer,
  { articleId, ifMatch, ...asked }: Application & { readonly articleId: string; readonly ifMatch: IfMatch | undefined },
): Promise<Updated> {
  for (let tries = 1; ; tries++) {
    const read = await firstRow<Read>(
      writer.db,
      sql`select ${workingCopies.members}, ${workingCopies.content}, ${workingCopies.version},
          ${workingCopies.baseVersion} as "baseVersion", ${articles.published} ${JOINED} where ${target(writer, articleId)}`,
    );
    if (read === null) throw missing();
    if (ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(read.version)) {
      throw new DomainError("precondition_failed");
    }
    if (!asked.published && read.published === 1) throw new DomainError("article_changed", IS_PUBLIC);
    const moved = new DomainError("precondition_failed", "The working copy was saved at the same moment.");
    try {
      return await publishing(writer, articleId, read, { ...asked, moved });
    } catch (error) {
      // With an `If-Match`, the next try finds out whether it was saved, or only a tag of it was merged.
      if (error !== moved || tries === MOST_TRIES) throw error;
    }
  }
}

const IS_PUBLIC = "The article is published by now, so that its readers would see these changes at once.";

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
  const change = {
    id,
    fields: published ? { ...fields, published } : fields,
    terms: { tags, authors },
    unchanged: {},
    ifMatch: undefined,
  };
  const isNotMoved = sql`exists (select 1 from ${workingCopies} where ${workingCopies.articleId} = ${articles.id}
    and ${workingCopies.version} = ${read.version} and ${workingCopies.members} = ${read.members})`;
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
    const isStale = error instanceof DomainError && error !== moved && error.code === "precondition_failed";
    throw isStale ? new DomainError("article_changed") : error;
  }
}
