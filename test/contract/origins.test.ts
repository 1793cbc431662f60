/** Contract 18.20: what applications for models write is marked, until a person answers for it. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { connectApp } from "../helpers/connected.ts";
import { signedIn } from "../helpers/console.ts";
import { historyOf, updatesOf } from "../helpers/history.ts";
import { succeed } from "../helpers/mcp-connected.ts";
import { newMember } from "../helpers/people.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { runAt } from "../helpers/schedules.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";
import { MCP_SCOPES } from "../../src/domain/principal.ts";

type Origin = Record<"kind" | "model" | "application" | "reviewedBy" | "reviewTime", string | null> & {
  reviewed: boolean;
};

let tenant: Tenant;
let as: { apiKey: string };
let agent: string;
const connectAgent = async (resource: "/mcp" | "/api") => {
  const { organizationId } = tenant;
  const { userId } = await newMember(organizationId, "owner");
  return connectApp({ userId, organizationId, scopes: MCP_SCOPES, resource, clientName: "Quill" });
};
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
  agent = await connectAgent("/mcp");
});

const originOf = async (id: string): Promise<Origin> =>
  (await sendJson<{ origin: Origin }>(200, `/api/articles/${id}?fields=origin`, { as })).origin;
const edit = (articleId: string, fields: object) => succeed(agent, "update_article", { articleId, ...fields });
const publishInConsole = async (id: string) => {
  const { browser, userId } = await signedIn(tenant.organizationId, "writer");
  const path = `/console/articles/${id}/publish`;
  await browser.submit(path, path);
  return userId;
};
const UNREVIEWED = { model: null, application: "Quill", reviewed: false, reviewedBy: null, reviewTime: null };

describe("contract 18.20: what an application for models writes", () => {
  it("is generated where it wrote all of it, and edited once people have changed a text", async () => {
    const { _id } = await succeed<{ _id: string }>(agent, "create_article", { title: "Quince" });
    expect(await originOf(_id)).toMatchObject({ kind: "generated", ...UNREVIEWED });
    await edit(_id, { content: "All of it." });
    expect(await originOf(_id)).toMatchObject({ kind: "generated", ...UNREVIEWED });
    await historyOf(as, _id).update({ content: "Not all of it." });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", ...UNREVIEWED });
  });

  it("is edited where people began, once a text differs", async () => {
    const { _id } = await newArticle(tenant, { title: "Medlar", published: false });
    await edit(_id, { title: "Medlar", coverUrl: "https://a.example/b.jpg" });
    expect(await originOf(_id)).toMatchObject({ kind: "human", reviewed: true, application: null });
    await edit(_id, { description: "By an agent." });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", ...UNREVIEWED });
  });

  it("is not marked where an application uses the REST API", async () => {
    const headers = { Authorization: `Bearer ${await connectAgent("/api")}` };
    const { _id } = await newArticle(tenant, { published: false });
    await sendJson(200, "/api/articles", { headers, body: { _id, title: "By a script" } });
    expect(await originOf(_id)).toMatchObject({ kind: "human" });
  });

  it("is marked in a working copy, and in the article once that is published, by whomever", async () => {
    const { _id } = await newArticle(tenant, { title: "Public" });
    const { save, path } = historyOf(as, _id);
    await edit(_id, { content: "By an agent." });
    const { url } = await sendJson<{ url: string }>(200, `${path}/previews`, { as, body: {} });
    const preview = await send(new URL(url).pathname, { headers: { Accept: "text/html" } });
    expect(await preview.text()).toContain("written with the help of AI, not reviewed");
    await save({ description: "By a key." });
    expect(await originOf(_id)).toMatchObject({ kind: "human" });
    await sendJson(200, `${path}/draft/publish`, { as, method: "POST" });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", ...UNREVIEWED });
    // What people wrote is not an agent's because it publishes it.
    const other = await newArticle(tenant, { title: "Public, too" });
    await historyOf(as, other._id).save({ title: "By a key" });
    await succeed(agent, "publish_article", { articleId: other._id });
    expect(await originOf(other._id)).toMatchObject({ kind: "human" });
  });

  it("is marked in a draft that gets the fields of its working copy", async () => {
    const { _id } = await newArticle(tenant, { title: "Public" });
    await edit(_id, { content: "By an agent." });
    await historyOf(as, _id).update({ published: false });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", ...UNREVIEWED });
  });

  it("goes with a former state that is restored", async () => {
    const { _id } = await newArticle(tenant, { title: "Rowan", published: false });
    const { restore, update } = historyOf(as, _id);
    await edit(_id, { title: "Robot" });
    await update({ description: "By a key" });
    await restore(1);
    expect(await originOf(_id)).toMatchObject({ kind: "human" });
    await succeed(agent, "restore_revision", { articleId: _id, revision: 2 });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", ...UNREVIEWED });
  });
});

describe("contract 18.20: a review", () => {
  it("ends when an application changes a text, and not when a person does", async () => {
    const { _id } = await succeed<{ _id: string }>(agent, "create_article", { title: "Sloe" });
    const userId = await publishInConsole(_id);
    expect(await originOf(_id)).toMatchObject({ kind: "generated", reviewedBy: userId, reviewed: true });
    await historyOf(as, _id).update({ content: "By a person." });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", reviewedBy: userId });
    await edit(_id, { slug: "sloes" });
    await succeed(agent, "publish_article", { articleId: _id });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", reviewedBy: userId });
    await edit(_id, { content: "By an agent." });
    await succeed(agent, "publish_article", { articleId: _id });
    expect(await originOf(_id)).toMatchObject({ kind: "edited", ...UNREVIEWED });
  });

  it("can be confirmed of what is published, once", async () => {
    const { _id } = await succeed<{ _id: string }>(agent, "create_article", { title: "Bullace" });
    await succeed(agent, "publish_article", { articleId: _id });
    const before = await updatesOf(_id);
    const userId = await publishInConsole(_id);
    expect(await originOf(_id)).toMatchObject({ reviewedBy: userId, reviewed: true });
    await publishInConsole(_id);
    expect(await updatesOf(_id)).toBe(before + 1);
  });

  it("by a schedule is only of the text that its member saw", async () => {
    const { _id } = await succeed<{ _id: string }>(agent, "create_article", { title: "Damson" });
    const { browser } = await signedIn(tenant.organizationId, "writer");
    const path = `/console/articles/${_id}/schedule`;
    await browser.submit(path, path, { publishTime: "2031-02-01T09:00", timeZone: "UTC" });
    await edit(_id, { content: "Later, by an agent." });
    await runAt("2031-02-01T09:00:01.000Z");
    const article = await sendJson(200, `/api/articles/${_id}?fields=published,origin`, { as });
    expect(article).toMatchObject({ published: true, origin: { kind: "generated", ...UNREVIEWED } });
  });
});

describe("contract 21.3: the page of an article", () => {
  it.each([
    [{ kind: "edited", application: "Quill" }, "This text was written with the help of AI. Nobody has reviewed it."],
    [
      { kind: "generated", model: "small-1" },
      "This text was written by a language model (small-1). Nobody has reviewed it.",
    ],
    [
      { kind: "generated", model: "small-1", reviewTime: "2026" },
      "This text was written by a language model (small-1).",
    ],
    [{ kind: "edited", application: "Quill", reviewTime: "2026" }, undefined],
  ])("says what readers have to know of %j", async (origin, line) => {
    const { _id } = await newArticle(tenant, { title: "Machine" });
    await env.DB.prepare("update articles set origin = ? where id = ?").bind(JSON.stringify(origin), _id).run();
    const { url } = await sendJson<{ url: string }>(200, `/api/articles/${_id}?fields=url`, { as });
    const page = await (await send(new URL(url).pathname)).text();
    expect(/<p class="origin"[^>]*>(.*?)<\/p>/.exec(page)?.[1]).toBe(line);
    expect(page).toContain(
      `<meta name="ai-disclosure" content="ai-${origin.kind === "edited" ? "assisted" : "generated"}"/>`,
    );
  });
});
