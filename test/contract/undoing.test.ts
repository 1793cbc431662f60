/** Contract 18.30: what an app or a key has done is undone where nobody else has changed it since. */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { issueKey } from "../helpers/requests.ts";
import { inMinutes } from "../helpers/schedules.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

type Undone = { articleId: string; outcome: string; done: string[]; changedBy: { id: string } | null };
type Answer = { articles: Undone[]; further: { action: string; count: number }[]; next: string | null };

const SCOPES = ["articles:read", "articles:draft", "articles:write"] as const;

let tenant: Tenant;
let writer: Credential;
beforeAll(async () => {
  tenant = await newTenant();
  writer = { apiKey: tenant.apiKey };
});

/** A key of an agent, and since when it works. */
async function newAgent() {
  const { _id, secret } = await issueKey({ operatorToken: tenant.operatorToken }, SCOPES);
  return { id: _id, as: { apiKey: secret }, from: new Date(Date.now() - 1000).toISOString() };
}

type Agent = Awaited<ReturnType<typeof newAgent>>;

const save = (as: Credential, body: object) => sendJson<ArticleBody>(200, "/api/articles", { as, body });
const saveCopy = (as: Credential, id: string, body: object) =>
  sendJson(200, `/api/articles/${id}/draft`, { as, method: "PUT", body });
const read = (id: string) => sendJson<ArticleBody>(200, `/api/articles/${id}`, { as: writer });
const undo = ({ id, from }: Agent, more: object = {}) =>
  sendJson<Answer>(200, "/api/audit/undo", { as: writer, body: { actor: id, from, ...more } });

describe("contract 18.30", () => {
  it("undoes each kind of change, and only says so with `dryRun`", async () => {
    const draft = await newArticle(tenant, { title: "Draft", content: "As it was", published: false });
    const live = await newArticle(tenant, { title: "Live", content: "As it was" });
    const copied = await newArticle(tenant, { title: "Copied", content: "As it was" });
    const begun = await newArticle(tenant, { title: "Begun", content: "As it was" });
    const gone = await newArticle(tenant, { title: "Gone", content: "As it was" });
    const planned = await newArticle(tenant, { title: "Planned", published: false });
    await saveCopy(writer, copied._id, { title: "Somebody's changes" });
    const agent = await newAgent();
    const { as } = agent;
    const made = await save(as, { blogId: tenant.blogId, title: "Made" });
    for (const content of ["one", "two"]) await save(as, { _id: draft._id, content });
    await save(as, { _id: draft._id, published: true });
    await save(as, { _id: live._id, title: "Spoiled" });
    await save(as, { _id: live._id, published: false });
    for (const title of ["Three", "Four"]) await saveCopy(as, copied._id, { title });
    await saveCopy(as, begun._id, { title: "Begun by an agent" });
    await send(`/api/articles/${gone._id}`, { as, method: "DELETE" });
    const times = { publishTime: inMinutes(60) };
    await sendJson(200, `/api/articles/${planned._id}/schedule`, { as, method: "PUT", body: times });

    const planOf = ({ articles }: Answer) => Object.fromEntries(articles.map((each) => [each.articleId, each.done]));
    const plan = {
      [made._id]: ["deleted"],
      [draft._id]: ["texts"],
      [live._id]: ["texts"],
      [copied._id]: ["workingCopy"],
      [begun._id]: ["workingCopy"],
      [gone._id]: ["restored"],
      [planned._id]: ["schedule"],
    };
    expect(planOf(await undo(agent, { dryRun: true }))).toMatchObject({ ...plan });
    expect(await read(live._id)).toMatchObject({ title: "Spoiled" });

    expect(planOf(await undo(agent))).toEqual(plan);
    expect((await send(`/api/articles/${made._id}`, { as: writer })).status).toBe(404);
    expect(await read(draft._id)).toMatchObject({ content: "As it was", published: false });
    expect(await read(live._id)).toMatchObject({ title: "Live", published: true });
    expect(await sendJson(200, `/api/articles/${copied._id}/draft`, { as: writer })).toMatchObject({
      title: "Somebody's changes",
    });
    expect((await send(`/api/articles/${begun._id}/draft`, { as: writer })).status).toBe(404);
    expect(await read(gone._id)).toMatchObject({ content: "As it was", published: true });
    expect((await send(`/api/articles/${planned._id}/schedule`, { as: writer })).status).toBe(404);
  });

  it("keeps and names what somebody else has changed since, and what else the agent did", async () => {
    const agent = await newAgent();
    const made = await save(agent.as, { blogId: tenant.blogId, title: "Made by an agent" });
    await save(writer, { _id: made._id, content: "A person's text" });
    await sendJson(200, "/api/tags", { as: agent.as, body: { blogId: tenant.blogId, name: "Its tag" } });
    const body = { actor: agent.id, from: agent.from };
    const { articles, further, next } = await sendJson<Answer>(200, "/api/audit/undo", {
      as: { operatorToken: tenant.operatorToken },
      body,
    });
    expect(articles).toMatchObject([{ articleId: made._id, outcome: "kept", done: [], changedBy: { kind: "key" } }]);
    expect([further, next]).toEqual([[{ action: "tags.create", count: 1 }], null]);
    // The rest of the audit log is not for everybody.
    expect(await undo(agent)).toMatchObject({ further: [] });
    expect(await read(made._id)).toMatchObject({ content: "A person's text" });
  });

  it("keeps what only a person can judge, and an undo can be repeated", async () => {
    const published = await newArticle(tenant, { title: "Published", content: "As it was" });
    await saveCopy(writer, published._id, { title: "Somebody's changes" });
    const early = await newAgent();
    const draft = await newArticle(tenant, { title: "Earlier", content: "As it was", published: false });
    await save(early.as, { _id: draft._id, content: "The agent's own, before" });
    const from = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await save(early.as, { _id: draft._id, content: "The agent's own, after" });
    await sendJson(200, `/api/articles/${published._id}/draft/publish`, { as: early.as, body: {} });
    const { articles } = await undo(early, { from });
    expect(articles).toMatchObject([
      { articleId: draft._id, outcome: "undone", done: ["texts"] },
      {
        articleId: published._id,
        outcome: "kept",
        done: [],
        detail: expect.stringContaining("unpublished changes") as string,
      },
    ]);
    expect(await read(draft._id)).toMatchObject({ content: "The agent's own, before" });
    expect(await read(published._id)).toMatchObject({ title: "Somebody's changes" });
    expect((await undo(early, { from })).articles[0]).toMatchObject({ outcome: "unchanged" });
    await save(early.as, { _id: draft._id, content: "Again" });
    expect((await undo(early, { from })).articles[0]).toMatchObject({ outcome: "undone" });
    expect(await read(draft._id)).toMatchObject({ content: "The agent's own, before" });
  });

  it("never overwrites what somebody writes at the same moment", async () => {
    const agent = await newAgent();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, n) => save(agent.as, { blogId: tenant.blogId, title: `Racing ${n}` })),
    );
    const answers = await Promise.all([
      undo(agent),
      ...made.map(({ _id }) => send("/api/articles", { as: writer, body: { _id, content: "A person's text" } })),
    ]);
    const written = answers.slice(1).map((answer) => (answer as Response).status);
    for (const [n, { _id }] of made.entries()) {
      if (written[n] !== 200) continue;
      expect(await read(_id)).toMatchObject({ content: "A person's text" });
    }
  });

  it("of an agent's edits beside those of 8 people, every byte of theirs stays", async () => {
    const edits = inject("exhaustive") ? 500 : 60;
    const people = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { secret } = await issueKey({ operatorToken: tenant.operatorToken }, SCOPES);
        return { apiKey: secret };
      }),
    );
    const agent = await newAgent();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        newArticle(tenant, { title: `Shared ${n}`, content: "Before", published: false }),
      ),
    );
    /** The last text that a person has saved after the agent's first change; undefined while there is none. */
    const theirs = new Map<string, string>();
    let turn = 0;
    const pick = () => made[(turn++ * 7) % made.length] as ArticleBody;
    for (let n = 0; n < edits; n++) {
      const { _id } = pick();
      await save(agent.as, { _id, content: `Agent ${n}` });
      if (n % 9 !== 0) continue;
      const other = made[n % made.length] as ArticleBody;
      const content = `Person ${n}`;
      await save(people[n % 8] as Credential, { _id: other._id, content });
      theirs.set(other._id, content);
    }
    const before = new Map(await Promise.all(made.map(async ({ _id }) => [_id, (await read(_id)).content] as const)));
    const { articles } = await undo(agent);
    expect(articles).toHaveLength(made.length);
    for (const { articleId, outcome } of articles) {
      const { content } = await read(articleId);
      // Whoever was there after the agent's first change: nothing of the article has moved.
      if (outcome === "kept") expect(content).toBe(before.get(articleId));
      else expect(["Before", theirs.get(articleId)]).toContain(content);
    }
    const shown = await Promise.all(
      [...theirs].map(async ([id, content]) => {
        const states = await sendJson<{ number: number }[]>(200, `/api/articles/${id}/revisions`, {
          as: writer,
        });
        const texts = await Promise.all(
          states.map(
            async ({ number }) =>
              (await sendJson<ArticleBody>(200, `/api/articles/${id}/revisions/${number}`, { as: writer })).content,
          ),
        );
        return [...texts, (await read(id)).content].includes(content);
      }),
    );
    expect(shown).not.toContain(false);
  }, 180_000);
});
