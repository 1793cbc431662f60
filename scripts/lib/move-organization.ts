/** `admin move-organization`: has the Worker move an organization to another database (src/store/moving/move.ts), and tells how far it is. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "./failure.ts";
import { requireOrganization } from "./administration.ts";
import { bindTo, type Bindings } from "./place-bindings.ts";

const TOLD: Readonly<Record<string, string>> = {
  copying: "Copying its rows. The organization works on meanwhile.",
  following: "Bringing what has changed since. This takes a minute at least.",
  resting: "Waiting for webhooks and generations that are under way.",
  switching: "Switching.",
  finishing: "It has switched.",
  cancelled: "Cancelled. Removing what was copied.",
};

export type MoveOptions = { readonly to?: string | undefined; readonly cancel?: boolean | undefined };

/**
 * Begins a move of an organization from its database, or goes on with it, and waits for its end: without this program, the Worker goes on by itself. Throws a `Failure` if there is no such
 * organization, it is there already, or it is on its way to another database.
 */
export async function moveOrganization(
  home: Bindings,
  organizationId: string,
  { to, cancel = false }: MoveOptions,
): Promise<string> {
  const { query } = bindTo(home, "DB");
  const readMove = async () =>
    (await query("SELECT state, target FROM moves WHERE organization_id = ?1", [organizationId]))[0];
  if (cancel) await cancelMove({ query }, organizationId);
  else if ((await readMove()) === undefined) await beginMove(home, organizationId, to ?? "");
  for (let told = ""; ; await wait(1000)) {
    const { state, target } = (await readMove()) ?? {};
    if (state === undefined) return "Cancelled       It is where it was.";
    if (!cancel && target !== to)
      throw new Failure(`It is moving to ${String(target)}, or has moved there: its old rows stay for a day.`);
    if (state === "switched") return `Moved           to ${String(target)}\nThe old rows are removed after a day.`;
    if (state !== told) console.log(TOLD[String(state)] ?? state);
    told = String(state);
  }
}

async function beginMove(home: Bindings, organizationId: string, to: string): Promise<void> {
  if (to === "DB")
    throw new Failure("An organization moves to a shard, such as DB_2. To DB: archive, remove and restore it.");
  bindTo(home, to);
  const { name: source = "DB", query } = home;
  const name = await requireOrganization(home, organizationId);
  if (source === to) throw new Failure(`${name} is in ${to} already.`);
  const [suspended] = await query("SELECT 1 FROM suspensions WHERE organization_id = ?1", [organizationId]);
  if (suspended !== undefined) throw new Failure(`${name} is suspended. It can move once it is resumed.`);
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
