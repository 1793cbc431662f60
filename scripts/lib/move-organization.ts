/** `admin move-organization`: has the Worker move an organization to another database (src/store/moving/move.ts), and tells how far it is. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "./failure.ts";
import { requireOrganization } from "./administration.ts";
import { findSuspension } from "./archive.ts";
import { bindTo, type Bindings, type Row } from "./place-bindings.ts";

const TOLD: Readonly<Record<string, string>> = {
  queued: "Waiting for another move to end.",
  unbegun: "Waiting for the service, which begins within a minute.",
  copying: "Copying its rows. The organization works on meanwhile.",
  following: "Bringing what has changed since. This takes a minute at least.",
  resting: "Waiting for webhooks and generations that are under way.",
  switching: "Switching.",
  finishing: "It has switched.",
  cancelled: "Cancelled. Removing what was copied.",
};

export type MoveOptions = { readonly to?: string | undefined; readonly cancel?: boolean | undefined };

/** Milliseconds without progress after which the operator is told that the service has to run. */
const QUIET_MS = 90_000;

/** A move, and a text that changes while any organization moves on. */
const MOVE = `SELECT target, time, CASE WHEN state <> 'copying' OR cursor IS NOT NULL THEN state
    WHEN EXISTS (SELECT 1 FROM moves WHERE state NOT IN ('copying', 'switched') OR state = 'copying' AND cursor IS NOT NULL) THEN 'queued'
    ELSE 'unbegun' END AS state, (SELECT group_concat(state || lease_time) FROM moves) AS progress
  FROM moves WHERE organization_id = ?1`;

/**
 * Begins a move of an organization from its database, or goes on with it, and waits for its end: without this program, the Worker goes on by itself. Throws a `Failure` if there is no such
 * organization, it is there already, it is on its way to another database, or it did not move.
 */
export async function moveOrganization(
  home: Bindings,
  organizationId: string,
  { to, cancel = false }: MoveOptions,
): Promise<string> {
  const { query } = bindTo(home, "DB");
  const readMove = async () => (await query(MOVE, [organizationId]))[0];
  if (cancel) await cancelMove({ query }, organizationId);
  else if ((await readMove()) === undefined) await beginMove(home, organizationId, to ?? "");
  let [told, progress, since] = ["", "", Date.now()];
  for (; ; await wait(1000)) {
    const move = await readMove();
    if (move === undefined && cancel) return "Cancelled       It is where it was.";
    if (move === undefined) throw new Failure(`It has not moved: ${await explainStay(home, organizationId)}`);
    if (!cancel && move["target"] !== to) throw new Failure(explainOther(move));
    const [state, now] = [String(move["state"]), String(move["progress"])];
    if (state === "switched")
      return `Moved           to ${String(move["target"])}\nThe old rows are removed after a day.`;
    if (state !== told) console.log(TOLD[state] ?? state);
    if (now !== progress) since = Date.now();
    else if (Date.now() - since > QUIET_MS) {
      console.log("Nothing has happened for 90 seconds. The service has to run.");
      since = Infinity;
    }
    [told, progress] = [state, now];
  }
}

function explainOther({ target, state, time }: Row): string {
  return state === "switched"
    ? `It moved to ${String(target)} at ${String(time)}. It can move again once its old rows are removed, a day later.`
    : `It is moving to ${String(target)}. Wait for the end, or cancel it with --cancel.`;
}

async function explainStay(home: Bindings, organizationId: string): Promise<string> {
  const kind = await findSuspension(home, organizationId);
  return STAYS[kind ?? ""] ?? "the move was cancelled.";
}

/** Why an organization that is suspended does not move. */
const STAYS: Readonly<Record<string, string>> = {
  suspended: 'it is suspended. "resume" ends that.',
  deleted: 'an owner has deleted it. "resume" restores it.',
  erased: "it is being deleted for good.",
  ceiling: 'it has reached a ceiling of this month. "quotas" raises it.',
};

async function beginMove(home: Bindings, organizationId: string, to: string): Promise<void> {
  if (to === "DB")
    throw new Failure("An organization moves to a shard, such as DB_2. To DB: archive, remove and restore it.");
  bindTo(home, to);
  const { name: source = "DB" } = home;
  const name = await requireOrganization(home, organizationId);
  if (source === to) throw new Failure(`${name} is in ${to} already.`);
  if ((await findSuspension(home, organizationId)) !== null)
    throw new Failure(`${name} cannot move: ${await explainStay(home, organizationId)}`);
  const now = new Date().toISOString();
  await bindTo(home, "DB").query(
    `INSERT INTO moves (organization_id, source, target, creation_time, time) VALUES (?1, ?2, ?3, ?4, ?4)
      ON CONFLICT DO NOTHING RETURNING 1`,
    [organizationId, source, to, now],
  );
}

async function cancelMove({ query }: Pick<Bindings, "query">, organizationId: string): Promise<void> {
  const [cancelled] = await query(
    `UPDATE moves SET state = 'cancelled', cursor = NULL, time = ?2
      WHERE organization_id = ?1 AND (state IN ('copying', 'following', 'resting', 'cancelled') OR state = 'switching'
        AND NOT EXISTS (SELECT 1 FROM homes WHERE homes.organization_id = ?1 AND shard = target)) RETURNING 1`,
    [organizationId, new Date().toISOString()],
  );
  if (cancelled === undefined) throw new Failure("It is not moving, or has switched already. Nothing was changed.");
}
