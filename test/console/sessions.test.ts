/** Sessions and passwords: how they begin, end and change. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newBrowser, newPerson, openSession, PASSWORD, signedIn } from "../helpers/console.ts";
import { freshAddress, mailedLink } from "../helpers/mails.ts";
import { newMember } from "../helpers/people.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant("Sessions");
});

const sessionsOf = async (userId: string): Promise<number> =>
  (await env.DB.prepare("select count(*) as n from sessions where user_id = ?").bind(userId).first<{ n: number }>())
    ?.n ?? 0;

describe("sessions", () => {
  it("are over when signed out, also for who has copied the cookie", async () => {
    const { browser } = await signedIn(tenant.organizationId);
    const copy = newBrowser();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect((await copy.get("/console")).status).toBe(200);
    expect((await browser.submit("/console", "/console/sign-out")).headers.get("Location")).toBe(
      "/console/sign-in?done=signed-out",
    );
    expect((await copy.get("/console")).status).toBe(303);
  });

  it("are listed without their tokens, and revoked one by one", async () => {
    const { browser, email, userId } = await signedIn(tenant.organizationId);
    const other = newBrowser();
    await other.signIn(email);
    const { text } = await browser.get("/console/account");
    const [, action = ""] = /action="(\/console\/account\/sessions\/[0-9a-f-]{36}\/revoke)"/.exec(text) ?? [];
    const { results } = await env.DB.prepare("select token from sessions where user_id = ?").bind(userId).all();
    for (const row of results) expect(text).not.toContain(String(row["token"]));
    expect((await browser.submit("/console/account", action)).status).toBe(303);
    expect((await other.get("/console")).status).toBe(303);
    expect((await browser.get("/console")).status).toBe(200);
  });

  it("that began days ago show the account, change it and end others as new ones do", async () => {
    const { browser, email, userId } = await signedIn(tenant.organizationId);
    const other = newBrowser();
    await other.signIn(email);
    const days = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString();
    await env.DB.prepare(
      "update sessions set creation_time = ?, last_edit_time = ?, expiration_time = ? where user_id = ?",
    )
      .bind(days(-13), days(-2), days(12), userId)
      .run();
    const { status, text } = await browser.get("/console/account");
    expect(status).toBe(200);
    const name = await browser.submit("/console/account", "/console/account", { name: "Another name" });
    expect(name.headers.get("Location")).toBe("/console/account?done=saved");
    const [, action = ""] = /action="(\/console\/account\/sessions\/[0-9a-f-]{36}\/revoke)"/.exec(text) ?? [];
    expect((await browser.submit("/console/account", action)).status).toBe(303);
    expect((await other.get("/console")).status).toBe(303);
  });

  it("are all signed out but this one, however many there are", async () => {
    const { browser, userId } = await signedIn(tenant.organizationId);
    for (let n = 0; n < 105; n++) await openSession(newBrowser(), userId, tenant.organizationId);
    const action = "/console/account/sessions/revoke-others";
    expect((await browser.submit("/console/account", action)).headers.get("Location")).toBe(
      "/console/account?done=others-revoked",
    );
    expect(await sessionsOf(userId)).toBe(1);
    expect((await browser.get("/console")).status).toBe(200);
  });

  it("say which browser they are in, in words", async () => {
    const { browser, email } = await signedIn(tenant.organizationId);
    const agents = {
      "Chrome on macOS":
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
      "Firefox on Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
      "Safari on iOS":
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    };
    for (const agent of Object.values(agents)) {
      const body = { email, password: PASSWORD, next: "/console" };
      expect((await newBrowser().post("/console/sign-in", body, { "User-Agent": agent })).status).toBe(303);
    }
    const { text } = await browser.get("/console/account");
    for (const [words, agent] of Object.entries(agents))
      expect(text).toContain(`<span title="${agent}">${words}</span>`);
  });

  it("of others cannot be revoked", async () => {
    const victim = await signedIn(tenant.organizationId);
    const attacker = await signedIn(tenant.organizationId);
    const row = await env.DB.prepare("select id from sessions where user_id = ?")
      .bind(victim.userId)
      .first<{ id: string }>();
    expect((await attacker.browser.post(`/console/account/sessions/${row?.id}/revoke`)).status).toBe(404);
    expect((await victim.browser.get("/console")).status).toBe(200);
  });

  it("end after their time", async () => {
    const { browser, userId } = await signedIn(tenant.organizationId);
    await env.DB.prepare("update sessions set expiration_time = '2020-01-01T00:00:00.000Z' where user_id = ?")
      .bind(userId)
      .run();
    expect((await browser.get("/console")).status).toBe(303);
  });
});

describe("passwords", () => {
  it("are set anew by a link that works once, and all sessions end", async () => {
    const { browser, email, userId } = await signedIn(tenant.organizationId);
    const stranger = newBrowser();
    await stranger.submit("/console/forgot-password", "/console/forgot-password", { email });
    const link = await mailedLink(email);
    const short = await stranger.submit(link, link, { password: "short" });
    expect(short.status).toBe(400);
    expect(short.text).toContain('id="password-error"');
    expect((await stranger.submit(link, link, { password: "another password" })).status).toBe(303);
    expect(await sessionsOf(userId)).toBe(0);
    expect((await browser.get("/console")).status).toBe(303);
    expect((await browser.signIn(email)).status).toBe(401);
    expect((await browser.signIn(email, "another password")).status).toBe(303);
    expect((await stranger.post(link, { password: "a third password" })).status).toBe(404);
  });

  it("forgotten: the answer does not tell whether there is an account", async () => {
    const { email } = await newPerson();
    const unknown = freshAddress();
    const answer = async (address: string) =>
      (await newBrowser().post("/console/forgot-password", { email: address })).text.replaceAll(address, "ADDRESS");
    expect(await answer(unknown)).toBe(await answer(email));
    await expect(mailedLink(unknown)).rejects.toThrow("no link");
  });

  it("are changed by who knows the present one, and other sessions end", async () => {
    const { browser, email } = await signedIn(tenant.organizationId);
    const other = newBrowser();
    await other.signIn(email);
    const change = (currentPassword: string) =>
      browser.submit("/console/account", "/console/account/password", {
        currentPassword,
        newPassword: "a new password",
      });
    const wrong = await change("not mine at all");
    expect(wrong.status).toBe(400);
    expect(wrong.text).toMatch(/id="currentPassword-error"[^>]*>is incorrect/);
    expect((await change(PASSWORD)).headers.get("Location")).toBe("/console/account?done=password-changed");
    expect((await other.get("/console")).status).toBe(303);
    expect((await browser.get("/console")).status).toBe(200);
    expect((await newBrowser().signIn(email, "a new password")).status).toBe(303);
  });

  it("are set for the first time by a mailed link, where somebody has only signed in with a provider", async () => {
    const { userId, email } = await newMember(tenant.organizationId, "writer");
    const browser = newBrowser();
    await openSession(browser, userId, tenant.organizationId);
    const { text } = await browser.get("/console/account");
    expect(text).not.toContain("currentPassword");
    expect(text).toContain('<a href="/console/forgot-password">Set one by email</a>');
    const entered = { currentPassword: "guessed", newPassword: "a first password" };
    const refused = await browser.post("/console/account/password", entered);
    expect(refused.status).toBe(400);
    expect(refused.text).not.toContain("is incorrect");
    await browser.submit("/console/forgot-password", "/console/forgot-password", { email });
    const link = await mailedLink(email);
    expect((await browser.submit(link, link, { password: "a first password" })).status).toBe(303);
    expect((await browser.signIn(email, "a first password")).status).toBe(303);
  });

  it("are stored as salted hashes only", async () => {
    const { userId } = await newPerson();
    const row = await env.DB.prepare("select password from accounts where user_id = ?").bind(userId).first();
    expect(row?.["password"]).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });
});
