/** Reads of a replica that is slow: how many of them ask the primary at once. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { makeReplicaReader } from "../../src/store/core/replica.ts";
import { PATIENCE } from "../helpers/webhooks.ts";

/** The most that may ask the primary at once, as architecture, "Reads on the nearest replica", says. */
const MOST = 10;

/** The real database, whose primary and replicas answer only once they are let. */
function heldDatabase() {
  const asked = { primary: 0, replica: 0 };
  const gates = { primary: Promise.withResolvers<void>(), replica: Promise.withResolvers<void>() };
  const held = (side: "primary" | "replica") => ({
    prepare: (text: string) => ({
      bind: (...values: unknown[]) => ({
        async all() {
          asked[side]++;
          await gates[side].promise;
          return env.DB.prepare(text)
            .bind(...values)
            .all();
        },
      }),
    }),
  });
  const database: unknown = { ...held("primary"), withSession: () => held("replica") };
  return { db: database as D1Database, asked, gates };
}

it("a few reads fall back to the primary, the others wait for the replica, and all are answered", async () => {
  const { db, asked, gates } = heldDatabase();
  const read = makeReplicaReader(db);
  const readMany = () => Array.from({ length: 3 * MOST }, () => read<{ n: number }>(sql`select 1 as "n"`));
  const answers = readMany();
  expect(asked).toEqual({ primary: 0, replica: 3 * MOST });
  await vi.waitFor(() => expect(asked.primary).toBe(MOST), PATIENCE);
  gates.replica.resolve();
  const late = await Promise.all(answers.slice(MOST));
  expect([late.length, asked.primary]).toEqual([2 * MOST, MOST]);
  gates.primary.resolve();
  expect(await Promise.all(answers)).toEqual(answers.map(() => [{ n: 1 }]));

  // Those that were answered have made room for others.
  const next = heldDatabase();
  next.gates.primary.resolve();
  const more = makeReplicaReader(next.db);
  expect(await more(sql`select 2 as "n"`)).toEqual([{ n: 2 }]);
  expect(next.asked).toEqual({ primary: 1, replica: 1 });
});

it("reads at the primary whose callers have left make room after ten seconds", async () => {
  const left = heldDatabase();
  const abandoned = makeReplicaReader(left.db);
  for (let n = 0; n < MOST; n++) void abandoned(sql`select 1`).catch(() => undefined);
  await vi.waitFor(() => expect(left.asked.primary).toBe(MOST), PATIENCE);
  const later = Date.now() + 10_000;
  vi.spyOn(Date, "now").mockImplementation(() => later);
  const next = heldDatabase();
  next.gates.primary.resolve();
  expect(await makeReplicaReader(next.db)(sql`select 2 as "n"`)).toEqual([{ n: 2 }]);
  vi.restoreAllMocks();
});
