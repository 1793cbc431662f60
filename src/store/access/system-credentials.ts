/** Credentials of all organizations: authentication looks them up before it knows the organization. */
import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Scope } from "../../domain/principal.ts";
import { TOUCH_MS } from "../../lib/time.ts";
import { credentials } from "./schema.ts";
import { family, firstRow, orm, returned, type Database } from "../core/sql.ts";

export type FoundCredential = {
  readonly id: string;
  readonly kind: "key" | "token";
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  readonly blogId: string | null;
  readonly expirationTime: string | null;
  readonly lastUsedTime: string | null;
};

/** Every request with a credential runs this query, so its SQL is composed once. The builder would do it each time. */
const { id, kind, organizationId, scopes, blogId, expirationTime, lastUsedTime } = credentials;
const FIELDS = returned({ id, kind, organizationId, scopes, blogId, expirationTime, lastUsedTime });
const byHash = family<{ hash: string }>(
  (names) => sql`select ${FIELDS} from ${credentials} where ${credentials.hash} = ${names.hash}`,
);

/** Returns the credential whose secret has this hash, expired or not, or null if there is none. Runs one query. */
export async function findCredential(db: Database, hash: string): Promise<FoundCredential | null> {
  const row = await firstRow<Omit<FoundCredential, "scopes"> & { scopes: string }>(db, byHash({ hash }));
  return row && { ...row, scopes: JSON.parse(row.scopes) as Scope[] };
}

/** Sets when the credential was last used, unless another request set it in the last hour ({@link TOUCH_MS}). */
export async function touchCredential(db: Database, credentialId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_MS).toISOString();
  await orm(db)
    .update(credentials)
    .set({ lastUsedTime: now.toISOString() })
    .where(and(eq(id, credentialId), or(isNull(lastUsedTime), lte(lastUsedTime, before))));
}
