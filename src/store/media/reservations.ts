import { sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import type { Writer } from "../core/writer.ts";
import { storeSurely } from "../core/lost-answers.ts";
import { mediaFits, quotaRefusal, usageOf } from "../core/quota.ts";
import { firstRow, insertWhere, transaction } from "../core/sql.ts";
import { media } from "../../schema/media.ts";

export type NewFile = Pick<typeof media.$inferSelect, "id" | "mediaType" | "bytes">;

/**
 * Records a file before it is written to R2, so that no file is ever unknown to the database. If no article takes the
 * file, the sweep deletes it. `bytes` is what it adds to the organization's usage. Throws `quota_exceeded` if the quota
 * has no room for them.
 */
export async function reserveMedia(writer: Writer, file: NewFile): Promise<void> {
  const { db, organizationId } = writer;
  const row = { ...file, organizationId, creationTime: writer.now().toISOString() };
  // Only what adds bytes is refused. If the row exists, an earlier attempt was stored and its response lost.
  const fits = sql`where ${file.bytes} = 0 or ${mediaFits(writer, file.bytes)}
    or exists (select 1 from ${media} known where known.id = ${file.id})`;
  const statements = {
    inserted: insertWhere(media, row, fits)
      .onConflictDoUpdate({ target: media.id, set: { bytes: file.bytes } })
      .returning({ id: media.id }),
    usage: sql<{ usage: string }>`select ${usageOf(writer)} as "usage"`,
  };
  const { inserted, usage } = await storeSurely(() => transaction(db, statements));
  if (inserted.length === 0) throw fullOfMedia(writer, usage[0]?.usage ?? "{}", file.bytes);
}

/** Throws `quota_exceeded` if there is no room for any file, so that nobody pays for an image that cannot be kept. */
export async function requireMediaRoom(writer: Writer): Promise<void> {
  const row = await firstRow<{ usage: string }>(
    writer.db,
    sql`select ${usageOf(writer)} as "usage" where not ${mediaFits(writer, 1)}`,
  );
  if (row !== null) throw fullOfMedia(writer, row.usage, 1);
}

const fullOfMedia = (writer: Writer, usage: string, mediaBytes: number): DomainError =>
  quotaRefusal(writer, usage, { mediaBytes }) ?? new DomainError("quota_exceeded");
