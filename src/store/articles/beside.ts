/**
 * Applies the working copy when an update leaves its article a draft (contract 18.11). Few articles have one, so an
 * update is first tried under the condition that there is none.
 */
import { sql } from "drizzle-orm";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import type { Writer } from "../core/writer.ts";
import { queryFirstRow } from "../core/sql.ts";
import { isOwnArticle } from "./conditions.ts";
import { articles, workingCopies } from "../../schema/articles.ts";
import type { ArticleChange, Condition, UpdateExtras } from "./update-conditions.ts";
import { hasTexts } from "./origins.ts";
import { COPY_BYTES, deleteCopy, parseCopy, isSameCopy, type CopyRow } from "./working-copies.ts";

export type Attempt = {
  /** The working copy of an article that is or becomes a draft. */
  readonly copy: CopyRow | null;
  /** Thrown if the article or its working copy has changed since it was read. */
  readonly moved: DomainError;
  readonly isLast: boolean;
};

type Asked = Pick<ArticleChange, "id" | "fields">;

/** Reads the working copy that an update has to apply. */
export async function readCopy(writer: Writer, { id, fields }: Asked): Promise<CopyRow | null> {
  const row = await queryFirstRow<CopyRow & { published: number }>(
    writer.db,
    sql`select ${workingCopies.version}, ${workingCopies.members}, ${workingCopies.content}, ${workingCopies.application}, ${articles.published}
      from ${articles} left join ${workingCopies} on ${workingCopies.articleId} = ${articles.id} where ${isOwnArticle(writer, id)}`,
  );
  if (row === null) return null;
  const { published, ...copy } = row;
  const isDraft = fields.published === false || (fields.published === undefined && published === 0);
  return isDraft && copy.version !== null ? copy : null;
}

/** Returns the conditions that the article still has the working copy that was found, or none. */
export function buildCopyConditions({ fields }: Asked, { copy, moved: refusal }: Attempt): Condition[] {
  const { published } = fields;
  const noCopy = sql`not exists (select 1 from ${workingCopies} where ${workingCopies.articleId} = ${articles.id})`;
  const isFolded = copy === null ? noCopy : isSameCopy(copy);
  if (published === true) return [];
  return [{ holds: published === false ? isFolded : sql`(${articles.published} = 1 or ${isFolded})`, refusal }];
}

/** Returns the update with the fields of a working copy, but for `leftOut`. The update's own fields win. */
export function applyCopy(change: ArticleChange, copy: CopyRow | null, leftOut: readonly string[]): ArticleChange {
  if (copy === null) return change;
  const { fields, terms } = parseCopy(copy);
  const kept = <T extends object>(members: T): Partial<T> =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !leftOut.includes(name))) as Partial<T>;
  return {
    ...change,
    fields: { ...kept(fields), ...given(change.fields) },
    terms: { ...kept(terms), ...given(change.terms ?? {}) },
  };
}

const given = <T extends object>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The members of a working copy that may not fit the draft, by the error. The draft then keeps its own. */
const LEFT_OUT: { readonly [Code in ErrorCode]?: readonly string[] } = {
  slug_taken: ["slug", "locale"],
  term_limit: ["tags", "authors"],
};

/** Returns the members of the working copy that the error may be about. */
export const listRefusedFields = (copy: CopyRow | null, error: unknown): readonly string[] =>
  copy !== null && error instanceof DomainError ? (LEFT_OUT[error.code] ?? []) : [];

/** Adds the deletion of the working copy to an update. */
export function addCopyDeletion({ id, fields }: Asked, extras: UpdateExtras, copy: CopyRow | null): UpdateExtras {
  if (copy === null) return extras;
  return {
    ...extras,
    othersTexts: { application: copy.application, andOwn: hasTexts(fields) },
    ...(fields.content === undefined && { isContentUnsent: true }),
    freed: COPY_BYTES,
    change: (license) => [...(extras.change?.(license) ?? []), deleteCopy(id, license)],
  };
}
