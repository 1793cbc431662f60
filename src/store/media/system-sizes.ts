/** The smaller files of uploads, of all organizations: which are to be made, and that they were. */
import { and, eq, lt, sql } from "drizzle-orm";
import { orm, type Database } from "../core/sql.ts";
import { media } from "./schema.ts";
import { FILE } from "./system-media.ts";

/** How often the smaller files of a picture are begun. One that ends its isolate each time is left as it is. */
const MOST_TRIES = 3;

const isUnsized = sql`${media.library} = 1 and ${media.sizes} is null`;

/** A file whose smaller files are begun. */
export type Unsized = { readonly organizationId: string; readonly fileId: string };

/**
 * Notes that the smaller files of an upload are begun, and returns its file. Null if there is nothing to do: it was deleted,
 * they are made, or they were begun too often.
 */
export async function beginSizes(db: Database, id: string): Promise<Unsized | null> {
  const [begun] = await orm(db)
    .update(media)
    .set({
      sizeTries: sql`${media.sizeTries} + 1`,
      sizes: sql`case when ${media.sizeTries} >= ${MOST_TRIES} then '[]' end`,
    })
    .where(and(eq(media.id, id), isUnsized))
    .returning({ organizationId: media.organizationId, fileId: FILE, sizes: media.sizes });
  return begun === undefined || begun.sizes !== null ? null : begun;
}

/** Notes which smaller files a file has. Returns false if the upload has another file by now, or none. */
export async function finishSizes(
  db: Database,
  { id, fileId, widths, blurHash }: { id: string; fileId: string; widths: readonly number[]; blurHash: string | null },
): Promise<boolean> {
  const noted = await orm(db)
    .update(media)
    .set({ sizes: JSON.stringify(widths), blurHash })
    .where(and(eq(media.id, id), isUnsized, sql`${FILE} = ${fileId}`))
    .returning({ id: media.id });
  return noted.length > 0;
}

/** Returns uploads without smaller files that were stored before a time: the message about them was lost. */
export async function findUnsized(db: Database, before: Date, most: number): Promise<string[]> {
  const found = await orm(db)
    .select({ id: media.id })
    .from(media)
    .where(and(isUnsized, lt(media.lastEditTime, before.toISOString())))
    .orderBy(media.lastEditTime)
    .limit(most);
  return found.map(({ id }) => id);
}
