/** Transactions: what each statement answers is found under its name, whatever stands before it. */
import { env } from "cloudflare:workers";
import { eq, inArray, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { blogs } from "../../src/schema/blogs.ts";
import { localMails } from "../../src/schema/people.ts";
import { orm, runTransaction } from "../../src/store/core/sql.ts";
import { newTenant } from "../helpers/tenant.ts";

const TIME = "2026-01-01T00:00:00.000Z";

const storing = (id: string) =>
  orm(env.DB).insert(localMails).values({ id, recipient: "a@example.com", subject: "", body: "", creationTime: TIME });

it("has the rows of the builder and of raw SQL under the names of their statements, those of a list as a list", async () => {
  const { blogId } = await newTenant();
  const ids = [newId(), newId()];
  const { stored, removed, blog, raw } = await runTransaction(env.DB, {
    nothing: [],
    stored: ids.map((id) => storing(id).returning({ mailId: localMails.id })),
    raw: sql<{ n: number }>`select count(*) as "n" from ${localMails} where ${inArray(localMails.id, ids)}`,
    // Of a table with JSON in a column: the builder reads it by the schema.
    blog: orm(env.DB).select({ locales: blogs.locales, _id: blogs.id }).from(blogs).where(eq(blogs.id, blogId)),
    removed: orm(env.DB)
      .delete(localMails)
      .where(inArray(localMails.id, ids))
      .returning({ time: localMails.creationTime }),
  });
  expect(stored).toEqual(ids.map((mailId) => [{ mailId }]));
  expect(raw).toEqual([{ n: 2 }]);
  expect(blog).toEqual([{ locales: ["en"], _id: blogId }]);
  expect(removed).toEqual([{ time: TIME }, { time: TIME }]);
});

it("stores nothing where one of its statements fails", async () => {
  const id = newId();
  await expect(runTransaction(env.DB, { first: storing(id), again: storing(id) })).rejects.toThrow("UNIQUE");
  const found = await orm(env.DB).select().from(localMails).where(eq(localMails.id, id));
  expect(found).toEqual([]);
});
