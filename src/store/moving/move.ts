/** Moves an organization to another database while it works (docs/architecture.md, "Moving"): who goes on with a move, and how far. */
import { isUuid, newId } from "../../lib/ids.ts";
import type { Row } from "../../lib/rows.ts";
import { openBare, type Bindings } from "../database.ts";
import { listOwnedTables, type OwnedTable } from "../export/belongings.ts";
import { bindD1, type Place, type Statement } from "../export/database.ts";
import { DAY_MS } from "../../lib/time.ts";
import { LEASE_MS, MOST_QUERIES, STAYING, STEPS, type Move, type Ran, type State } from "./steps.ts";

/** Milliseconds within which the next run has to follow. */
const NEXT_MS = 15_000;

type Tools = {
  readonly now: () => Date;
  /** Called when an organization has a new database: what waited there goes out. */
  readonly announce: (organizationId: string) => Promise<void>;
  /** What the run before has returned: this one goes on with the same move. */
  readonly lease?: string | undefined;
  /** Of tests: how many steps a run makes at most. */
  readonly steps?: number;
};

/**
 * Goes on with a move, which no other run does meanwhile. Returns the lease for the next run, which has to follow within {@link NEXT_MS}; a later one
 * needs none. Throws what a database throws; a later run tries again.
 */
export async function runMoves(
  env: Bindings,
  { now, announce, lease = "", steps = Infinity }: Tools,
): Promise<{ readonly ran: Ran; readonly lease?: string }> {
  const db = bindD1(env.DB);
  const at = (ms: number) => new Date(now().getTime() + ms).toISOString();
  const held = { time: at(LEASE_MS) };
  const [taken] = await db.query(
    `UPDATE moves SET lease_time = ?1 WHERE (lease_time < ?2 OR lease_time = ?3) AND organization_id = (SELECT organization_id FROM moves
      WHERE state <> 'switched' OR time < ?4 ORDER BY state = 'copying' AND cursor IS NULL, creation_time, organization_id LIMIT 1)
      RETURNING organization_id AS id`,
    [held.time, at(0), lease, at(-DAY_MS)],
  );
  if (taken === undefined) return { ran: "idle" };
  const id = String(taken["id"]);
  const hold = async (next: string) => {
    const sql = "UPDATE moves SET lease_time = ?2 WHERE organization_id = ?1 AND lease_time = ?3 RETURNING 1";
    const [isHeld] = await db.query(sql, [id, next, held.time]);
    if (isHeld !== undefined) held.time = next;
    return isHeld !== undefined;
  };
  try {
    const ran = await runSteps(env, id, { now, announce, steps, held, hold });
    const next = at(NEXT_MS);
    return { ran, ...((await hold(next)) && { lease: next }) };
  } catch (error) {
    await hold("");
    throw error;
  }
}

async function runSteps(
  env: Bindings,
  organizationId: string,
  { now, announce, steps, held, hold }: Required<Omit<Tools, "lease">> & Lease,
): Promise<Ran> {
  const left = { queries: MOST_QUERIES };
  const open = (name: unknown) => openPlace(env, String(name), left);
  if (!isUuid(organizationId)) throw new Error(`${organizationId} is no organization.`);
  const token = newId();
  let all: readonly OwnedTable[] | undefined;
  for (let done = 0; done < steps && left.queries > 0; done++) {
    const [row] = await bindD1(env.DB).query("SELECT * FROM moves WHERE organization_id = ?1", [organizationId]);
    if (row === undefined) return "more";
    const [source, target] = [open(row["source"]), open(row["target"])];
    if (all === undefined) {
      all = await listOwnedTables(source);
      for (const place of [source, target]) await place.execute([takeOver(organizationId, token)]);
    }
    const tables = all.filter(({ table }) => !STAYING.has(table.name));
    const users = all.find(({ table }) => table.name === "users") as OwnedTable;
    const goesOn = async () => {
      const isLong = Date.parse(held.time) - now().getTime() < LEASE_MS / 2;
      if (isLong && !(await hold(new Date(now().getTime() + LEASE_MS).toISOString())))
        throw new Error(`Another run goes on with the move of ${organizationId}.`);
      return left.queries > 0;
    };
    const move: Move = {
      ...readMove(env, row, now, held),
      organizationId,
      token,
      source,
      target,
      tables,
      users,
      goesOn,
    };
    const ran = await STEPS[move.state](move).catch(async (error: unknown) => {
      if (move.state === "cancelled" || !(await isCancelled(env, organizationId))) throw error;
      return "waiting" as const;
    });
    if (ran === "arrived") await announce(organizationId);
    // The switch has an invocation of its own, with all its queries.
    else if (ran !== "more" || move.state === "resting") return ran;
  }
  return "more";
}

/** Whether a move has been cancelled: then the step that was under way fails, which is no error. */
async function isCancelled(env: Bindings, organizationId: string): Promise<boolean> {
  const sql = "SELECT 1 FROM moves WHERE organization_id = ?1 AND state = 'cancelled'";
  return (await bindD1(env.DB).query(sql, [organizationId])).length > 0;
}

/** Opens a database, and counts down what is left of an invocation's queries. */
function openPlace(env: Bindings, name: string, left: { queries: number }): Place {
  const { query, execute, queryAll } = bindD1(openBare(env, name));
  return {
    query: (...asked) => (left.queries--, query(...asked)),
    execute: (statements) => ((left.queries -= statements.length), execute(statements)),
    queryAll: (statements) => ((left.queries -= statements.length), queryAll(statements)),
  };
}

/** Until when a run has the move; `hold` prolongs that, and returns false if another run has it by now. */
type Lease = { readonly held: { time: string }; readonly hold: (next: string) => Promise<boolean> };

/** Lets only this run write to the target, and change the fence of the source. */
const takeOver = (organizationId: string, token: string): Statement => ({
  sql: "UPDATE suspensions SET reason = ?2 WHERE organization_id = ?1 AND kind IN ('resting', 'moving', 'arriving')",
  values: [organizationId, token],
});

function readMove(env: Bindings, row: Row, now: () => Date, held: Lease["held"]) {
  const { organization_id: id = null, state: former = null } = row;
  const ageOf = (time: unknown) => now().getTime() - Date.parse(String(time));
  return {
    env,
    from: String(row["source"]),
    to: String(row["target"]),
    state: former as State,
    cursor: row["cursor"] === null ? null : String(row["cursor"]),
    age: ageOf(row["creation_time"]),
    since: ageOf(row["time"]),
    now,
    async set(state: State, cursor: string | null = null) {
      const time = now().toISOString();
      const lease = new Date(now().getTime() + LEASE_MS).toISOString();
      const [stored] = await bindD1(env.DB).query(
        `UPDATE moves SET cursor = ?3, time = iif(state = ?2, time, ?4), state = ?2, lease_time = ?5
          WHERE organization_id = ?1 AND state = ?6 AND lease_time = ?7 RETURNING 1`,
        [id, state, cursor, time, lease, former, held.time],
      );
      if (stored !== undefined) held.time = lease;
      else throw new Error(`The move of ${String(id)} is no longer ${String(former)}.`);
    },
  };
}
