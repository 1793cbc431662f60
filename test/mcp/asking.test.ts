/** Contract 18.29 over MCP: a person is asked where the client can ask, and a request waits where it cannot. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { fetchDirectly, MCP_ORIGIN, request } from "../helpers/mcp.ts";
import { call, connected, fail, succeed, textOf } from "../helpers/mcp-connected.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let token: string;
beforeAll(async () => {
  tenant = await newTenant();
  token = await connected(tenant);
});

const newDraft = (title: string) => newArticle(tenant, { title, content: "First", published: false });
const isPublic = async (id: string) => (await send(`/api/articles/${id}`)).status === 200;

/** Returns the official client of a person who answers so, and the questions that they were asked. */
async function clientOf(answer: () => Promise<"accept" | "decline">) {
  const questions: string[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    questions.push(params.message);
    const action = await answer();
    return action === "accept" ? { action, content: {} } : { action };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", MCP_ORIGIN), {
      fetch: fetchDirectly,
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  return { client, questions };
}

describe("a client that can ask its person", () => {
  it("publishes, schedules and deletes what the person accepts", async () => {
    const { client, questions } = await clientOf(async () => "accept");
    const { _id, slug } = await newDraft("Asked");
    const answer = await client.callTool({ name: "publish_article", arguments: { articleId: _id } });
    expect(textOf({ result: answer })).toMatchObject({ _id, published: true });
    expect(questions).toEqual([`Publish the article “Asked” (${slug}, en)?`]);
    const later = await newDraft("Later");
    const times = { publishTime: "2032-01-01T09:00", timeZone: "Asia/Tokyo" };
    const planned = await client.callTool({ name: "schedule_article", arguments: { articleId: later._id, ...times } });
    expect(textOf({ result: planned })).toMatchObject({ schedule: { publishTime: "2032-01-01T00:00:00.000Z" } });
    await client.callTool({ name: "delete_article", arguments: { articleId: _id } });
    expect(await isPublic(_id)).toBe(false);
    await client.close();
  });

  it("changes nothing that the person declines", async () => {
    const { client } = await clientOf(async () => "decline");
    const { _id } = await newDraft("Declined");
    const answer = await client.callTool({ name: "publish_article", arguments: { articleId: _id } });
    expect([answer.isError, textOf({ result: answer })]).toMatchObject([true, { code: "approval_declined" }]);
    expect(await isPublic(_id)).toBe(false);
    expect(await sendJson(200, "/api/approvals", { as: { apiKey: tenant.apiKey } })).toEqual([]);
    await client.close();
  });

  it("asks again if somebody has changed the article meanwhile", async () => {
    const { _id } = await newDraft("Changing");
    let asked = 0;
    const { client, questions } = await clientOf(async () => {
      if (asked++ === 0)
        await sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, title: "Changed" } });
      return "accept";
    });
    await client.callTool({ name: "publish_article", arguments: { articleId: _id } });
    expect(questions.map((question) => /“(.*)”/.exec(question)?.[1])).toEqual(["Changing", "Changed"]);
    expect(await sendJson(200, `/api/articles/${_id}`)).toMatchObject({ title: "Changed" });
    await client.close();
  });
});

/** Calls a tool as a client that can ask, with what its person has said, and returns the raw result. */
async function callAsking(input: object, more: object = {}) {
  const _meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
  const params = { name: "publish_article", arguments: input, _meta, ...more };
  const { result, error } = await request("tools/call", params, { token });
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}

/** All 1,000 tries with `npm run test:exhaustive`. */
const TRIES = inject("exhaustive") ? 500 : 25;

it("an acceptance that is replayed or altered publishes nothing", async () => {
  const { _id } = await newDraft("Replayed");
  const other = await newDraft("Another");
  const input = { articleId: _id };
  const accept = (requestState: string) => ({
    requestState,
    inputResponses: { approval: { action: "accept", content: {} } },
  });
  const { requestState: state } = (await callAsking(input)) as { requestState: string };
  expect(textOf({ result: await callAsking(input, accept(state)) })).toMatchObject({ published: true });
  await sendJson(200, "/api/articles", { as: { apiKey: tenant.apiKey }, body: { _id, published: false } });
  const altered = (n: number) => {
    const place = n % state.length;
    return `${state.slice(0, place)}${state[place] === "0" ? "1" : "0"}${state.slice(place + 1)}`;
  };
  const kinds = new Set<unknown>();
  for (let n = 0; n < TRIES; n++) {
    const articleId = n % 2 === 0 ? _id : other._id;
    for (const sent of [state, altered(n)]) kinds.add((await callAsking({ articleId }, accept(sent)))["resultType"]);
  }
  expect([...kinds]).toEqual(["input_required"]);
  expect([await isPublic(_id), await isPublic(other._id)]).toEqual([false, false]);
}, 120_000);

it("a connection for drafts alone asks in the console, and sees why it was declined", async () => {
  const drafts = await connected(tenant, { scopes: ["articles:read", "articles:draft"] });
  const { _id } = await newDraft("Waiting");
  expect(await succeed(drafts, "request_approval", { articleId: _id, note: "Ready" })).toMatchObject({
    state: "waiting",
  });
  const as = { apiKey: tenant.apiKey };
  await sendJson(200, `/api/articles/${_id}/approval/decline`, { as, body: { reason: "Too long." } });
  const listed = await succeed<{ approvals: object[] }>(drafts, "list_approvals", { state: "declined" });
  expect(listed.approvals).toMatchObject([{ articleId: _id, declined: { reason: "Too long." } }]);
  expect(await fail(drafts, "request_approval", { articleId: _id, version: "x" })).toMatchObject({
    code: "precondition_failed",
  });
  expect((await call(drafts, "request_approval", { articleId: _id })).isError).toBeFalsy();
});
