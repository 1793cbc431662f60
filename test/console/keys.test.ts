/** API keys and operator access tokens in the console. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_SCOPES } from "../../src/domain/principal.ts";
import { hiddenFields, signedIn, unescaped, type Browser, type Page, type Values } from "../helpers/console.ts";
import { issueKey, issueToken, send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

const KEYS = "/console/keys";
const NEW_KEY = `${KEYS}/new`;

let tenant: Tenant;
let browser: Browser;
beforeAll(async () => {
  tenant = await newTenant("Keys & Co");
  ({ browser } = await signedIn(tenant.organizationId));
});

type Row = { name: string; scopes: string; blog_id: string | null; expiration_time: string | null };

/** What D1 has of an organization, the oldest first. */
const stored = async (kind: "key" | "token", { organizationId } = tenant): Promise<Row[]> =>
  (
    await env.DB.prepare("select * from credentials where organization_id = ? and kind = ? order by id")
      .bind(organizationId, kind)
      .all<Row>()
  ).results;

const storedAs = async (name: string): Promise<Row[]> =>
  [...(await stored("key")), ...(await stored("token"))].filter((row) => row.name === name);

/** The secret that a page shows. */
function secretOn({ text, status }: Page): string {
  const [, secret] = /<input id="secret"[^>]* value="([^"]+)"/.exec(text) ?? [];
  if (status !== 200 || secret === undefined) throw new Error(`${status}: no secret on ${text}`);
  return secret;
}

const createKey = (values: Values) => browser.submit(NEW_KEY, NEW_KEY, { blogId: "", expirationTime: "", ...values });

/** The boxes that are ticked. */
const ticked = (text: string): string[] =>
  [...text.matchAll(/<input type="checkbox" name="scopes" value="([^"]+)" checked/g)].map(([, scope = ""]) => scope);

const statusOf = async (path: string, apiKey: string, body?: object): Promise<number> =>
  (await send(path, { as: { apiKey }, ...(body && { body }) })).status;

describe("a new API key", () => {
  it("begins with the read scopes ticked", async () => {
    const { status, text } = await browser.get(NEW_KEY);
    expect(status).toBe(200);
    expect(ticked(text)).toEqual([...DEFAULT_SCOPES]);
  });

  it("may do exactly what was ticked", async () => {
    const secret = secretOn(await createKey({ name: "Writer", scopes: ["articles:write", "contacts:read"] }));
    expect((await storedAs("Writer")).map(({ scopes }) => JSON.parse(scopes))).toEqual([
      ["articles:write", "contacts:read"],
    ]);
    const list = `?blogId=${tenant.blogId}`;
    expect(await statusOf("/api/articles", secret, { blogId: tenant.blogId, title: "By the key" })).toBe(200);
    expect(await statusOf(`/api/contacts${list}`, secret)).toBe(200);
    expect(await statusOf(`/api/articles${list}`, secret)).toBe(403);
    expect(await statusOf("/api/blogs", secret)).toBe(403);
    expect(await statusOf("/api/contacts", secret, { blogId: tenant.blogId, email: "a@example.com" })).toBe(403);
    expect(await statusOf("/api/apikeys", secret)).toBe(403);
  });

  it("can be renamed, get other scopes, and be rotated", async () => {
    const secret = secretOn(await createKey({ name: "First", scopes: "articles:read" }));
    const [stored] = (await storedAs("First")) as (Row & { id: string })[];
    const path = `${KEYS}/${stored?.id}`;
    expect(ticked((await browser.get(path)).text)).toEqual(["articles:read"]);
    expect((await browser.submit(path, path, { name: " ", scopes: [] })).status).toBe(400);
    await browser.submit(path, path, { name: "Second", scopes: ["articles:read", "blogs:read"] });
    expect(await storedAs("Second")).toMatchObject([{ scopes: '["articles:read","blogs:read"]' }]);
    expect(await statusOf("/api/blogs", secret)).toBe(200);
    const next = secretOn(await browser.submit(path, `${path}/rotate`, { overlapSeconds: "0" }));
    expect([await statusOf("/api/blogs", next), await statusOf("/api/blogs", secret)]).toEqual([200, 401]);
    expect((await browser.get(path)).text).not.toContain("Rotate key");
  });

  it("may do nothing where nothing was ticked", async () => {
    const secret = secretOn(await createKey({ name: "Nothing" }));
    expect((await storedAs("Nothing"))[0]?.scopes).toBe("[]");
    expect(await statusOf("/api/blogs", secret)).toBe(403);
  });

  it("expires at the end of the day that was chosen", async () => {
    await createKey({ name: "Dated", expirationTime: "2030-05-06" });
    expect(await storedAs("Dated")).toMatchObject([{ expiration_time: "2030-05-06T23:59:59.999Z" }]);
  });

  it("is pinned to the blog that was chosen", async () => {
    const blog = await send("/api/blogs", { as: { operatorToken: tenant.operatorToken }, body: { name: "Second" } });
    const { _id: second } = await blog.json<{ _id: string }>();
    const page = await createKey({ name: "Pinned", scopes: "articles:read", blogId: tenant.blogId });
    const secret = secretOn(page);
    expect(unescaped(page.text)).toContain(`/api/articles?blogId=${tenant.blogId}'`);
    expect(await statusOf(`/api/articles?blogId=${tenant.blogId}`, secret)).toBe(200);
    expect(await statusOf(`/api/articles?blogId=${second}`, secret)).toBe(403);
    expect((await browser.get(KEYS)).text).toMatch(/Pinned<[^]*?<td[^>]*>Keys &amp; Co<\/td>/);
  });

  it("shows a request that works when it is pasted", async () => {
    const page = await createKey({ name: "Example", scopes: DEFAULT_SCOPES });
    const [, code = ""] = /<textarea id="curl"[^>]*>([^<]*)</.exec(page.text) ?? [];
    const [, secret, url] =
      /^\s*export EDGEPRESS_KEY='(.+)'\ncurl -u "\$EDGEPRESS_KEY:" '(.+)'\s*$/.exec(unescaped(code)) ?? [];
    expect(secret).toBe(secretOn(page));
    expect(await statusOf(new URL(url ?? "").pathname, secret ?? "")).toBe(200);
  });

  it("shows its secret once, and its last characters from then on", async () => {
    const secret = secretOn(await createKey({ name: "Once" }));
    const { text } = await browser.get(KEYS);
    expect(text).toContain(`…${secret.slice(-4)}<`);
    expect(text).not.toContain(secret);
    expect((await browser.get(NEW_KEY)).text).not.toContain(secret);
  });

  it.each([
    ["name", { name: "   " }],
    ["name", { name: "n".repeat(301) }],
    ["expirationTime", { expirationTime: "2020-01-01" }],
    ["expirationTime", { expirationTime: "2030-02-31" }],
    ["expirationTime", { expirationTime: "soon" }],
    ["scopes", { scopes: ["articles:write", "everything"] }],
  ])("says at the field %s what is wrong, and keeps the rest: %j", async (field, wrong) => {
    const before = await stored("key");
    const values = { name: "Kept", scopes: ["articles:write"], blogId: tenant.blogId, expirationTime: "2030-05-06" };
    const { status, text } = await createKey({ ...values, ...wrong });
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`id="${field}-error"`));
    expect(ticked(text)).toEqual(["articles:write"]);
    expect(text).toContain(`<option value="${tenant.blogId}" selected`);
    if (field !== "name") expect(text).toContain('value="Kept"');
    if (field !== "expirationTime") expect(text).toContain('value="2030-05-06"');
    if ("expirationTime" in wrong) expect(text).toContain(`value="${wrong.expirationTime}"`);
    expect(await stored("key")).toEqual(before);
  });
});

it("a new access token is for owners: it can do what an admin cannot (contract 10.5)", async () => {
  const path = `${KEYS}/tokens/new`;
  const admin = (await signedIn(tenant.organizationId, "admin")).browser;
  expect((await browser.get(KEYS)).text).toContain(path);
  expect((await admin.get(KEYS)).text).not.toContain(path);
  expect((await admin.get(path)).status).toBe(403);
  const fields = hiddenFields((await admin.get(NEW_KEY)).text, NEW_KEY);
  expect((await admin.post(path, { ...fields, name: "By an admin", expirationTime: "" })).status).toBe(403);
  secretOn(await browser.submit(path, path, { name: "By an owner", expirationTime: "" }));
  expect((await storedAs("By an admin")).length).toBe(0);
});

describe("revoking", () => {
  const operator = () => ({ operatorToken: tenant.operatorToken });

  it("asks first, and then ends a key at once", async () => {
    const { _id, secret } = await issueKey(operator(), ["blogs:read"], { name: "Leaked" });
    const path = `${KEYS}/${_id}/revoke`;
    const asked = await browser.get(path);
    expect(asked.text).toContain("Revoke Leaked?");
    expect(await statusOf("/api/blogs", secret)).toBe(200);
    expect((await browser.submit(path, path)).headers.get("Location")).toBe("/console/keys?done=key-revoked");
    expect(await statusOf("/api/blogs", secret)).toBe(401);
    const { text } = await browser.get(KEYS);
    expect(text).not.toContain(path);
    const [, revoked = ""] = text.split('id="revoked"');
    expect(revoked).toMatch(/<strong>Leaked<\/strong>.*API key.*>You</s);
    expect((await browser.get(path)).status).toBe(404);
  });

  it("ends a token at once", async () => {
    const { _id, secret } = await issueToken(operator(), { name: "Leaked token" });
    const path = `${KEYS}/tokens/${_id}/revoke`;
    expect((await browser.submit(path, path)).headers.get("Location")).toBe("/console/keys?done=token-revoked");
    expect((await send("/api/apikeys", { as: { operatorToken: secret } })).status).toBe(401);
  });
});

describe("the list", () => {
  it("marks what has expired", async () => {
    const own = await newTenant("Expiring");
    const { browser: visitor } = await signedIn(own.organizationId);
    const { _id } = await issueKey({ operatorToken: own.operatorToken }, [], {
      expirationTime: "2999-01-01T00:00:00Z",
    });
    expect((await visitor.get(KEYS)).text).not.toContain(">Expired<");
    await env.DB.prepare("update credentials set expiration_time = '2020-01-01T00:00:00.000Z' where id = ?")
      .bind(_id)
      .run();
    expect((await visitor.get(KEYS)).text).toContain(">Expired<");
  });
});
