/** What becomes of a translation whose article changes while a model writes it. */
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { generate, hold, release, untilAsked, type Generated } from "../helpers/generating.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** Translates an article into German; `meanwhile` runs while the model writes. */
async function translated(articleId: string, meanwhile: () => Promise<unknown>, more: object = {}): Promise<Response> {
  const name = newId();
  await hold(name);
  const running = generate(tenant, { name, body: { articleId, locale: "de", ...more } });
  await untilAsked(name);
  await meanwhile();
  await release(name);
  return running;
}

const change = (_id: string, body: object) =>
  sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, ...body } });

describe("a translation of an article that meanwhile", () => {
  it("was deleted is not stored: its text would be public again, and without its images", async () => {
    const { _id } = await newArticle(tenant, { content: "Some text about walks." });
    const as = { apiKey: tenant.apiKey };
    const remove = () => sendJson(200, `/api/articles/${_id}`, { as, method: "DELETE" });
    const refusal = await refusalOf(await translated(_id, remove), "not_found");
    expect(refusal.detail).toContain("was deleted while it was being translated");
    expect(await sendJson<unknown[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as })).toEqual([]);
    const [entry] = await sendJson<{ state: string; code: string }[]>(200, "/api/generations", { as });
    expect(entry).toMatchObject({ state: "failed", code: "not_found" });
  });

  it("has another slug and cover gets these, and stays its translation", async () => {
    const { _id } = await newArticle(tenant, { slug: "walks", content: "Some text about walks." });
    const now = { slug: "long-walks", coverUrl: "https://images.example.com/new" };
    const { article } = (await (await translated(_id, () => change(_id, now))).json()) as Generated;
    expect(article).toMatchObject({ ...now, locale: "de" } satisfies Partial<ArticleBody>);
  });

  it("has another slug and cover keeps what was asked for instead", async () => {
    const { _id } = await newArticle(tenant, { slug: "walks", content: "Some text about walks." });
    const now = { slug: "long-walks", coverUrl: "https://images.example.com/new" };
    const asked = { slug: "wanderungen", coverImage: false };
    const { article } = (await (await translated(_id, () => change(_id, now), asked)).json()) as Generated;
    expect(article).toMatchObject({ slug: "wanderungen", coverUrl: "" });
  });
});
