/** Contract 1.3, 4.2, 4.4, 4.6, 4.8, 11.3: visibility for each kind of caller, merges, and a write with its event as one. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { outcome, statusesOf } from "../helpers/outcome.ts";
import { quiet } from "../helpers/refusals.ts";
import { seenBy, subscribe } from "../helpers/webhooks.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { newArticle, newKey, newTenant, type ArticleBody } from "../helpers/tenant.ts";

/** Two blogs of one organization and one of another, each with a published article and a draft. */
async function world() {
  const owner = await newTenant();
  const operator = { operatorToken: owner.operatorToken };
  const other = await newTenant();
  const second = await sendJson<{ _id: string }>(200, "/api/blogs", { as: owner, body: { name: "Second" } });
  const pin = (blogId: string) => newKey(operator, ["articles:read", "articles:write"], { blogId });
  const open = await newArticle(owner);
  const draft = await newArticle(owner, { published: false, title: "Draft" });
  const callers: Record<string, Credential> = {
    anonymous: {},
    "another organization's key": { apiKey: other.apiKey },
    "another organization's operator": { operatorToken: other.operatorToken },
    "the organization's key": { apiKey: owner.apiKey },
    "the organization's operator": operator,
    "a key pinned to the blog": { apiKey: await pin(owner.blogId) },
    "a key pinned to another blog": { apiKey: await pin(second._id) },
  };
  return { owner, open, draft, callers };
}

describe("who sees what", () => {
  let all: Awaited<ReturnType<typeof world>>;
  beforeAll(async () => {
    all = await world();
  });

  const expected: [caller: string, list: string[] | number, open: number, draft: number][] = [
    ["anonymous", ["open"], 200, 404],
    ["another organization's key", [], 404, 404],
    ["another organization's operator", [], 404, 404],
    ["the organization's key", ["draft", "open"], 200, 200],
    ["the organization's operator", ["draft", "open"], 200, 200],
    ["a key pinned to the blog", ["draft", "open"], 200, 200],
    ["a key pinned to another blog", 403, 404, 404],
  ];

  it.each(expected)("%s: list %j, published article %i, draft %i", async (caller, list, openStatus, draftStatus) => {
    const { owner, open, draft, callers } = all;
    const as = callers[caller] ?? {};
    const names = new Map([
      [open._id, "open"],
      [draft._id, "draft"],
    ]);
    const response = await send(`/api/articles?blogId=${owner.blogId}`, { as });
    const body = await response.json<ArticleBody[]>();
    expect(response.status === 200 ? body.map(({ _id }) => names.get(_id)) : response.status).toEqual(list);
    for (const name of [open._id, open.slug]) {
      expect((await send(`/api/articles/${name}`, { as })).status).toBe(openStatus);
    }
    expect((await send(`/api/articles/${draft._id}`, { as })).status).toBe(draftStatus);
  });

  it("published=false is an empty list for those who see no drafts, and so is an unknown blog", async () => {
    const { owner, draft, callers } = all;
    const drafts = `/api/articles?blogId=${owner.blogId}&published=false`;
    for (const caller of ["anonymous", "another organization's key", "another organization's operator"]) {
      const as = callers[caller] ?? {};
      expect(await sendJson(200, drafts, { as })).toEqual([]);
      expect(await sendJson(200, `/api/articles?blogId=${newId()}`, { as })).toEqual([]);
    }
    expect(await sendJson(200, drafts, { as: owner })).toEqual([draft]);
  });

  it("what everybody may read, another organization may not write", async () => {
    const { open, callers } = all;
    const as = callers["another organization's key"] ?? {};
    expect(await outcome("/api/articles", { as, body: { ...open, title: "Mine" } })).toBe("404 not_found");
    expect(await outcome(`/api/articles/${open._id}`, { as, method: "DELETE" })).toBe("404 not_found");
    expect(await sendJson(200, `/api/articles/${open._id}`)).toEqual(open);
  });
});

describe("contract 2.5: an update is a merge", () => {
  it("two writers who change different members at once lose nothing of each other", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant, { title: "Old", description: "Old" });
    await Promise.all([
      sendJson(200, "/api/articles", { as: tenant, body: { _id, title: "New" } }),
      sendJson(200, "/api/articles", { as: tenant, body: { _id, description: "New" } }),
    ]);
    expect(await sendJson(200, `/api/articles/${_id}`)).toMatchObject({ title: "New", description: "New" });
  });

  it("another locale of a published article is added to the blog's, as it is by a creation", async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    await sendJson(200, "/api/articles", { as: tenant, body: { _id, locale: "pt-BR" } });
    expect(await sendJson(200, "/api/blogs", { as: tenant })).toMatchObject([{ locales: ["en", "pt-BR"] }]);
  });

  it("an update that is refused changes no member, and no event tells of it", async () => {
    const tenant = await newTenant();
    await newArticle(tenant, { slug: "taken" });
    const article = await newArticle(tenant, { slug: "free", title: "Before" });
    await quiet();
    const { name } = await subscribe(tenant);
    const attempts = [
      { title: "After", slug: "taken" },
      { title: "After", blogId: newId() },
      { title: "After", nonsense: true },
    ];
    for (const attempt of attempts) {
      expect((await send("/api/articles", { as: tenant, body: { _id: article._id, ...attempt } })).ok).toBe(false);
    }
    await quiet();
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
    expect(await seenBy(name)).toEqual([]);
  });
});

describe("the change and its event are one transaction", () => {
  /** Runs work while events cannot be stored. */
  async function withoutOutbox(work: () => Promise<void>): Promise<void> {
    await env.DB.prepare(
      "create trigger no_events before insert on events begin select raise(abort, 'full'); end",
    ).run();
    try {
      await work();
    } finally {
      await env.DB.prepare("drop trigger no_events").run();
    }
  }

  it("a creation whose event cannot be stored stores no article", async () => {
    const tenant = await newTenant();
    await withoutOutbox(async () => {
      expect(await outcome("/api/articles", { as: tenant, body: { title: "x" } })).toBe("500 internal");
    });
    expect(await sendJson(200, `/api/articles?blogId=${tenant.blogId}`, { as: tenant })).toEqual([]);
  });

  it("an update and a deletion whose event cannot be stored leave the article as it was", async () => {
    const tenant = await newTenant();
    const article = await newArticle(tenant);
    await withoutOutbox(async () => {
      const body = { _id: article._id, title: "Changed" };
      expect(await outcome("/api/articles", { as: tenant, body })).toBe("500 internal");
      expect(await outcome(`/api/articles/${article._id}`, { as: tenant, method: "DELETE" })).toBe("500 internal");
    });
    expect(await sendJson(200, `/api/articles/${article._id}`)).toEqual(article);
  });

  it("nor is a write noted that did not happen: the audit has no trace of it", async () => {
    const tenant = await newTenant();
    const as = { operatorToken: tenant.operatorToken };
    const before = await sendJson<unknown[]>(200, "/api/audit", { as });
    await withoutOutbox(async () => {
      expect(await outcome("/api/articles", { as, body: { title: "x" } })).toBe("500 internal");
    });
    expect(await sendJson(200, "/api/audit", { as })).toEqual(before);
  });
});

describe("DELETE", () => {
  it('answers {"_id": "…"}, and of two at once only one', async () => {
    const tenant = await newTenant();
    const { _id } = await newArticle(tenant);
    const remove = () => send(`/api/articles/${_id}`, { as: tenant, method: "DELETE" });
    const answers = await Promise.all([remove(), remove(), remove()]);
    expect(statusesOf(answers)).toEqual([200, 404, 404]);
    const done = answers.find(({ status }) => status === 200);
    expect(await done?.json()).toEqual({ _id });
  });
});
