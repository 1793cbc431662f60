/** Credentials of all organizations: authentication looks them up before it knows the organization. */
import { and, eq, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../domain/principal.ts";
import { TOUCH_MS } from "../../lib/time.ts";
import { credentials } from "../../schema/access.ts";
import { blogs } from "../../schema/blogs.ts";
import { isShown } from "../blogs/names.ts";
import { selectSuspension } from "../core/suspension.ts";
import { defineQuery, queryFirstRow, orm, prepare, buildReturning, type Database } from "../core/sql.ts";

export type FoundCredential = Readonly<
  Pick<
    typeof credentials.$inferSelect,
    "id" | "kind" | "organizationId" | "scopes" | "blogId" | "expirationTime" | "lastUsedTime"
  > & {
    /** Why its organization is suspended; null if it is not. */
    suspension: string | null;
    /** 1 for a key whose blog is hidden or gone. */
    rests: 0 | 1;
  }
>;

/** Returns an SQL expression: 1 if the blog to which somebody is pinned is hidden or gone, else 0. */
export const selectRests = (blogId: SQLiteColumn): SQL<0 | 1> =>
  sql`case when ${blogId} is null then 0 else not exists (select 1 from ${blogs} where ${blogs.id} = ${blogId} and ${isShown(blogs.id)}) end`;

/** Every request with a credential runs this query, so its SQL is composed only once. */
const { id, kind, organizationId, scopes, blogId, expirationTime, lastUsedTime } = credentials;
const FIELDS = buildReturning({ id, kind, organizationId, scopes, blogId, expirationTime, lastUsedTime });
const selectByHash = defineQuery<{ hash: string }>(
  (names) =>
    sql`select ${FIELDS}, ${selectSuspension(organizationId)} as "suspension",
        ${selectRests(blogId)} as "rests"
      from ${credentials} where ${credentials.hash} = ${names.hash}`,
);

type FoundRow = Omit<FoundCredential, "scopes"> & { readonly scopes: string };

const toCredential = (row: FoundRow): FoundCredential => ({ ...row, scopes: JSON.parse(row.scopes) as Scope[] });

/** Returns the credential whose secret has this hash, expired or not, or null if there is none. Runs one query. */
export async function findCredential(db: Database, hash: string): Promise<FoundCredential | null> {
  const row = await queryFirstRow<FoundRow>(db, selectByHash({ hash }));
  return row && toCredential(row);
}

/**
 * Returns a database for reads. Its first query or batch also looks a credential up, in the same round trip and
 * transaction. `credential` returns the same as {@link findCredential}; it runs a query of its own if there was none.
 */
export function attachCredentialLookup(real: D1Database, hash: string) {
  let found: Promise<FoundCredential | null> | undefined;
  const batch = async (statements: readonly D1PreparedStatement[]): Promise<D1Result[]> => {
    if (found !== undefined) return real.batch([...statements]);
    const both = real.batch<FoundRow>([prepare(real, selectByHash({ hash })), ...statements]);
    found = both.then(([credential]) =>
      credential?.results[0] === undefined ? null : toCredential(credential.results[0]),
    );
    // The caller of the query gets the same error.
    found.catch(() => undefined);
    return (await both).slice(1);
  };
  const credential = () => (found ??= findCredential(real, hash));
  const runs: Runs = {
    all: async (statement) => (found === undefined ? (await batch([statement]))[0] : statement.all()),
    // A batch cannot return rows as lists of values, which Drizzle's builder asks for. So both queries run side by
    // side.
    raw: (statement) => {
      credential().catch(() => undefined);
      return statement.raw();
    },
  };
  const db: Database = {
    prepare: (text) => new CheckedStatement(real.prepare(text), runs) as unknown as D1PreparedStatement,
    batch: async <T>(statements: D1PreparedStatement[]) =>
      (await batch(statements.map((each) => (each as unknown as CheckedStatement).real))) as D1Result<T>[],
  };
  return { db, credential };
}

/** Runs a statement, as the methods of `D1PreparedStatement` with these names do. */
type Runs = {
  readonly all: (statement: D1PreparedStatement) => Promise<D1Result | undefined>;
  readonly raw: (statement: D1PreparedStatement) => Promise<unknown[][]>;
};

/** A statement of a {@link attachCredentialLookup}, with the methods that the stores use. */
class CheckedStatement {
  readonly real: D1PreparedStatement;
  readonly #runs: Runs;

  constructor(real: D1PreparedStatement, runs: Runs) {
    this.real = real;
    this.#runs = runs;
  }

  bind(...values: unknown[]): CheckedStatement {
    return new CheckedStatement(this.real.bind(...values), this.#runs);
  }

  all(): Promise<D1Result | undefined> {
    return this.#runs.all(this.real);
  }

  raw(): Promise<unknown[][]> {
    return this.#runs.raw(this.real);
  }
}

/** Sets when the credential was last used, unless another request set it in the last hour ({@link TOUCH_MS}). */
export async function touchCredential(db: Database, credentialId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - TOUCH_MS).toISOString();
  await orm(db)
    .update(credentials)
    .set({ lastUsedTime: now.toISOString() })
    .where(and(eq(id, credentialId), or(isNull(lastUsedTime), lte(lastUsedTime, before))));
}
