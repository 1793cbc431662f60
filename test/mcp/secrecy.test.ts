/**
 * Contract 15.5: nothing of credentials, sender configuration, contacts or organization
 * identifiers in any result, error or schema. Every tool is called, with success and without.
 */
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { newWorld, type World } from "../helpers/operations.ts";
import { ERAS, request } from "../helpers/mcp.ts";
import { call, connected } from "../helpers/mcp-connected.ts";
import { refusedCalls, TOOL_NAMES, validCalls } from "../helpers/mcp-tools.ts";
import { sendJson } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";

const SENDER = {
  MAIL_FROM: "sender-of-the-test@mail.example",
  MAIL_WEBHOOK_URL: "https://sender.example/secret-path",
  MAIL_WEBHOOK_TOKEN: "sender-token-of-the-test",
  AI_API_KEY: "sk-secret-of-the-test",
  OIDC_CLIENT_SECRET: "oidc-secret-of-the-test",
} as unknown as Partial<Env>;

let world: World;
let token: string;
/** What must not be in any answer, by what it is. */
let secrets: Record<string, string>;

beforeAll(async () => {
  world = await newWorld("World");
  token = await connected(world.tenant);
  const as = { operatorToken: world.tenant.operatorToken };
  const { secret } = await sendJson<{ secret: string }>(200, "/api/webhooksubscriptions", {
    as,
    body: { url: "https://hooks-of-the-test.example.com/path", events: [] },
  });
  await env.DB.prepare("update blogs set topic_sources = ? where id = ?")
    .bind(
      JSON.stringify([
        { kind: "feed", name: "Private", url: `${env.FEEDS.url}/recent/feeds/wordpress.xml?key=feed-secret` },
      ]),
      world.tenant.blogId,
    )
    .run();
  const member = await env.DB.prepare("select user_id as id from members where id = ?")
    .bind(world.memberId)
    .first<{ id: string }>();
  const app = await env.DB.prepare(
    "select id, client_id as client, grant_id as granted from connected_apps where organization_id = ?",
  )
    .bind(world.tenant.organizationId)
    .first<{ id: string; client: string; granted: string }>();
  secrets = {
    "the organization": world.tenant.organizationId,
    "the organization, as the index names it": world.tenant.organizationId.replaceAll("-", ""),
    "an API key": world.tenant.apiKey,
    "an operator token": world.tenant.operatorToken,
    "the access token": token,
    "a part of the access token": token.split(":")[2] ?? "",
    "the connection": app?.id ?? "",
    "the client": app?.client ?? "",
    "the grant": app?.granted ?? "",
    "a webhook's secret": secret,
    "a webhook's URL": "hooks-of-the-test",
    "a subscription": world.subscriptionId,
    "a contact": world.contactId,
    "a contact's address": "reader@example.com",
    "a member": world.memberId,
    "a user": member?.id ?? "",
    "an invitation": world.invitationId,
    "an invited person": world.invited,
    "a key's id": world.apiKeyId,
    "a token's id": world.accessTokenId,
    "the mails' sender": "mail.example",
    "the mails' way out": "sender.example",
    "the mails' token": "sender-token",
    "the model's key": "sk-secret-of-the-test",
    "the provider's secret": "oidc-secret-of-the-test",
    "a source's address": "feed-secret",
  };
  for (const [what, secret] of Object.entries(secrets)) expect(secret.length, what).toBeGreaterThan(7);
});

const KINDS =
  "organi[sz]ationId|organization|apiKey|api_key|accessToken|secret|password|webhook|contact|subscription|sender|MAIL_";
/** Members of those names; generated prose may use such words. */
const MEMBERS = new RegExp(`\\\\?"\\w*(?:${KINDS})\\w*\\\\?":`, "i");
/** In lists and schemas, the words themselves; what belongs to "the organization" may be spoken of. */
const WORDS = new RegExp(KINDS.replace("organization|", '"organization"|'), "i");

function check(label: string, answer: unknown, names = MEMBERS): void {
  const text = JSON.stringify(answer);
  for (const [what, secret] of Object.entries(secrets)) expect(text, `${label}: ${what}`).not.toContain(secret);
  expect(names.exec(text)?.[0], label).toBeUndefined();
  expect(text, label).not.toMatch(/\bat .*\.(?:ts|js):\d+|node_modules|SQLITE|D1_|ZodError|TypeError/);
}

it.each(ERAS)("lists of %s", async (era) => {
  for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]) {
    const { result } = await request(method, {}, { token, era });
    expect(result, method).toBeDefined();
    check(method, result, WORDS);
  }
  const opening = era === "2026-07-28" ? "server/discover" : "initialize";
  const params = { protocolVersion: era, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  check(opening, await request(opening, era === "2026-07-28" ? {} : params, { token, era }), WORDS);
});

it.each(TOOL_NAMES)("%s, refused", async (name) => {
  const [input, code] = refusedCalls[name](world);
  for (const era of sample(ERAS, 0, 1)) {
    const result = await call<{ code: string }>(token, name, input, { era, bindings: SENDER });
    expect([result.isError, result.structuredContent.code], JSON.stringify(result)).toEqual([true, code]);
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(result.structuredContent);
    check(name, result);
  }
});

// In their order: the last one deletes what the others work on.
it.each(TOOL_NAMES)("%s, done", async (name) => {
  const eras = sample(["delete_article", "discard_working_copy"].includes(name) ? ERAS.slice(0, 1) : ERAS, 0, 1);
  for (const era of eras) {
    const result = await call(token, name, validCalls[name](world), { era, bindings: SENDER });
    expect(result.isError, JSON.stringify(result)).toBeUndefined();
    expect(JSON.parse(result.content.at(-1)?.text ?? "")).toEqual(result.structuredContent);
    check(name, result);
  }
});

it("a service that fails", async () => {
  const broken = { DB: undefined } as unknown as Partial<Env>;
  const response = await request("tools/list", {}, { token, bindings: broken }).catch((error: unknown) =>
    String(error),
  );
  check("without a database", response);
  await env.DB.prepare("alter table topics rename to topics_away").run();
  try {
    const result = await call(token, "list_topics", { blogId: world.tenant.blogId });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "not_ready" } });
    check("list_topics, failed", result);
  } finally {
    await env.DB.prepare("alter table topics_away rename to topics").run();
  }
});

it("the address of a feed to which a source leads that is a page", async () => {
  const sources = [{ kind: "feed", name: "A page", url: `${env.FEEDS.url}/feeds/page.html` }];
  const { structuredContent } = await call<{ sources: { detail: string }[] }>(token, "research_topics", { sources });
  expect(structuredContent.sources.map(({ detail }) => detail)).toEqual([
    "It is a web page, not a feed. Its feed is at another address",
  ]);
});

it("resources and prompts", async () => {
  const uri = `edgepress://articles/${world.draft._id}`;
  check("resource", (await request("resources/read", { uri }, { token })).result);
  check(
    "no resource",
    await request("resources/read", { uri: "edgepress://contacts/1" }, { token }).then(({ error }) => error?.code),
  );
  const topic = { name: "write_post_from_topic", arguments: { topicId: world.topicId } };
  check("prompt", (await request("prompts/get", topic, { token })).result);
  const translation = { name: "translate_article", arguments: { articleId: world.draft._id, locale: "de" } };
  check("prompt", (await request("prompts/get", translation, { token })).result);
  check("no prompt", await request("prompts/get", { ...translation, arguments: {} }, { token }));
});
