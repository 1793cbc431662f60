/** What an operator sees of organizations and does to them: `admin organizations`, `suspend`, `resume` and `quotas`. */
import type { Quota } from "../../src/domain/quotas.ts";
import { toDay } from "../../src/lib/time.ts";
import type { Statement } from "../../src/store/core/sql.ts";
import { toStatement } from "../../src/store/export/database.ts";
import { changeQuotas, resume, suspend } from "../../src/store/people/system-administration.ts";
import { findName, findSuspension } from "./archive.ts";
import { Failure } from "./failure.ts";
import { bindTo, listShards, type Bindings, type Row } from "./place-bindings.ts";
import { describeQuotas } from "./quotas.ts";

export type ChangeOptions = {
  readonly asJson: boolean;
  readonly reason: string;
  readonly quotas: { readonly given: Partial<Quota>; readonly isReset: boolean };
};

const LISTED = `SELECT o.id, o.name, (SELECT count(*) FROM members WHERE organization_id = o.id) AS members,
    (SELECT count(*) FROM blogs WHERE organization_id = o.id) AS blogs, o.articles,
    o.article_bytes + o.answer_bytes + o.media_bytes + o.revision_bytes AS bytes, o.trash_bytes AS trash,
    iif(o.day < ?1, 0, o.day_deliveries) AS deliveries, coalesce(iif(s.kind IN ('suspended', 'ceiling'), s.kind || ': ' || s.reason, s.kind), 'active') AS state
  FROM organizations AS o LEFT JOIN suspensions AS s ON s.organization_id = o.id AND s.kind NOT IN ('resting', 'moving', 'arriving')
  ORDER BY o.name, o.id`;

/** Organizations that move, and in which database their rows are not those that hold. */
const MOVES = `SELECT organization_id AS id, state, iif(state IN ('finishing', 'switched'), source, target) AS elsewhere FROM moves`;

/**
 * Returns the organizations of all databases as a table, or as JSON, with the database of each if there are several. Bytes are those of texts, kept
 * responses, images and revisions; those of the trash are apart. The rows that a move copies, and leaves for a day, are not listed.
 */
export async function listOrganizations(all: Bindings, _: string, { asJson }: ChangeOptions): Promise<string> {
  const shards = listShards(all);
  const rows: Row[] = [];
  const moves = new Map(shards.length === 0 ? [] : (await all.query(MOVES)).map((move) => [move["id"], move]));
  for (const database of ["DB", ...shards]) {
    const found = await bindTo(all, database).query(LISTED, [toDay(new Date().toISOString())]);
    for (const row of found) {
      const { elsewhere, state = "switched" } = moves.get(row["id"]) ?? {};
      const isMoving = state !== "switched" && row["state"] === "active";
      const shown = { ...row, ...(isMoving && { state: "moving" }), ...(shards.length > 0 && { database }) };
      if (elsewhere !== database) rows.push(shown);
    }
  }
  return asJson ? JSON.stringify(rows, null, 2) : formatTable(rows);
}

function formatTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
  const align = (text: string, n: number) =>
    typeof rows[0]?.[names[n] ?? ""] === "number" ? text.padStart(widths[n] ?? 0) : text.padEnd(widths[n] ?? 0);
  return lines.map((line) => line.map(align).join("  ").trimEnd()).join("\n");
}

/** Suspends an organization. Throws a `Failure` if there is none, or it is suspended already. */
export async function suspendOrganization(
  target: Bindings,
  organizationId: string,
  { reason }: ChangeOptions,
): Promise<string> {
  const name = await requireOrganization(target, organizationId);
  const kind = await findSuspension(target, organizationId);
  if (kind === "erased") throw new Failure(explainErasure(name));
  if (kind === "suspended") throw new Failure(`${name} is suspended already. Nothing was changed.`);
  if (kind === "resting" || kind === "moving")
    throw new Failure(`${name} is changing its database. Suspend it in a minute. Nothing was changed.`);
  await execute(target, suspend(organizationId, reason, new Date()));
  return `Suspended       ${name}\nCaches are purged within a minute. What it had planned waits until it is resumed.`;
}

/** Ends a suspension. Throws a `Failure` if there is no such organization, or it is not suspended. */
export async function resumeOrganization(target: Bindings, organizationId: string): Promise<string> {
  const name = await requireOrganization(target, organizationId);
  const kind = await findSuspension(target, organizationId);
  if (kind === "erased") throw new Failure(explainErasure(name));
  if (kind === "ceiling")
    throw new Failure(`${name} has reached a ceiling of this month. Raise it with "quotas". Nothing was changed.`);
  if (kind !== "suspended" && kind !== "deleted") throw new Failure(`${name} is not suspended. Nothing was changed.`);
  await execute(target, resume(organizationId, new Date()));
  return `Resumed         ${name}`;
}

/** Changes an organization's quotas, if there is something to change, and returns what holds. Throws a `Failure` if there is none. */
export async function setQuotas(target: Bindings, organizationId: string, { quotas }: ChangeOptions): Promise<string> {
  const name = await requireOrganization(target, organizationId);
  const { given, isReset } = quotas;
  const isChange = isReset || Object.keys(given).length > 0;
  if (isChange) await execute(target, changeQuotas(organizationId, given, isReset, new Date()));
  const [found] = await target.query("SELECT quotas FROM organizations WHERE id = ?1", [organizationId]);
  const own = JSON.parse(String(found?.["quotas"] ?? "{}")) as Partial<Quota>;
  return [`Organization                  ${name}`, ...describeQuotas(own)].join("\n");
}

/** Returns the name of an organization. Throws a `Failure` if there is none. */
export async function requireOrganization(target: Bindings, organizationId: string): Promise<string> {
  const name = await findName(target, organizationId);
  if (name === null) throw new Failure(`There is no organization ${organizationId}.`);
  return name;
}

const explainErasure = (name: string): string => `${name} is being deleted for good. Nothing was changed.`;

const execute = (target: Bindings, statements: readonly Statement[]): Promise<void> =>
  target.execute(statements.map(toStatement));
