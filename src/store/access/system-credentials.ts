/** Credentials before their organization is known: the lookup of authentication. */
import { sql } from "drizzle-orm";
import type { Scope } from "../../domain/principal.ts";
import { TOUCH_MS } from "../../lib/time.ts";
import { credentials } from "./schema.ts";
import { firstRow, prepare, type Database } from "../core/sql.ts";

export type FoundCredential = {
  readonly id: string;
  readonly kind: "key" | "token";
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  readonly blogId: string | null;
  readonly expirationTime: string | null;
  readonly lastUsedTime: string | null;
};

/** The credential whose secret has this hash, or null. One query. */
export async function findCredential(db: Database, hash: string): Promise<FoundCredential | null> {
  const row = await firstRow<Omit<FoundCredential, "scopes"> & { scopes: string }>(
    db,
    sql`select id, kind, organization_id as "organizationId", scopes, blog_id as "blogId",
        expiration_time as "expirationTime", last_used_time as "lastUsedTime"
      from ${credentials} where hash = ${hash}`,
  );
  return row && { ...row, scopes: JSON.parse(row.scopes) as Scope[] };
}

/** Notes that a credential was used, unless another request did so in the last minute. */
export async function touchCredential(db: Database, id: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_MS).toISOString();
  await prepare(
    db,
    sql`update ${credentials} set last_used_time = ${now.toISOString()}
      where id = ${id} and (last_used_time is null or last_used_time <= ${before})`,
  ).run();
}
