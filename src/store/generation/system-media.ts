/** Files in R2, of all organizations: for readers, and for the minute's sweep. */
import { sql } from "drizzle-orm";
import { media } from "./schema.ts";
import { firstRow, prepare, rows, type Database } from "../core/sql.ts";

export type StoredMedia = { readonly organizationId: string; readonly articleId: string; readonly mediaType: string };

/** A file that belongs to an article, or null. */
export function findMedia(db: Database, id: string): Promise<StoredMedia | null> {
  return firstRow<StoredMedia>(
    db,
    sql`select organization_id as "organizationId", article_id as "articleId", media_type as "mediaType"
      from ${media} where id = ${id} and article_id is not null`,
  );
}

/** Files that no article has, and that were noted before a time. */
export function findUnownedMedia(
  db: Database,
  before: Date,
  most: number,
): Promise<{ id: string; organizationId: string }[]> {
  return rows(
    db,
    sql`select id, organization_id as "organizationId" from ${media}
      where article_id is null and creation_time < ${before.toISOString()} order by creation_time limit ${most}`,
  );
}

/** Forgets files that are gone. One that an article has taken since stays. */
export async function forgetMedia(db: Database, ids: readonly string[]): Promise<void> {
  await prepare(
    db,
    sql`delete from ${media}
      where id in (select value from json_each(${JSON.stringify(ids)})) and article_id is null`,
  ).run();
}
