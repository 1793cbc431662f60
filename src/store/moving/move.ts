/**
 * Moves an organization to another database while it works (docs/architecture.md, "Moving"). Each step reads from `moves` what is to
 * be done and may be repeated, so that one which is interrupted goes on with the next minute.
 */
import { DAY_MS } from "../../lib/time.ts";
import { isUuid } from "../../lib/ids.ts";
import type { Row } from "../../lib/rows.ts";
import type { moves } from "../../schema/shards.ts";
import { findHome } from "../core/directory.ts";
import { listEntries, openBare, REMEMBERED_MS, type Bindings } from "../database.ts";
import { listOwnedTables, selectPart, type OwnedTable } from "../export/belongings.ts";
import { bindD1, type Statement, type Target } from "../export/database.ts";
import { removeRows } from "../export/removing.ts";
import { readPage } from "../export/tables.ts";
import { copyPerson } from "../people/system-shards.ts";
import { follow, replaceTriggers } from "./changes.ts";
import { raiseNumbers, writeRows, type Moving } from "./rows.ts";

type State = typeof moves.$inferSelect.state;

type Move = Moving & {
  readonly env: Bindings;
  readonly from: string;
  readonly to: string;
  readonly state: State;
  readonly cursor: string | null;
  /** Milliseconds since the organization began to move, and since it is in this state. */
  readonly age: number;
  readonly since: number;
  readonly tables: readonly OwnedTable[];
  readonly now: () => Date;
  /** Stores a state, or how far it is in it. Throws if the state has changed meanwhile. */
  readonly set: (state: State, cursor?: string) => Promise<void>;
};

/** Not copied: a move's own rows, people with what is theirs, which `DB` has, and purges, which any database carries out. */
const STAYING: ReadonlySet<string> = new Set(["suspensions", "users", "accounts", "oauth_records", "purges"]);

/** What lets somebody in, in the order in which it can be deleted. */
const ENTRANCES = ["credentials", "previews", "connected_apps", "invitations", "members"];

/** Milliseconds for which a run has a move to itself, and within which the next one has to follow; and after how many queries it begins no other step: D1 allows 1,000. */
const [LEASE_MS, NEXT_MS, MOST_QUERIES] = [60_000, 15_000, 500];

/** So few changes that they are written in a moment. */
const FEW = 50;

/** What a run found: nothing to do, work that goes on at once, or something to wait for. */
type Ran = "idle" | "more" | "waiting";

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
  const [taken] = await db.query(
    `UPDATE moves SET lease_time = ?1 WHERE (lease_time < ?2 OR lease_time = ?3) AND organization_id = (SELECT organization_id FROM moves
      WHERE state <> 'switched' OR time < ?4 ORDER BY state = 'copying' AND cursor IS NULL, creation_time, organization_id LIMIT 1)
      RETURNING organization_id AS id`,
    [at(LEASE_MS), at(0), lease, at(-DAY_MS)],
  );
  if (taken === undefined) return { ran: "idle" };
  const id = String(taken["id"]);
  const release = (next: string) =>
    db.query("UPDATE moves SET lease_time = ?2 WHERE organization_id = ?1 RETURNING 1", [id, next]);
  try {
    const ran = await runSteps(env, id, { now, announce, steps });
    const next = at(NEXT_MS);
    await release(next);
    return { ran, lease: next };
  } catch (error) {
    await release("");
    throw error;
  }
}

async function runSteps(
  env: Bindings,
  organizationId: string,
  { now, announce, steps }: Required<Omit<Tools, "lease">>,
): Promise<Ran> {
  const left = { queries: MOST_QUERIES };
  const open = (name: unknown): Target => {
    const { query, execute } = bindD1(openBare(env, String(name)));
    return {
      query: (...asked) => (left.queries--, query(...asked)),
      execute: (statements) => ((left.queries -= statements.length), execute(statements)),
    };
  };
  if (!isUuid(organizationId)) throw new Error(`${organizationId} is no organization.`);
  let tables: readonly OwnedTable[] | undefined;
  for (let done = 0; done < steps && left.queries > 0; done++) {
    const [row] = await bindD1(env.DB).query("SELECT * FROM moves WHERE organization_id = ?1", [organizationId]);
    if (row === undefined) return "more";
    const [source, target] = [open(row["source"]), open(row["target"])];
    tables ??= (await listOwnedTables(source)).filter(({ table }) => !STAYING.has(table.name));
    const move: Move = { ...readMove(env, row, now), organizationId, source, target, tables };
    const ran = await STEPS[move.state](move);
    if (ran === "arrived") await announce(organizationId);
    else if (ran !== "more") return ran;
  }
  return "more";
}

function readMove(env: Bindings, row: Row, now: () => Date) {
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
          WHERE organization_id = ?1 AND state = ?6 RETURNING 1`,
        [id, state, cursor, time, lease, former],
      );
      if (stored === undefined) throw new Error(`The move of ${String(id)} is no longer ${String(former)}.`);
    },
  };
}

const STEPS: Readonly<Record<State, (move: Move) => Promise<Ran | "arrived">>> = {
  async copying(move) {
    const { source, tables, organizationId, cursor } = move;
    if (cursor === null) return begin(move);
    const { table: n, last } = JSON.parse(cursor) as { readonly table: number; readonly last?: Row };
    const owned = tables[n];
    if (owned === undefined) {
      await move.set("following");
      return "more";
    }
    const { rows } = await readPage(source, owned.table, { last, part: selectPart(owned.belonging, organizationId) });
    await bringPeople(move, owned, rows);
    await writeRows(move, owned, rows);
    await listEntries(move.env, move.to);
    const end = rows.at(-1);
    const key = end && Object.fromEntries(owned.table.key.map((column) => [column, end[column] ?? null]));
    await move.set("copying", JSON.stringify(key === undefined ? { table: n + 1 } : { table: n, last: key }));
    return "more";
  },

  async following(move) {
    if ((await followOnce(move)) >= FEW) return "more";
    // Now no isolate remembers any more where something of the organization is.
    if (move.age < REMEMBERED_MS + 10_000) return "waiting";
    await fence(move, "resting");
    await move.set("resting");
    return "more";
  },

  // What is under way is settled first: a webhook that is being sent would be sent again, and a generation would be lost.
  async resting(move) {
    const { source, organizationId, now } = move;
    if ((await followOnce(move)) >= FEW) return "more";
    const [busy] = await source.query(
      `SELECT 1 FROM deliveries WHERE organization_id = ?1 AND state = 'claimed'
        UNION ALL SELECT 1 FROM imports WHERE organization_id = ?1 AND lease_time > ?2
        UNION ALL SELECT 1 FROM generations WHERE organization_id = ?1 AND state = 'running' LIMIT 1`,
      [organizationId, now().toISOString()],
    );
    if (busy !== undefined && move.since < LEASE_MS) return "waiting";
    await move.set("switching");
    return "more";
  },

  async switching(move) {
    const { env, from, to, organizationId, target } = move;
    if ((await findHome(env.DB, organizationId)).shard !== to) {
      try {
        await fence(move, "moving");
        while ((await followOnce(move)) > 0);
        await listEntries(env, from);
        await listEntries(env, to);
      } catch (error) {
        // Writes go on; the next run tries again.
        await fence(move, "resting");
        throw error;
      }
      await setHome(move);
    }
    await target.execute([unfence(organizationId)]);
    await move.set("finishing");
    return "arrived";
  },

  // The old rows stay, for a day, but they let nobody in, and readers do not find them where they look for what has been deleted since.
  async finishing(move) {
    const { source, target, organizationId, now } = move;
    await Promise.all([replaceTriggers(source, []), replaceTriggers(target, [])]);
    await source.execute([
      ...ENTRANCES.map((name) => ({ sql: `DELETE FROM ${name} WHERE organization_id = ?1`, values: [organizationId] })),
      {
        sql: `INSERT INTO hidden_blogs (blog_id, reason, organization_id, time)
          SELECT id, 'suspended', organization_id, ?2 FROM blogs WHERE organization_id = ?1 ON CONFLICT DO NOTHING`,
        values: [organizationId, now().toISOString()],
      },
    ]);
    await move.set("switched");
    return "waiting";
  },

  async switched(move) {
    if (move.since < DAY_MS) return "waiting";
    return (await removeCopy(move, move.source)) ? end(move) : "more";
  },

  // It stays where it is, and what was copied goes.
  async cancelled(move) {
    const { env, to, organizationId, source, target } = move;
    await Promise.all([replaceTriggers(source, []), replaceTriggers(target, [])]);
    await source.execute([unfence(organizationId)]);
    if (!(await removeCopy(move, target))) return "more";
    await listEntries(env, to);
    return end(move);
  },
};

/** Makes the two databases note what changes. What an earlier attempt has left there is removed first. */
async function begin(move: Move): Promise<Ran> {
  const { env, to, source, target, tables, organizationId } = move;
  await listEntries(env, to);
  const [former] = await target.query("SELECT 1 FROM organizations WHERE id = ?1", [organizationId]);
  if (former !== undefined && !(await removeCopy(move, target))) return "more";
  await target.execute([setFence(move, "arriving")]);
  await raiseNumbers(move, move.now());
  await replaceTriggers(target, tables, organizationId);
  await replaceTriggers(source, tables, organizationId);
  await move.set("copying", JSON.stringify({ table: 0 }));
  return "more";
}

/** Copies the accounts to which rows refer. */
async function bringPeople({ env, to }: Move, { table }: OwnedTable, rows: readonly Row[]): Promise<void> {
  if (table.name !== "members" && table.name !== "connected_apps") return;
  for (const { user_id: userId } of rows) await copyPerson(env, openBare(env, to), String(userId));
}

async function followOnce(move: Move): Promise<number> {
  const noted = await follow(move, move.tables, (owned, rows) => bringPeople(move, owned, rows));
  await listEntries(move.env, move.to);
  return noted;
}

/** Removes the rows of an organization that another database has, too, and what fences them at last. Returns whether nothing is left. */
async function removeCopy({ organizationId }: Move, copy: Target): Promise<boolean> {
  const left = { portions: MOST_QUERIES / 4, purges: false as const };
  if ((await removeRows(copy, organizationId, left)) === null) return false;
  await copy.execute([
    { sql: "DELETE FROM organizations WHERE id = ?1", values: [organizationId] },
    unfence(organizationId),
  ]);
  return true;
}

async function end({ env, organizationId }: Move): Promise<Ran> {
  await bindD1(env.DB).query("DELETE FROM moves WHERE organization_id = ?1 RETURNING 1", [organizationId]);
  return "more";
}

const setFence = ({ organizationId, now }: Move, kind: "resting" | "moving" | "arriving"): Statement => ({
  sql: `INSERT INTO suspensions (organization_id, reason, creation_time, kind) VALUES (?1, '', ?2, ?3)
    ON CONFLICT (organization_id) DO UPDATE SET kind = excluded.kind WHERE kind IN ('resting', 'moving')`,
  values: [organizationId, now().toISOString(), kind],
});

/** Fences the source. Throws if the organization is suspended: it moves once that has ended. */
async function fence(move: Move, kind: "resting" | "moving"): Promise<void> {
  const { source, organizationId } = move;
  await source.execute([setFence(move, kind)]);
  const [found] = await source.query("SELECT kind FROM suspensions WHERE organization_id = ?1", [organizationId]);
  if (found?.["kind"] !== kind) throw new Error(`${organizationId} is suspended, and does not move meanwhile.`);
}

const unfence = (organizationId: string): Statement => ({
  sql: "DELETE FROM suspensions WHERE organization_id = ?1 AND kind IN ('resting', 'moving', 'arriving')",
  values: [organizationId],
});

/** The switch: one statement. */
const setHome = ({ env, organizationId, to }: Move): Promise<void> =>
  bindD1(env.DB).execute([
    {
      sql: `INSERT INTO homes (organization_id, shard) VALUES (?1, ?2)
        ON CONFLICT (organization_id) DO UPDATE SET shard = excluded.shard`,
      values: [organizationId, to],
    },
  ]);
