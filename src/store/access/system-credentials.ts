/** Credentials before their organization is known: the lookup of authentication. */
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

/** Every call with a credential asks this: it is composed once, which the builder would do each time. */
const { id, kind, organizationId, scopes, blogId, expirationTime, lastUsedTime } = credentials;
const FIELDS = returned({ id, kind, organizationId, scopes, blogId, expirationTime, lastUsedTime });
const byHash = family<{ hash: string }>(
  (names) => sql`select ${FIELDS} from ${credentials} where ${credentials.hash} = ${names.hash}`,
);

/** The credential whose secret has this hash, or null. One query. */
export async function findCredential(db: Database, hash: string): Promise<FoundCredential | null> {
  const row = await firstRow<Omit<FoundCredential, "scopes"> & { scopes: string }>(db, byHash({ hash }));
  return row && { ...row, scopes: JSON.parse(row.scopes) as Scope[] };
}

/** Notes that a credential was used, unless another request did so in the last minute. */
export async function touchCredential(db: Database, credentialId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_MS).toISOString();
  await orm(db)
    .update(credentials)
    .set({ lastUsedTime: now.toISOString() })
    .where(and(eq(id, credentialId), or(isNull(lastUsedTime), lte(lastUsedTime, before))));
}
