/** Contract 18.10: how long former states are kept, and what a pruning must not take. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { removeRevisions } from "../../src/store/articles/system-revisions.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { historyOf, storedStates } from "../helpers/history.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";
import { usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
beforeEach(async () => {
  await env.DB.prepare("delete from revisions").run();
  tenant = await newTenant();
});

const create = async (fields: Partial<ArticleBody> = {}, of = tenant) => {
  const article = await newArticle(of, fields);
  return { id: article._id, ...historyOf({ apiKey: of.apiKey }, article._id) };
};

const NO_QUOTA = { revisionBytes: 1e12 };
const after = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const numbersOf = async (id: string) => (await storedStates(id)).map(({ number }) => number);
const { draftRevisions, publishedRevisions } = LIMITS.keptDays;

/** Random, so that it does not become smaller. */
const noise = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => String.fromCharCode(33 + (byte % 90))).join("");

describe("age", () => {
  it("drafts go first, what was public stays longest", async () => {
    const { id, update } = await create({ content: "a" });
    await update({ content: "b", published: false });
    await update({ content: "c" });
    await update({ content: "d" });
    await removeRevisions(env.DB, after(draftRevisions - 1), NO_QUOTA);
    expect(await numbersOf(id)).toEqual([1, 2, 3]);
    await removeRevisions(env.DB, after(draftRevisions + 1), NO_QUOTA);
    expect(await numbersOf(id)).toEqual([1]);
    await removeRevisions(env.DB, after(publishedRevisions + 1), NO_QUOTA);
    expect(await numbersOf(id)).toEqual([]);
  });

  it("keeps the content of what was public, also where a later draft holds it", async () => {
    const { id, update, read } = await create({ content: "Was public" });
    await update({ published: false });
    await update({ title: "Still the same content" });
    await update({ content: "Another" });
    await update({ content: "And another" });
    await removeRevisions(env.DB, after(draftRevisions + 1), NO_QUOTA);
    expect((await read(1)).content).toBe("Was public");
    expect(await numbersOf(id)).toEqual([1, 2, 3]);
  });

  it("keeps the content that an older state needs, whatever the clocks said", async () => {
    const { id, update, read } = await create({ content: "Needed", published: false });
    await update({ title: "Two" });
    await update({ content: "Another" });
    await env.DB.prepare("update revisions set end_time = ? where article_id = ? and number = 1")
      .bind(after(10).toISOString(), id)
      .run();
    await removeRevisions(env.DB, after(draftRevisions + 1), NO_QUOTA);
    expect(await numbersOf(id)).toEqual([1, 2]);
    expect((await read(1)).content).toBe("Needed");
  });

  it("a day's run over a large history reads no more than it deletes, and the index of each organization", async () => {
    const { id, update } = await create();
    await update({ title: "One" });
    await env.DB.prepare(
      `insert into revisions (article_id, number, organization_id, published, lasting, members, last_edit_time, end_time)
       with recursive n(value) as (select 10 union all select value + 1 from n where value < 3000)
       select ?1, value, ?2, 0, 0, '{}', ?3, ?3 from n`,
    )
      .bind(id, tenant.organizationId, new Date().toISOString())
      .run();
    const { db, counts } = countingDatabase();
    await removeRevisions(db, new Date(), NO_QUOTA);
    expect(counts.rowsRead).toBeLessThan(200);
    expect((await storedStates(id)).length).toBe(2992);
  });
});

describe("size", () => {
  it("above the quota the oldest drafts go, then the oldest that were public, until it fits; others keep theirs", async () => {
    const other = await newTenant();
    const neighbour = await create({ content: noise(500) }, other);
    await neighbour.update({ content: noise(500) });
    const { id, update } = await create({ content: noise(1000) });
    await update({ content: noise(1000), published: false });
    for (let n = 0; n < 4; n++) await update({ content: noise(1000) });
    expect(await numbersOf(id)).toEqual([1, 2, 3, 4, 5]);
    const one = (await usageOf(tenant.organizationId)).counted.articleBytes;
    await removeRevisions(env.DB, new Date(), { revisionBytes: 3 * one + 100 });
    expect(await numbersOf(id)).toEqual([1, 4, 5]);
    expect(await numbersOf(neighbour.id)).toEqual([1]);
    await removeRevisions(env.DB, new Date(), { revisionBytes: 0 });
    expect([await numbersOf(id), await numbersOf(neighbour.id)]).toEqual([[], []]);
  });

  it("no save is refused by it", async () => {
    const { id, path } = await create();
    const bindings = { ORGANIZATION_REVISION_MEGABYTES: "0" } as unknown as Partial<Env>;
    const { update } = historyOf({ apiKey: tenant.apiKey }, id);
    expect(await update({ title: "Saved" }, { bindings })).toMatchObject({ title: "Saved" });
    expect(path).toContain(id);
  });
});

describe("a pruning at the moment of a save", () => {
  it("takes no content that a kept state needs, however they fall together", async () => {
    const { id, update, read } = await create({ content: "0", published: true });
    const writes = Array.from({ length: 12 }, (_, n) => async () => {
      await update(n % 3 === 0 ? { published: n % 2 === 0 } : { content: `content ${n}` });
    });
    const prune = () => removeRevisions(env.DB, after(draftRevisions + 1), { revisionBytes: 200 });
    await Promise.all([...writes.map((write) => write()), prune(), prune(), prune(), prune()]);
    const states = await storedStates(id);
    for (const [index, { number, kind }] of states.entries()) {
      expect((await read(number)).content).toMatch(/^0$|^content \d+$/);
      // A state without content has the content of its very next one, or of the article if it is the last.
      if (kind === "null" && index < states.length - 1) expect(states[index + 1]?.number).toBe(number + 1);
    }
    expect((await usageOf(tenant.organizationId)).counted).toEqual((await usageOf(tenant.organizationId)).recounted);
  });
});
