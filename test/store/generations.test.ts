/** The ledger of generations, where an invocation ended in its middle. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { abandonGenerations } from "../../src/store/generation/system-generations.ts";

it("says of a generation that has had all its time that it failed, and leaves the others alone", async () => {
  const organizationId = newId();
  const now = new Date();
  const begun = async (minutesAgo: number, state: string) => {
    const id = newId();
    const time = new Date(now.getTime() - minutesAgo * 60_000).toISOString();
    await env.DB.prepare(
      `insert into generations (id, organization_id, blog_id, actor_kind, actor_id, provider, model, state, creation_time)
       values (?, ?, '', 'key', '', '', '', ?, ?)`,
    )
      .bind(id, organizationId, state, time)
      .run();
    return id;
  };
  const ids = [await begun(20, "running"), await begun(14, "running"), await begun(20, "stored")];
  await abandonGenerations(env.DB, now);
  const { results } = await env.DB.prepare("select id, state, code from generations where organization_id = ?")
    .bind(organizationId)
    .all<{ id: string; state: string; code: string | null }>();
  const found = new Map(results.map(({ id, state, code }) => [id, [state, code]]));
  expect(ids.map((id) => found.get(id))).toEqual([
    ["failed", "internal"],
    ["running", null],
    ["stored", null],
  ]);
});
