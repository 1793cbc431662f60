/**
 * The steps of a move (docs/architecture.md, "Moving"). Each reads from `moves` what is to be done and may be repeated, so that one which is
 * interrupted goes on with the next minute.
 */
import { DAY_MS } from "../../lib/time.ts";
import { toChunks } from "../../lib/chunks.ts";
import type { Row } from "../../lib/rows.ts";
import type { moves } from "../../schema/shards.ts";
import { findHome } from "../core/directory.ts";
import { listEntries, listNotes, REMEMBERED_MS, type Bindings } from "../database.ts";
import { selectPart, type OwnedTable } from "../export/belongings.ts";
import { bindD1, type Statement } from "../export/database.ts";
import { removeRows } from "../export/removing.ts";
import { readPage } from "../export/tables.ts";
import { follow, hasTriggers, replaceTriggers } from "./changes.ts";
import { raiseNumbers, writeRows, type Moving, type Rows } from "./rows.ts";

export type State = typeof moves.$inferSelect.state;

export type Move = Moving & {
  readonly env: Bindings;
  readonly from: string;
  readonly to: string;
  readonly state: State;
  readonly cursor: string | null;
  /** Milliseconds since the organization began to move, and since it is in this state. */
  readonly age: number;
  readonly since: number;
  readonly tables: readonly OwnedTable[];
  readonly users: OwnedTable;
  readonly now: () => Date;
  /** Whether this run may begin something more. Throws if another one has the move by now. */
  readonly goesOn: () => Promise<boolean>;
  /** Stores a state, or how far it is in it. Throws if the state has changed meanwhile. */
  readonly set: (state: State, cursor?: string) => Promise<void>;
};

/** What a run found: nothing to do, work that goes on at once, or something to wait for. */
export type Ran = "idle" | "more" | "waiting";

/** Milliseconds for which a run has a move to itself, and which what is under way has before the switch. */
export const LEASE_MS = 60_000;

/** After how many queries a run begins no other step: D1 allows 1,000 in an invocation. */
export const MOST_QUERIES = 500;

/** Not copied: a move's own rows, people with what is theirs, which `DB` has, and purges, which any database carries out. */
export const STAYING: ReadonlySet<string> = new Set(["suspensions", "users", "accounts", "oauth_records", "purges"]);

/** What lets somebody in, in the order in which it can be deleted. */
const ENTRANCES = ["credentials", "previews", "connected_apps", "invitations", "members"];

/** So few changes that they are written in a moment: what 50 writes a second change while as many are written. */
const FEW = 400;

/** Milliseconds after which webhooks go out again, if the copy does not get near enough to the source. */
const MOST_RESTING_MS = 5 * LEASE_MS;

/** The most rounds while writes wait: what a change makes triggers change takes three. */
const MOST_ROUNDS = 20;

/** Rows that are copied in one transaction. */
const AT_ONCE = 100;

export const STEPS: Readonly<Record<State, (move: Move) => Promise<Ran | "arrived">>> = {
  async copying(move) {
    const { source, tables, organizationId, cursor } = move;
    if (cursor === null) return begin(move);
    const { table: n, last } = JSON.parse(cursor) as { readonly table: number; readonly last?: Row };
    const owned = tables[n];
    if (owned === undefined) {
      await move.set("following");
      return "more";
    }
    const part = selectPart({ where: toPart(owned) }, organizationId);
    const { rows } = await readPage(source, owned.table, { last, part });
    await bringPeople(move, [{ owned, rows }]);
    for (const some of toChunks(rows, AT_ONCE)) await writeRows(move, [{ owned, rows: some }]);
    await listEntries(move.env, move.to);
    const end = rows.at(-1);
    const key = end && Object.fromEntries(owned.table.key.map((column) => [column, end[column] ?? null]));
    await move.set("copying", JSON.stringify(key === undefined ? { table: n + 1 } : { table: n, last: key }));
    return "more";
  },

  async following(move) {
    const { source, target, tables } = move;
    const noted = await followOnce(move);
    await listEntries(move.env, move.to);
    if (noted >= FEW) return "more";
    // Then no isolate remembers any more where something of the organization is.
    if (move.age < REMEMBERED_MS + 10_000) return "waiting";
    if (!(await hasTriggers(source, tables)) || !(await hasTriggers(target, tables)))
      throw new Error("The triggers of the move are gone. Cancel it, and begin it anew.");
    return fence(move, "resting");
  },

  // What is under way is settled first: a webhook that is being sent would be sent again, and a generation would be lost.
  async resting(move) {
    const { source, organizationId, now } = move;
    if ((await followOnce(move)) >= FEW) {
      if (move.since < MOST_RESTING_MS) return "more";
      await source.execute([unfence(organizationId)]);
      await move.set("following");
      return "waiting";
    }
    const [busy] = await source.query(
      `SELECT 1 FROM deliveries WHERE organization_id = ?1 AND state = 'claimed'
        UNION ALL SELECT 1 FROM imports WHERE organization_id = ?1 AND lease_time > ?2
        UNION ALL SELECT 1 FROM generations WHERE organization_id = ?1 AND state = 'running' LIMIT 1`,
      [organizationId, now().toISOString()],
    );
    if (busy !== undefined && move.since < LEASE_MS) return "waiting";
    const people = await source.query(
      "SELECT user_id FROM members WHERE organization_id = ?1 UNION SELECT user_id FROM connected_apps WHERE organization_id = ?1",
      [organizationId],
    );
    await copyPeople(move, people);
    await move.set("switching");
    return "more";
  },

  async switching(move) {
    const { env, from, to, organizationId, source, target, token } = move;
    if ((await findHome(env.DB, organizationId)).shard !== to) {
      if ((await followOnce(move)) >= FEW) return "more";
      try {
        if ((await fence(move, "moving")) !== "more") return "more";
        for (let rounds = 0; (await followOnce(move)) > 0; rounds++)
          if (rounds === MOST_ROUNDS) throw new Error(`The copy of ${organizationId} does not become equal.`);
        await Promise.all([listNotes(env, from), listNotes(env, to)]);
      } catch (error) {
        // Writes go on, and the next run tries again; unless another run has the fence by now.
        const sql = `UPDATE suspensions SET kind = 'resting' WHERE organization_id = ?1 AND kind = 'moving' AND reason = ?2`;
        await source.execute([{ sql, values: [organizationId, token] }]);
        throw error;
      }
      if (!(await setHome(move))) throw new Error(`The move of ${organizationId} has ended.`);
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
      setFence(move, "moving"),
      ...ENTRANCES.map((name) => ({ sql: `DELETE FROM ${name} WHERE organization_id = ?1`, values: [organizationId] })),
      {
        sql: `INSERT INTO hidden_blogs (blog_id, reason, organization_id, time)
          SELECT id, 'suspended', organization_id, ?2 FROM blogs WHERE organization_id = ?1 ON CONFLICT DO NOTHING`,
        values: [organizationId, now().toISOString()],
      },
      // What it gives up from now on, others may have.
      { sql: "UPDATE blogs SET vanity_id = id WHERE organization_id = ?1", values: [organizationId] },
      { sql: "UPDATE site_hosts SET verified_time = NULL WHERE organization_id = ?1", values: [organizationId] },
    ]);
    await move.set("switched");
    return "waiting";
  },

  async switched(move) {
    if (move.since < DAY_MS) return "waiting";
    return (await removeCopy(move, move.from)) ? end(move) : "more";
  },

  // It stays where it is, and what was copied goes.
  async cancelled(move) {
    const { env, to, organizationId, source, target } = move;
    await Promise.all([replaceTriggers(source, []), replaceTriggers(target, [])]);
    await source.execute([unfence(organizationId)]);
    if (!(await removeCopy(move, to))) return "more";
    await target.execute([unfence(organizationId)]);
    await listEntries(env, to);
    return end(move);
  },
};

/** Returns which rows are copied: those that follow by an index. What is new among the others is noted. */
const toPart = ({ table, belonging: { where, exported = where } }: OwnedTable): string =>
  table.name === "media" ? `${exported} OR organization_id = ?1 AND article_id IS NULL AND library = 0` : exported;

/** Makes the two databases note what changes. What an earlier attempt has left in the target is removed first. */
async function begin(move: Move): Promise<Ran> {
  const { env, to, source, target, tables, organizationId } = move;
  await listEntries(env, to);
  if (!(await removeCopy(move, to))) return "more";
  await target.execute([setFence(move, "arriving")]);
  await raiseNumbers(move, move.now());
  await replaceTriggers(target, tables, organizationId);
  await replaceTriggers(source, tables, organizationId);
  const sql = "UPDATE moves SET creation_time = ?2 WHERE organization_id = ?1";
  await bindD1(env.DB).execute([{ sql, values: [organizationId, move.now().toISOString()] }]);
  await move.set("copying", JSON.stringify({ table: 0 }));
  return "more";
}

/** Copies the accounts to which rows refer. */
const bringPeople = (move: Move, all: readonly Rows[]): Promise<void> =>
  copyPeople(
    move,
    all.flatMap(({ owned: { table }, rows }) => (REFERRING.has(table.name) ? rows : [])),
  );

const REFERRING: ReadonlySet<string> = new Set(["members", "connected_apps"]);

async function copyPeople(move: Move, refer: readonly Row[]): Promise<void> {
  const ids = [...new Set(refer.map(({ user_id: id }) => id))];
  for (const some of toChunks(ids, AT_ONCE)) {
    const sql = "SELECT * FROM users WHERE id IN (SELECT value FROM json_each(?1))";
    const rows = await bindD1(move.env.DB).query(sql, [JSON.stringify(some)]);
    await writeRows(move, [{ owned: move.users, rows }]);
  }
}

const followOnce = (move: Move): Promise<number> =>
  follow(move, move.tables, { prepare: (rows) => bringPeople(move, rows), goesOn: move.goesOn });

/**
 * Removes the rows of an organization from a database that is not its home, and what fences them at last. Returns whether nothing is left. Throws if
 * the database is its home, or has unfenced rows.
 */
async function removeCopy({ env, organizationId, ...move }: Move, name: string): Promise<boolean> {
  const copy = name === move.from ? move.source : move.target;
  const [row] = await copy.query(
    `SELECT (SELECT kind FROM suspensions WHERE organization_id = ?1) AS kind FROM organizations WHERE id = ?1`,
    [organizationId],
  );
  if (row === undefined) return true;
  const isFenced = row["kind"] === "arriving" || row["kind"] === "moving";
  if (!isFenced || ((await findHome(env.DB, organizationId)).shard ?? "DB") === name)
    throw new Error(`${organizationId} lives in ${name}: nothing is removed.`);
  const left = { portions: MOST_QUERIES / 4, purges: false as const };
  if ((await removeRows(copy, organizationId, left)) === null) return false;
  await copy.execute([
    { sql: "DELETE FROM hidden_blogs WHERE organization_id = ?1", values: [organizationId] },
    { sql: "DELETE FROM organizations WHERE id = ?1", values: [organizationId] },
    unfence(organizationId),
  ]);
  return true;
}

async function end({ env, organizationId }: Move): Promise<Ran> {
  await bindD1(env.DB).query("DELETE FROM moves WHERE organization_id = ?1 RETURNING 1", [organizationId]);
  return "more";
}

const setFence = ({ organizationId, token, now }: Move, kind: "resting" | "moving" | "arriving"): Statement => ({
  sql: `INSERT INTO suspensions (organization_id, reason, creation_time, kind) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (organization_id) DO UPDATE SET kind = excluded.kind, reason = excluded.reason
      WHERE reason = excluded.reason AND kind IN ('resting', 'moving', 'arriving')`,
  values: [organizationId, token, now().toISOString(), kind],
});

/** Fences the source. An organization that was suspended or deleted stays where it is. */
async function fence(move: Move, kind: "resting" | "moving"): Promise<Ran> {
  const { source, organizationId, state } = move;
  const sql = "SELECT kind FROM suspensions WHERE organization_id = ?1";
  const [, found] = await source.queryAll([setFence(move, kind), { sql, values: [organizationId] }]);
  const isSet = found?.[0]?.["kind"] === kind;
  if (isSet && state === "switching") return "more";
  try {
    await move.set(isSet ? "resting" : "cancelled");
  } catch (error) {
    await source.execute([
      { sql: "DELETE FROM suspensions WHERE kind = 'resting' AND reason = ?1", values: [move.token] },
    ]);
    throw error;
  }
  return isSet ? "more" : "waiting";
}

const unfence = (organizationId: string): Statement => ({
  sql: "DELETE FROM suspensions WHERE organization_id = ?1 AND kind IN ('resting', 'moving', 'arriving')",
  values: [organizationId],
});

/** The switch: one statement. Returns false, and changes nothing, if the move has ended. */
async function setHome({ env, organizationId, to }: Move): Promise<boolean> {
  const set = await bindD1(env.DB).query(
    `INSERT INTO homes (organization_id, shard) SELECT organization_id, target FROM moves
      WHERE organization_id = ?1 AND target = ?2 AND state = 'switching'
      ON CONFLICT (organization_id) DO UPDATE SET shard = excluded.shard RETURNING 1`,
    [organizationId, to],
  );
  return set.length > 0;
}
