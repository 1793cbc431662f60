/**
 * Sends reads to replicas that are at least as new as what the caller has seen. A bookmark of D1 names a state of the
 * database. A D1 session that begins at a bookmark is answered by any replica that has come at least as far.
 */
import { LIMITS } from "../../domain/limits.ts";
import { within } from "../../lib/within.ts";
import { failedReplica, REPLICA_PATIENCE_MS } from "./replica.ts";
import type { Database } from "./sql.ts";

/** A database that notes the bookmarks of its answers. */
export type BookmarkedDatabase = Database & {
  /** Returns the newest bookmark so far, or null if there is none yet. */
  readonly bookmark: () => string | null;
};

/** Stands for a bookmark that every replica has reached. */
export const ANY_STATE = "any";

/**
 * Returns whether a text has the form of a bookmark: groups of hexadecimal digits. The form also keeps out the words
 * that mean something else to `withSession`, such as `first-unconstrained`.
 */
export const isBookmark = (text: string): boolean => text.length <= LIMITS.bookmark && FORM.test(text);

const FORM = /^[0-9a-f]+(?:-[0-9a-f]+)+$/;

/** What D1 calls a session whose first query goes to the primary, and one whose first query may go to any replica. */
const AT_PRIMARY = "first-primary";
const ANYWHERE = "first-unconstrained";

/**
 * Returns a database for writes: all of its queries go to the primary. Each has a session of its own, because only the
 * first query of a session is sure to go there.
 */
export function primaryDatabase(real: D1Database): BookmarkedDatabase {
  const newest = newestBookmark();
  return { ...deferredDatabase((query) => newest.of(real.withSession(AT_PRIMARY), query)), bookmark: newest.get };
}

/**
 * Returns a database for reads. The first one is answered by any replica that has reached `beginning`, a bookmark or
 * {@link ANY_STATE}, and each later one by a replica that has come at least as far as the answers before it.
 *
 * Sessions have been seen to hang (replica.ts), and D1 does not document what a bookmark of another database does. So a
 * read that is late or fails goes to the primary, which is always new enough, and so do those after it. All of these reads
 * would go to the primary without a bookmark, so their number needs no further bound.
 */
export function replicaDatabase(real: D1Database, beginning: string): BookmarkedDatabase {
  const atReplicas = newestBookmark(beginning === ANY_STATE ? null : beginning);
  let primary: ReturnType<typeof newestBookmark> | undefined;
  const db = deferredDatabase(async (query) => {
    if (primary === undefined) {
      const read = atReplicas.of(real.withSession(atReplicas.get() ?? ANYWHERE), query);
      const answer = await within(REPLICA_PATIENCE_MS, read.then((rows) => ({ rows })).catch(failedReplica));
      if (answer !== null) return answer.rows;
    }
    primary ??= newestBookmark();
    return primary.of(real.withSession(AT_PRIMARY), query);
  });
  return { ...db, bookmark: () => (primary ?? atReplicas).get() };
}

/** Keeps the newest bookmark. Later bookmarks sort behind earlier ones (D1, Time Travel). */
function newestBookmark(known: string | null = null) {
  let newest = known;
  return {
    get: () => newest,
    /** Runs a query in a session, and notes the session's bookmark. Returns what the query does. */
    async of<T>(session: D1DatabaseSession, query: Query<T>): Promise<T> {
      const answer = await query(session);
      const reached = session.getBookmark();
      // Give out only what would be accepted when it comes back.
      if (reached !== null && isBookmark(reached) && (newest === null || reached > newest)) newest = reached;
      return answer;
    },
  };
}

/** Prepares and runs a query in a session. It may run twice, in different sessions. */
type Query<T> = (session: Database) => Promise<T>;

/** Returns a database that leaves to `run` in which session each query runs. */
function deferredDatabase(run: <T>(query: Query<T>) => Promise<T>): Database {
  return {
    prepare: (text) => new DeferredStatement(run, text) as unknown as D1PreparedStatement,
    batch: <T>(statements: D1PreparedStatement[]) =>
      run((session) =>
        session.batch<T>(statements.map((each) => (each as unknown as DeferredStatement).preparedFor(session))),
      ),
  };
}

/** A statement that is prepared when it runs, with the methods of `D1PreparedStatement` that the stores use. */
class DeferredStatement {
  readonly #run: <T>(query: Query<T>) => Promise<T>;
  readonly #text: string;
  readonly #values: readonly unknown[];

  constructor(run: <T>(query: Query<T>) => Promise<T>, text: string, values: readonly unknown[] = []) {
    this.#run = run;
    this.#text = text;
    this.#values = values;
  }

  bind(...values: unknown[]): DeferredStatement {
    return new DeferredStatement(this.#run, this.#text, values);
  }

  preparedFor(session: Database): D1PreparedStatement {
    return session.prepare(this.#text).bind(...this.#values);
  }

  all(): Promise<D1Result> {
    return this.#run((session) => this.preparedFor(session).all());
  }

  run(): Promise<D1Result> {
    return this.#run((session) => this.preparedFor(session).run());
  }

  raw(): Promise<unknown[][]> {
    return this.#run((session) => this.preparedFor(session).raw());
  }
}
