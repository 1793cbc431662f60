/** Contract 7.1, 7.5: topic ideas over REST. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { TopicRecord } from "../../src/store/topics/topics.ts";
import { newIdeas, TOPIC_MEMBERS } from "../helpers/ideas.ts";
import { headerOf } from "../helpers/outcome.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const list = ({ blogId }: Pick<Tenant, "blogId">, more = ""): string => `/api/topics?blogId=${blogId}${more}`;
const topics = (tenant: Tenant, more = "") => sendJson<TopicRecord[]>(200, list(tenant, more), { as: tenant });
const idsOf = (ideas: readonly { _id: string }[]): string[] => ideas.map(({ _id }) => _id);
const nextOf = (response: Response): string | undefined =>
  /^<([^>]+)>; rel="next"$/.exec(response.headers.get("Link") ?? "")?.[1];

/** All pages, from the first one on. */
async function pages(tenant: Tenant, more: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let path: string | undefined = list(tenant, more); path !== undefined;) {
    const response: Response = await send(path, { as: tenant });
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
    found.push(idsOf(await response.json<TopicRecord[]>()));
    path = nextOf(response);
  }
  return found;
}

describe("GET /api/topics", () => {
  it("lists the ideas of a blog with the members of contract 7.1", async () => {
    const tenant = await newTenant();
    const [id] = await newIdeas(tenant, [{ title: "Slow ferries", score: 2500.125 }]);
    const response = await send(list(tenant), { as: tenant });
    const [idea, ...more] = await response.json<TopicRecord[]>();
    expect(more).toEqual([]);
    expect(Object.keys(idea ?? {})).toEqual(TOPIC_MEMBERS);
    expect(idea).toEqual({
      _id: id,
      blogId: tenant.blogId,
      title: "Slow ferries",
      summary: "About it",
      angle: "",
      url: `https://example.com/${id}`,
      source: { kind: "feed", name: "A feed" },
      mentions: [],
      keywords: ["idea"],
      locale: "en",
      score: 2500.125,
      status: "new",
      articleId: null,
      creationTime: "2026-11-18T12:00:00.000Z",
      lastEditTime: "2026-11-18T12:00:00.000Z",
    });
    expect(headerOf(response, "Cache-Control")).toBe("private, no-store");
    expect(headerOf(response, "Content-Type")).toBe("application/json");
  });

  it("the best first, of equal ones the newest", async () => {
    const tenant = await newTenant();
    const scores = [2500, -3.5, 2500, 2600.001, 0, 2500.5];
    const ids = await newIdeas(
      tenant,
      scores.map((score) => ({ score })),
    );
    expect(idsOf(await topics(tenant))).toEqual([3, 5, 2, 0, 4, 1].map((index) => ids[index]));
  });

  it("a cursor leads through all pages without gaps and repetitions, also among equal scores", async () => {
    const tenant = await newTenant();
    // Scores as refreshes make them: all decimals, a few below zero, many of them equal.
    const scores = Array.from(
      { length: 57 },
      (_, n) => Math.round((n % 9) * 777.7777 - 1111) / 1000 + (n % 5) * 500.001,
    );
    await newIdeas(
      tenant,
      scores.map((score, n) => ({ score: Math.round(score * 1000) / 1000, status: n % 4 === 0 ? "dismissed" : "new" })),
    );
    for (const filter of ["", "&status=new"]) {
      const whole = idsOf(await topics(tenant, filter));
      for (const limit of [1, 7, 20]) {
        const found = await pages(tenant, `${filter}&limit=${limit}`);
        expect(found.flat()).toEqual(whole);
        expect(found.slice(0, -1).every(({ length }) => length === limit)).toBe(true);
      }
    }
  });

  it("a cursor goes on where it was, whatever came before it in the meantime", async () => {
    const tenant = await newTenant();
    const ids = await newIdeas(
      tenant,
      Array.from({ length: 6 }, (_, n) => ({ score: 100 - n })),
    );
    const first = await send(list(tenant, "&limit=3"), { as: tenant });
    await newIdeas(tenant, [{ score: 500 }]);
    expect(idsOf(await sendJson(200, nextOf(first) ?? "", { as: tenant }))).toEqual(ids.slice(3));
  });

  it("has an ETag that changes with any of its ideas; 304 where it is known", async () => {
    const tenant = await newTenant();
    const [id] = await newIdeas(tenant, [{ score: 2 }, { score: 1 }]);
    const first = await send(list(tenant), { as: tenant });
    const etag = headerOf(first, "ETag");
    const unchanged = await send(list(tenant), { as: tenant, headers: { "If-None-Match": etag } });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
    await sendJson(200, `/api/topics/${id}`, { as: tenant, method: "PATCH", body: { status: "dismissed" } });
    const changed = await send(list(tenant), { as: tenant, headers: { "If-None-Match": etag } });
    expect(changed.status).toBe(200);
    expect(headerOf(changed, "ETag")).not.toBe(etag);
  });
});

describe("an idea", () => {
  it("shows its mentions with their sources", async () => {
    const tenant = await newTenant();
    const [id] = await newIdeas(tenant, [{}]);
    const mentions = [{ url: "https://lobste.rs/s/1", source: { kind: "lobsters", name: "Lobsters" } }];
    await env.DB.prepare("update topics set mentions = ? where id = ?").bind(JSON.stringify(mentions), id).run();
    expect((await topics(tenant))[0]?.mentions).toEqual(mentions);
  });
});
