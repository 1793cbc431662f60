/** Contract 18.31: who wrote which lines of an article. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { PassageValue } from "../../src/operations/passages.ts";
import { MCP_SCOPES } from "../../src/domain/principal.ts";
import { connectApp } from "../helpers/connected.ts";
import { signedIn } from "../helpers/console.ts";
import { generated, SHORT } from "../helpers/generating.ts";
import { historyOf } from "../helpers/history.ts";
import { succeed } from "../helpers/mcp-connected.ts";
import { newMember } from "../helpers/people.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let as: { apiKey: string };
let agent: string;
beforeAll(async () => {
  tenant = await newTenant();
  as = { apiKey: tenant.apiKey };
  const { organizationId } = tenant;
  const { userId } = await newMember(organizationId, "owner");
  agent = await connectApp({ userId, organizationId, scopes: MCP_SCOPES, resource: "/mcp", clientName: "Quill" });
});

/** Returns each line of a content with who wrote it: the kind of a person or program, the name of an application or model. */
async function writersOf(id: string): Promise<(string | null)[]> {
  const { passages } = await sendJson<{ passages: PassageValue[] }>(200, `/api/articles/${id}/passages`, { as });
  return passages.flatMap(({ lines, by, byModel, model, application }) =>
    Array.from({ length: lines }, () => (byModel ? (model ?? application) : (by?.kind ?? null))),
  );
}
const edit = (articleId: string, content: string) => succeed(agent, "update_article", { articleId, content });

describe("contract 18.31: passages", () => {
  it("are of those who wrote them last, each line of its own", async () => {
    const { _id } = await newArticle(tenant, { content: "One\nTwo\nThree", published: false });
    expect(await writersOf(_id)).toEqual(["key", "key", "key"]);
    await edit(_id, "One\nTwo and a half\nThree\nFour");
    await historyOf(as, _id).update({ content: "Zero\nOne\nTwo and a half\nThree\nFour" });
    await historyOf(as, _id).update({ title: "Without another content" });
    expect(await writersOf(_id)).toEqual(["key", "key", "Quill", "key", "Quill"]);
    const { passages } = await sendJson<{ passages: PassageValue[] }>(200, `/api/articles/${_id}/passages`, { as });
    expect(passages[2]).toMatchObject({ firstLine: 3, lines: 1, revision: 2, by: { kind: "app" }, byModel: true });
  });

  it("of a working copy are of those who saved them, not of who published it", async () => {
    const { _id } = await newArticle(tenant, { content: "One" });
    const { save, path } = historyOf(as, _id);
    await edit(_id, "One\nBy an agent");
    await save({ content: "One\nBy an agent\nBy a key" });
    await edit(_id, "One\nBy an agent\nBy a key\nBy an agent again");
    await sendJson(200, `${path}/draft/publish`, { as, method: "POST" });
    expect(await writersOf(_id)).toEqual(["key", "Quill", "key", "Quill"]);
  });

  it("of a generated article name the model, and those of a restored state whoever wrote it", async () => {
    const { article } = await generated(tenant, { body: { ...SHORT, published: false } });
    const { update, restore, read } = historyOf(as, article._id);
    await update({ content: "Something else" });
    await restore(1);
    const { content } = await read(1);
    expect(await writersOf(article._id)).toEqual(content.split("\n").map(() => "test"));
  });

  it("that are older than the kept states are unknown", async () => {
    const { _id } = await newArticle(tenant, { content: "One", published: false });
    const { update } = historyOf(as, _id);
    await update({ content: "One\nTwo" });
    await update({ content: "One\nTwo\nThree" });
    await env.DB.prepare("delete from revisions where article_id = ? and number = 1").bind(_id).run();
    expect(await writersOf(_id)).toEqual([null, null, "key"]);
  });

  it("are shown in the console, with a mark of what a model wrote", async () => {
    const { _id } = await newArticle(tenant, { content: "One", published: false });
    await edit(_id, "One\nBy <an> agent");
    const { browser } = await signedIn(tenant.organizationId, "writer");
    const { text } = await browser.get(`/console/articles/${_id}/passages`);
    expect(text).toMatch(/Quill <span class="badge">AI<\/span>/);
    expect(text).toContain("By &lt;an&gt; agent");
    expect((await send(`/api/articles/${tenant.blogId}/passages`, { as })).status).toBe(404);
  });
});
