/** The counters of what an organization has stored are exact, whatever writes at once. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { COUNTED, TEXTS } from "../../src/domain/article-fields.ts";
import { newId } from "../../src/lib/ids.ts";
import { removeExpired } from "../../src/store/retention.ts";
import { send } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import fc from "../helpers/fast-check.ts";
import { generated } from "../helpers/generating.ts";
import { usageOf } from "../helpers/usage.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

async function expectExact(): Promise<void> {
  const { counted, recounted } = await usageOf(tenant.organizationId);
  expect(counted).toEqual(recounted);
}

const text = fc.string({ unit: "grapheme", maxLength: 200 }).filter((each) => !each.includes("\0"));
const key = fc.option(fc.constantFrom("a", "b", "c", "d"), { nil: undefined });
const place = fc.nat(5);
const member = fc.constantFrom(...TEXTS.filter((name) => COUNTED.some((counted) => counted === name)));

/** Keys are shared: some calls replay an answer, run while another does, or are refused as another request. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), text, key }),
  fc.record({ kind: fc.constant("update" as const), text, key, place, member }),
  fc.record({ kind: fc.constant("publish" as const), key, place, published: fc.boolean() }),
  fc.record({ kind: fc.constant("delete" as const), key, place }),
  fc.record({ kind: fc.constant("contact" as const), key, place }),
  fc.record({ kind: fc.constant("expire" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(each: Step, ids: readonly string[]): Promise<void> {
  if (each.kind === "expire") return removeExpired(env.DB, new Date(Date.now() + 2 * 24 * 3600 * 1000));
  const as = { apiKey: tenant.apiKey };
  const headers = each.key === undefined ? {} : { "Idempotency-Key": each.key };
  const _id = "place" in each ? (ids[each.place] ?? newId()) : undefined;
  const post = (path: string, body: object) => send(path, { as, headers, body });
  const request = {
    create: () => post("/api/articles", { title: "x", ...("text" in each && { content: each.text }) }),
    update: () => post("/api/articles", { _id, ...("member" in each && { [each.member]: each.text }) }),
    publish: () => post("/api/articles", { _id, ...("published" in each && { published: each.published }) }),
    delete: () => send(`/api/articles/${_id}`, { as, headers, method: "DELETE" }),
    contact: () => post("/api/contacts", { email: `${"place" in each ? each.place : 0}@example.com` }),
  };
  const response = await request[each.kind]();
  expect(response.status).toBeLessThan(500);
}

it("after any writes, several at once", async () => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const steps of all) {
        const { results } = await env.DB.prepare("select id from articles where organization_id = ? order by id")
          .bind(tenant.organizationId)
          .all<{ id: string }>();
        const ids = results.map(({ id }) => id);
        await Promise.all(steps.map((each) => take(each, ids)));
        await expectExact();
      }
    }),
    { numRuns: 12 },
  );
});

it("with a generated article, whose answer has its content", async () => {
  await generated(tenant, { headers: { "Idempotency-Key": "generated" } });
  await expectExact();
  expect((await usageOf(tenant.organizationId)).counted.articles).toBe(1);
});

it("in bytes, not characters", async () => {
  const { counted: before } = await usageOf(tenant.organizationId);
  await newArticle(tenant, { title: "é", content: "😀", coverUrl: "", description: "" });
  const { counted } = await usageOf(tenant.organizationId);
  expect(counted.articleBytes - before.articleBytes).toBe(6);
});
