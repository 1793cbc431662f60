/** A list and a change of what it lists, interleaved. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

/** The database; before the first query that `recognized` knows, `work` is done. Only what the reads use. */
function interrupted(recognized: RegExp, work: () => Promise<unknown>): D1Database {
  let pending: (() => Promise<unknown>) | undefined = work;
  const statement = (text: string, real: D1PreparedStatement) => ({
    real,
    bind: (...values: unknown[]): unknown => statement(text, real.bind(...values)),
    async all() {
      if (pending !== undefined && recognized.test(text)) {
        const now = pending;
        pending = undefined;
        await now();
      }
      return real.all();
    },
  });
  const wrap = (db: Pick<D1Database, "prepare" | "batch">): unknown => ({
    prepare: (text: string) => statement(text, db.prepare(text)),
    batch: (all: readonly { real: D1PreparedStatement }[]) => db.batch(all.map(({ real }) => real)),
    withSession: (constraint: D1SessionConstraint) => wrap(env.DB.withSession(constraint)),
  });
  return wrap(env.DB) as D1Database;
}

describe("an article that changes while a list is read", () => {
  const heavy = (letter: string) => letter.repeat(200_000);

  it.each(["anonymous", "a member"])("is never shown without its content: the caller is %s", async (caller) => {
    const tenant = await newTenant();
    const as = { apiKey: tenant.apiKey };
    const body = { blogId: tenant.blogId, content: heavy("a"), published: true };
    const { _id } = await sendJson<{ _id: string }>(200, "/api/articles", { as, body });
    let interruptions = 0;
    const DB = interrupted(/^select "version", case when sum/, () => {
      interruptions++;
      return sendJson(200, "/api/articles", { as, body: { _id, content: heavy("b") } });
    });
    const path = `/api/articles?blogId=${tenant.blogId}`;
    const response = await send(path, { bindings: { DB }, ...(caller !== "anonymous" && { as }) });
    const items = (await response.json()) as { content: string }[];
    expect(interruptions).toBe(1);
    for (const { content } of items) expect([heavy("a"), heavy("b")].includes(content), content.slice(0, 9)).toBe(true);
  });
});
