import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { authorizeUrl, exchange, REDIRECT, type Tokens } from "../helpers/connected.ts";
import { actionOf, answer, asked, ASKED, offeredBy, sentTo } from "../helpers/consenting.ts";
import { hiddenFields, newBrowser, newPerson, openSession, unescaped } from "../helpers/console.ts";
import { send, sendJson, ORIGIN } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

async function codeFor(clientId: string, code: string | null) {
  return exchange({ grant_type: "authorization_code", code: code ?? "", client_id: clientId });
}

const connectionsOf = async (userId: string) =>
  (await env.DB.prepare("select * from connected_apps where user_id = ?").bind(userId).all()).results;

describe("the page of consent", () => {
  it("names the application, where its access goes, the organization and the scopes", async () => {
    const { browser, path } = await asked();
    const page = await browser.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain("<bdi>Notes</bdi>");
    expect(page.text).toContain("client.example");
    expect(page.text).toContain("its name is not verified");
    expect(page.text).toContain("Harbour News");
    expect(page.text).toContain("Create, change, publish and delete articles");
    expect(page.text).not.toContain("That is on this computer");
    expect(offeredBy(page)).toEqual({ offered: ASKED, ticked: ASKED });
    expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(page.headers.get("X-Frame-Options")).toBe("DENY");
    expect(page.headers.get("Cache-Control")).toContain("no-store");
  });

  it("comes after signing in, with all that the application asked for", async () => {
    const { path, email } = await asked();
    const browser = newBrowser();
    const first = await browser.get(path);
    expect(first.status).toBe(303);
    const signIn = new URL(String(first.headers.get("Location")), ORIGIN);
    const form = await browser.get(signIn.pathname + signIn.search);
    const hidden = hiddenFields(form.text, "/console/sign-in");
    const after = await browser.post("/console/sign-in", { ...hidden, email, password: "correct horse battery" });
    expect(after.status).toBe(303);
    const back = new URL(String(after.headers.get("Location")), ORIGIN);
    expect(Object.fromEntries(back.searchParams)).toEqual(Object.fromEntries(new URL(path, ORIGIN).searchParams));
    expect((await browser.get(back.pathname + back.search)).text).toContain("<bdi>Notes</bdi>");
  });

  it("offers a client of /mcp drafts before it may publish, and one blog or all", async () => {
    const { browser, path, tenant, userId } = await asked("owner", ["articles:read", "articles:write"], {}, "/mcp");
    const as = { apiKey: tenant.apiKey };
    const { _id: blogId } = await sendJson<{ _id: string }>(200, "/api/blogs", { as, body: { name: "Second" } });
    const page = await browser.get(path);
    const offered = ["articles:read", "articles:draft", "articles:write"];
    expect(offeredBy(page)).toEqual({ offered, ticked: ["articles:read", "articles:draft"] });
    const { blogId: foreign } = await newTenant();
    expect(await answer(browser, page, { blogId: foreign })).toMatchObject({ status: 403 });
    sentTo(await answer(browser, await browser.get(path), { blogId }));
    expect(await connectionsOf(userId)).toMatchObject([
      { blog_id: blogId, scopes: '["articles:read","articles:draft"]' },
    ]);
  });

  it("gives exactly the ticked scopes, with the state and the issuer in the answer", async () => {
    const { browser, path, clientId, organizationId, userId } = await asked();
    const page = await answer(browser, await browser.get(path), { scopes: ["articles:read"] });
    const to = sentTo(page);
    expect(to.origin + to.pathname).toBe(REDIRECT);
    expect(to.searchParams.get("state")).toBe("the state");
    expect(to.searchParams.get("iss")).toBe(ORIGIN);
    const tokens = (await (await codeFor(clientId, to.searchParams.get("code"))).json()) as Tokens;
    expect(tokens.scope).toBe("articles:read");
    expect(await connectionsOf(userId)).toMatchObject([
      { organization_id: organizationId, client_name: "Notes", scopes: '["articles:read"]', disconnect_time: null },
    ]);
  });

  it("asks again where nothing is ticked, and connects nothing", async () => {
    const { browser, path, userId } = await asked();
    const page = await answer(browser, await browser.get(path), { scopes: [] });
    expect(page.status).toBe(400);
    expect(page.text).toContain("Select at least one permission");
    expect(await connectionsOf(userId)).toEqual([]);
    expect(sentTo(await answer(browser, page, { scopes: ["blogs:read"] })).searchParams.has("code")).toBe(true);
  });

  it("tells the application of a denial", async () => {
    const { browser, path, userId } = await asked();
    const to = sentTo(await answer(browser, await browser.get(path), { decision: "deny" }));
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      error: "access_denied",
      state: "the state",
      iss: ORIGIN,
    });
    expect(await connectionsOf(userId)).toEqual([]);
  });

  it.each(["", "Deny", "DENY", "yes"])("connects nothing where the decision is %j", async (decision) => {
    const { browser, path, userId } = await asked();
    const page = await browser.get(path);
    expect((await answer(browser, page, { decision })).status).toBe(400);
    expect(await connectionsOf(userId)).toEqual([]);
    expect(sentTo(await answer(browser, page)).searchParams.has("code")).toBe(true);
  });

  it("offers only what the person's role allows, and takes no more", async () => {
    const { browser, path, userId } = await asked("reader");
    const page = await browser.get(path);
    expect(offeredBy(page).offered).toEqual(["articles:read", "blogs:read"]);
    const refused = await answer(browser, page, { scopes: ["articles:read", "articles:write"] });
    expect(refused.status).toBe(403);
    expect(await connectionsOf(userId)).toEqual([]);
  });

  it("takes nothing that the application did not ask for", async () => {
    const { browser, path, userId } = await asked("owner", ["articles:read"]);
    expect((await answer(browser, await browser.get(path), { scopes: ["contacts:read"] })).status).toBe(403);
    expect(await connectionsOf(userId)).toEqual([]);
  });

  it("ticks the harmless only, where the application does not say what it needs", async () => {
    const { browser, clientId } = await asked();
    const url = new URL(await authorizeUrl({ clientId, scopes: [], resource: "/mcp" }));
    const { offered, ticked } = offeredBy(await browser.get(url.pathname + url.search));
    expect(ticked).toEqual(["articles:read", "blogs:read", "topics:read"]);
    expect(offered).toContain("articles:write");
    expect(offered).not.toContain("blogs:write");
  });

  it("says so where the role allows nothing of it", async () => {
    const { browser, path } = await asked("reader", ["contacts:read"]);
    const page = await browser.get(path);
    expect(page.status).toBe(403);
    expect(page.text).toContain("does not allow");
  });

  it("is for one organization of several, and for its role there", async () => {
    const { browser, path, userId } = await asked("owner");
    const other = await newTenant("Other");
    await env.DB.prepare(
      "insert into members (id, organization_id, user_id, role, creation_time) values (?, ?, ?, ?, ?)",
    )
      .bind(crypto.randomUUID(), other.organizationId, userId, "reader", new Date().toISOString())
      .run();
    const first = await browser.get(path);
    expect(first.text).toContain('<select id="organization"');
    const second = await browser.get(`${path}&organization=${other.organizationId}`);
    expect(offeredBy(second).offered).toEqual(["articles:read", "blogs:read"]);
    expect(sentTo(await answer(browser, second)).searchParams.has("code")).toBe(true);
    expect(await connectionsOf(userId)).toMatchObject([{ organization_id: other.organizationId }]);
  });

  it("refuses somebody else's organization, in the address and in the form", async () => {
    const { browser, path, userId } = await asked();
    const stranger = await newTenant();
    expect((await browser.get(`${path}&organization=${stranger.organizationId}`)).status).toBe(403);
    const refused = await answer(browser, await browser.get(path), { organization: stranger.organizationId });
    expect(refused.status).toBe(403);
    expect(await connectionsOf(userId)).toEqual([]);
  });

  it("can be answered once: of two answers at the same moment one is told so", async () => {
    const { browser, path, userId } = await asked();
    const page = await browser.get(path);
    const pages = await Promise.all([answer(browser, page), answer(browser, page), answer(browser, page)]);
    expect(pages.filter(({ headers }) => headers.has("Refresh"))).toHaveLength(1);
    for (const refused of pages.filter(({ headers }) => !headers.has("Refresh"))) {
      expect([400, 412]).toContain(refused.status);
      expect(refused.text).toMatch(/already/);
    }
    expect(await connectionsOf(userId)).toHaveLength(1);
    expect((await answer(browser, page)).status).toBe(400);
  });

  it("takes no form from another site, or from another browser", async () => {
    const { browser, path, userId, email } = await asked();
    const page = await browser.get(path);
    expect((await answer(browser, page, {}, { Origin: "https://evil.example" })).status).toBe(403);
    const thief = newBrowser();
    await thief.signIn(email);
    expect((await answer(thief, page)).status).toBe(400);
    expect(await connectionsOf(userId)).toEqual([]);
  });

  it("needs an organization", async () => {
    const { path } = await asked();
    const person = await newPerson();
    const browser = newBrowser();
    await browser.signIn(person.email);
    const page = await browser.get(path);
    expect(page.status).toBe(403);
    expect(page.text).toContain("Create one");
  });

  it("warns where the access goes to this computer", async () => {
    const { browser, url } = await asked();
    url.searchParams.set("client_id", "edgepress-cli");
    for (const host of ["127.0.0.1:61234", "[::1]:9"]) {
      url.searchParams.set("redirect_uri", `http://${host}/callback`);
      const page = await browser.get(url.pathname + url.search);
      expect(page.status).toBe(200);
      expect(page.text).toContain("That is on this computer");
      expect(page.text).toContain("Edgepress command-line client");
      expect(sentTo(await answer(browser, page)).host).toBe(host);
    }
  });

  it("shows hostile names as harmless text", async () => {
    const names: readonly (readonly [string, string])[] = [
      ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
      ["A\u202Egpj.exe", "A gpj.exe"],
      ["Zero\u200Bwidth\u0000\nlines", "Zero width lines"],
      ["\u2066\u2069", "Unnamed app"],
      [`Z${"\u0301".repeat(50)}`, "Ź\u0301\u0301\u0301"],
    ];
    for (const [name, shown] of names) {
      const { browser, path } = await asked("owner", ASKED, { client_name: name });
      expect((await browser.get(path)).text, JSON.stringify(name)).toContain(`<bdi>${shown}</bdi>`);
    }
  });
});

describe("an application that changes while its page is open", () => {
  const change = (query: string, ...values: string[]) =>
    env.DB.prepare(query)
      .bind(...values)
      .run();

  it("is not connected where its registration is gone", async () => {
    const { browser, path, userId, clientId } = await asked();
    const page = await browser.get(path);
    await change("delete from oauth_records where key = ?", `client:${clientId}`);
    const refused = await answer(browser, page);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("The app is not registered here");
    expect(await connectionsOf(userId)).toEqual([]);
  });

  it("is disconnected again where its redirect URI is another by now", async () => {
    const { browser, path, userId, clientId } = await asked();
    const page = await browser.get(path);
    const key = `client:${clientId}`;
    await change(
      "update oauth_records set value = json_set(value, '$.redirectUris', json(?)) where key = ?",
      '["https://client.example/new"]',
      key,
    );
    const refused = await answer(browser, page);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("redirect URL does not belong to the app");
    const [connection] = await connectionsOf(userId);
    expect(connection).toMatchObject({ grant_id: null, disconnect_time: expect.any(String) as string });
    const { results } = await env.DB.prepare(
      "select action from audit where resource_id = ? order by creation_time, id",
    )
      .bind(connection?.["id"])
      .all();
    expect(results).toEqual([{ action: "apps.connect" }, { action: "apps.disconnect" }]);
  });
});

describe("the address of the page, which the application writes", () => {
  it("says nothing of what was done, but that an organization was created on the way", async () => {
    const { browser, path } = await asked();
    expect((await browser.get(`${path}&done=joined`)).text).not.toContain("Welcome! You are now a member");
    expect((await browser.get(`${path}&done=organization-created`)).text).toContain("Organization created");
    expect((await browser.get("/console/account?done=joined")).text).toContain("Welcome! You are now a member");
  });
});

describe("a form of consent", () => {
  it("says nothing of who may be asked: the page's own form holds no client and no redirect", async () => {
    const { browser, path } = await asked();
    const page = await browser.get(path);
    const hidden = Object.keys(hiddenFields(page.text, actionOf(page)));
    expect(hidden.toSorted()).toEqual(["_key", "_organization", "_person", "handle", "organization"]);
    const changed = new URL(unescaped(actionOf(page)), ORIGIN);
    changed.searchParams.set("redirect_uri", "https://evil.example/");
    const answered = await browser.post(changed.pathname + changed.search, {
      ...hiddenFields(page.text, actionOf(page)),
      scopes: "articles:read",
      decision: "allow",
    });
    expect(sentTo(answered).host).toBe("client.example");
  });

  it("connects nothing of somebody who has signed in since the page was shown", async () => {
    const { browser, path, organizationId, userId } = await asked();
    const page = await browser.get(path);
    const other = await newPerson(organizationId);
    await openSession(browser, other.userId, organizationId);
    const refused = await answer(browser, page);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("Somebody else is now signed in");
    expect([await connectionsOf(other.userId), await connectionsOf(userId)]).toEqual([[], []]);
  });

  it("needs somebody who is signed in", async () => {
    const { path } = await asked();
    const response = await send(path, {
      method: "POST",
      headers: { Origin: ORIGIN },
      body: "decision=allow",
      type: "application/x-www-form-urlencoded",
    });
    expect(response.status).toBe(401);
  });
});
