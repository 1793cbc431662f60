/** Contract 8.10 and 8.11: an outline to approve, an estimate, and the tokens of a day. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { askedOf, baseUrl, generate, generated, SHORT, type Generated } from "../helpers/generating.ts";
import { refusalOf } from "../helpers/refusals.ts";
import { UNDELIVERED } from "../helpers/queued-generations.ts";
import { SCOPES } from "../../src/domain/principal.ts";
import { issueKey, send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

type Outline = { title: string; keyword: string; sections: { heading: string; points: string[]; words: number }[] };
type Outlined = { outline: Outline; inputTokens: number; outputTokens: number };
type Estimate = {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cost: number | null;
  tokensToday: { used: number; limit: number | null } | null;
};

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

const settingsOf = (name: string) =>
  ({
    AI_BASE_URL: baseUrl("ok", name),
    AI_MODEL: "test",
    AI_PRICES: '{"test": {"input": 1, "output": 4}}',
  }) as unknown as Partial<Env>;

const ask = <T>(path: string, body: object, { of = tenant, name = newId() } = {}) =>
  sendJson<T>(200, path, {
    as: { apiKey: of.apiKey },
    body: { blogId: of.blogId, ...body },
    bindings: settingsOf(name),
  });

const outline = (body: object = SHORT, more: { of?: Tenant; name?: string } = {}) =>
  ask<Outlined>("/api/articles/outline", body, more);

const estimate = (body: object = SHORT, more: { of?: Tenant; name?: string } = {}) =>
  ask<Estimate>("/api/generations/estimate", body, more);

const allow = (of: Tenant, modelTokensPerDay: number | null) =>
  sendJson(200, "/api/organization", {
    as: { operatorToken: of.operatorToken },
    method: "PUT",
    body: { name: "Thrifty", modelTokensPerDay },
  });

/** Lets all that ran have ended a day ago. */
const finishYesterday = (of: Tenant) =>
  env.DB.prepare("update generations set finish_time = ? where organization_id = ?")
    .bind(new Date(Date.now() - 86_400_000).toISOString(), of.organizationId)
    .run();

const sum = ({ metadata }: Generated) => Number(metadata["inputTokens"]) + Number(metadata["outputTokens"]);

describe("an outline", () => {
  it("takes one call, stores no article, and is written as somebody has changed it, without another plan", async () => {
    const [planning, writing] = [newId(), newId()];
    const { outline: planned } = await outline(SHORT, { name: planning });
    expect(await askedOf(planning)).toHaveLength(1);
    const [first, ...others] = planned.sections;
    expect(first).toMatchObject({ heading: expect.any(String), points: expect.any(Array), words: expect.any(Number) });
    const changed = {
      title: "Walks before the city wakes",
      keyword: "dawn walks",
      sections: [
        ...others.map((each) => ({ ...each, words: 400 })),
        { heading: "The first tram", points: ["It leaves at five"], words: 200 },
      ],
    };
    const { article, metadata } = await generated(tenant, { name: writing, body: { ...SHORT, outline: changed } });
    expect(article.title).toBe("Walks before the city wakes");
    expect(metadata["outline"]).toEqual(
      [...others, { heading: "The first tram", points: ["It leaves at five"] }].map(({ heading, points }) => ({
        heading,
        points,
      })),
    );
    expect(article.content).toContain("## The first tram");
    expect((metadata["keywords"] as string[])[0]).toBe("dawn walks");
    const asked = await askedOf(writing);
    expect(asked).toHaveLength(changed.sections.length + 1);
    for (const [index, { words }] of changed.sections.entries())
      expect(
        asked.some(
          ({ body }) => body.includes(`Write section ${index + 1} of`) && body.includes(`about ${words} words`),
        ),
      ).toBe(true);
  });

  it("is refused for a translation, and with parts that are empty or too many", async () => {
    const { article } = await generated(tenant, { body: { ...SHORT, published: false } });
    const translated = { articleId: article._id, locale: "de", words: 300 };
    const as = { apiKey: tenant.apiKey };
    const bindings = settingsOf(newId());
    const refused = await send("/api/articles/outline", { as, body: translated, bindings });
    expect((await refusalOf(refused, "invalid_request")).errors).toMatchObject([{ path: "locale" }]);
    const section = { heading: "x" };
    for (const [body, path] of [
      [{ ...translated, outline: { title: "x", keyword: "x", sections: [section] } }, "outline"],
      [{ ...SHORT, outline: { title: "x", keyword: "x", sections: [] } }, "outline.sections"],
      [{ ...SHORT, outline: { title: "x", keyword: "x", sections: [{ heading: " " }] } }, "outline.sections.0.heading"],
      [{ ...SHORT, outline: { title: "https://x.example/", keyword: "x", sections: [section] } }, "outline.title"],
      [
        { ...SHORT, outline: { title: "x", keyword: "x", sections: Array.from({ length: 21 }, () => section) } },
        "outline.sections",
      ],
    ] as const) {
      const problem = await refusalOf(await generate(tenant, { body }), "invalid_request");
      expect(problem.errors).toMatchObject([{ path }]);
    }
  });
});

describe("an estimate", () => {
  it("asks no model, and is near to what is used then, also with an outline and for a translation", async () => {
    const own = await newTenant();
    const name = newId();
    const { outline: planned } = await outline({ ...SHORT, words: 600 }, { of: own });
    const orders = [
      { ...SHORT, words: 600 },
      { ...SHORT, words: 600, outline: planned },
    ];
    const first = await generated(own, { body: { ...SHORT, published: false } });
    for (const body of [...orders, { articleId: first.article._id, locale: "de", published: false }]) {
      const { cost, ...told } = await estimate(body, { of: own, name });
      expect(await askedOf(name)).toEqual([]);
      const writing = newId();
      const made = await generated(own, { name: writing, body: { published: false, ...body } });
      expect(told.calls).toBe((await askedOf(writing)).length);
      const asked = await askedOf(writing);
      const sent = asked.flatMap(
        ({ body: text }) => (JSON.parse(text) as { messages: { content: string }[] }).messages,
      );
      const ratio = told.inputTokens / (sent.map(({ content }) => content).join("").length / 4);
      expect([ratio > 0.8, ratio < 1.25], String(ratio)).toEqual([true, true]);
      const written = told.outputTokens / (made.article.content.length / 4);
      expect([written > 0.8, written < 2.5], String(written)).toEqual([true, true]);
      expect(cost).toBe((told.inputTokens + 4 * told.outputTokens) / 1e6);
    }
  });
});

describe("the tokens of a day", () => {
  it("keep a generation, an outline and help from beginning that would take more, until the day ends", async () => {
    const own = await newTenant();
    const { inputTokens, outputTokens } = await estimate(SHORT, { of: own });
    const wanted = inputTokens + outputTokens;
    await allow(own, wanted - 1);
    const name = newId();
    const refused = await generate(own, { name });
    const wait = Number(refused.headers.get("Retry-After"));
    expect([wait > 0, wait <= 86_400]).toEqual([true, true]);
    const { detail } = await refusalOf(refused, "generation_limit");
    expect(detail).toContain(
      `about ${wanted.toLocaleString("en")} tokens. That is more than the ${(wanted - 1).toLocaleString("en")}`,
    );
    await allow(own, wanted + 300);
    const made = await generated(own, { name, behaviour: "usage-300" });
    const { tokensToday } = await estimate(SHORT, { of: own });
    expect(tokensToday).toMatchObject({ used: sum(made), limit: wanted + 300 });
    const usage = await sendJson(200, "/api/usage", { as: { apiKey: own.apiKey } });
    expect(usage["modelTokensPerDay"]).toEqual(tokensToday);
    const asked = (await askedOf(name)).length;
    await refusalOf(await generate(own, { name }), "generation_limit");
    expect(await askedOf(name)).toHaveLength(asked);
    // What ran on an earlier day does not count.
    await finishYesterday(own);
    await generated(own, { name });
    // Without a ceiling, nothing is refused.
    await allow(own, null);
    await generated(own);
  });

  it("are planned by those that run, so that not all that begin at once find room", async () => {
    const own = await newTenant();
    const { inputTokens, outputTokens } = await estimate(SHORT, { of: own });
    await allow(own, Math.round(2.5 * (inputTokens + outputTokens)));
    const all = await Promise.all([1, 2, 3, 4].map(() => generate(own)));
    expect(all.map(({ status }) => String(status)).toSorted()).toEqual(["200", "200", "429", "429"]);
  });

  it("end one that takes more than estimated, and what it has paid for is kept", async () => {
    const own = await newTenant();
    const { inputTokens, outputTokens } = await estimate(SHORT, { of: own });
    const allowed = inputTokens + outputTokens;
    await allow(own, allowed);
    const name = newId();
    const options = { name, headers: { "Idempotency-Key": newId() }, behaviour: `usage-${allowed}` };
    const first = await generate(own, options);
    expect(Number(first.headers.get("Retry-After"))).toBeGreaterThan(0);
    await refusalOf(first, "generation_limit");
    const asked = (await askedOf(name)).length;
    await refusalOf(await generate(own, options), "generation_limit");
    expect(await askedOf(name)).toHaveLength(asked);
    // On the next day it goes on, though it has used more than a day's, and what it used before does not count.
    await finishYesterday(own);
    const made = await generated(own, { ...options, behaviour: "usage-10" });
    const { tokensToday } = await estimate(SHORT, { of: own });
    expect([tokensToday?.used, sum(made)]).toEqual([20 * ((await askedOf(name)).length - asked), 2 * allowed + 80]);
  });

  it("count what a provider has not counted, and answers that break off, by an estimate", async () => {
    const own = await newTenant();
    const used = async () => (await estimate(SHORT, { of: own })).tokensToday?.used ?? 0;
    const made = await generated(own, { behaviour: "no-usage" });
    expect([sum(made), (await used()) > 2000]).toEqual([0, true]);
    await finishYesterday(own);
    await refusalOf(await generate(own, { behaviour: "unfinished" }), "ai_cut_off");
    expect(await used()).toBeGreaterThan(500);
  });

  it("are not planned by what waits in a blog that is deleted", async () => {
    const own = await newTenant();
    const as = { operatorToken: own.operatorToken };
    const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Gone" } });
    const bindings = { ...settingsOf(newId()), GENERATIONS: UNDELIVERED } as unknown as Partial<Env>;
    await sendJson(202, "/api/generations", { as, body: { ...SHORT, blogId }, bindings });
    expect((await estimate(SHORT, { of: own })).tokensToday?.used).toBeGreaterThan(1000);
    await sendJson(200, `/api/blogs/${blogId}`, { as, method: "DELETE" });
    expect((await estimate(SHORT, { of: own })).tokensToday?.used).toBe(0);
  });

  it("are not told to a credential that is pinned to one blog", async () => {
    const own = await newTenant();
    const pinned = await issueKey({ operatorToken: own.operatorToken }, SCOPES, { blogId: own.blogId });
    const of = { ...own, apiKey: pinned.secret };
    expect((await estimate(SHORT, { of })).tokensToday).toBeNull();
    await allow(own, 5000);
    const { detail } = await refusalOf(await generate(of, { body: { ...SHORT, words: 3000 } }), "generation_limit");
    expect(detail).toMatch(
      /^It would take about [\d,]+ tokens\. The organization does not allow so many more today\.$/,
    );
  });
});
