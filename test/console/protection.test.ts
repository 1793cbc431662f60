/** What protects the console's pages and forms: headers, cookies, the origin of forms, the organization they are for. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import {
  hiddenFields,
  newBrowser,
  newPerson,
  openSession,
  PASSWORD,
  signedIn,
  type Browser,
  type Values,
} from "../helpers/console.ts";
import { send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let browser: Browser;
let userId: string;
beforeAll(async () => {
  tenant = await newTenant("Protection");
  ({ browser, userId } = await signedIn(tenant.organizationId));
});

const blogsOf = async (organizationId: string): Promise<number> =>
  (
    await env.DB.prepare("select count(*) as n from blogs where organization_id = ?")
      .bind(organizationId)
      .first<{ n: number }>()
  )?.n ?? 0;

describe("every page", () => {
  it.each(["/console", "/console/blogs", "/console/account", "/console/nothing", "/console/sign-in", "/console/mail"])(
    "%s: no foreign script, no frame, no cache, no other origin",
    async (path) => {
      const { headers, text } = await browser.get(path);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("X-Frame-Options")).toBe("DENY");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Cache-Control")).toBe("private, no-store");
      expect(headers.get("Strict-Transport-Security")).toMatch(/max-age=\d{7,}/);
      expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
      // The policy would stop them; there are none to stop.
      expect(text).not.toMatch(/<script(?![^>]*src="\/console\/console\.js")/);
      expect(text).not.toMatch(/\sstyle=|\son\w+=|javascript:/i);
    },
  );

  it("sends a session cookie that scripts, other sites and plain http do not get", async () => {
    const { email } = await newPerson();
    const { headers } = await newBrowser().signIn(email);
    const cookie = headers.getSetCookie().find((each) => each.includes("session_token")) ?? "";
    expect(cookie).toMatch(/^__Secure-edgepress\.session_token=/);
    for (const attribute of [/; HttpOnly/i, /; Secure/i, /; SameSite=Lax/i, /; Path=\//i])
      expect(cookie).toMatch(attribute);
    expect(cookie).not.toMatch(/domain=/i);
  });

  it("is HTML of its own for what is not there or not allowed, never a stack", async () => {
    const { status, text } = await browser.get("/console/nothing/at/all");
    expect(status).toBe(404);
    expect(text).toContain('<h1 dir="auto">Not found</h1>');
    expect(text).not.toMatch(/at .+\.ts/);
  });
});

describe("a form", () => {
  const form = async () => ({ name: "From a form", locales: "en", _organization: tenant.organizationId });

  it.each([
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "http://edgepress.test" },
    { Origin: "https://edgepress.test.evil.example" },
    { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    { Origin: "", "Sec-Fetch-Site": "cross-site" },
    { Origin: "", "Sec-Fetch-Site": "same-site" },
    { Origin: "https://evil.example", "Content-Type": "text/plain" },
    { Origin: "https://evil.example", "Content-Type": "multipart/form-data; boundary=x" },
  ])("from elsewhere is refused: %j", async (headers: Record<string, string>) => {
    const before = await blogsOf(tenant.organizationId);
    const { status } = await browser.post("/console/blogs/new", await form(), headers);
    expect(status).toBe(403);
    expect((await browser.post("/console/sign-out", {}, headers)).status).toBe(403);
    expect(
      (await newBrowser().post("/console/sign-in", { email: "a@example.com", password: PASSWORD }, headers)).status,
    ).toBe(403);
    expect(await blogsOf(tenant.organizationId)).toBe(before);
    expect((await browser.get("/console")).status).toBe(200);
  });

  it("is not taken from the address of a link", async () => {
    const before = await blogsOf(tenant.organizationId);
    await browser.get(`/console/blogs/new?name=x&locales=en&_organization=${tenant.organizationId}`);
    await browser.get("/console/sign-out");
    expect(await blogsOf(tenant.organizationId)).toBe(before);
    expect((await browser.get("/console")).status).toBe(200);
  });

  it("is refused where it is not a form", async () => {
    const { status } = await browser.post("/console/blogs/new", await form(), { "Content-Type": "application/json" });
    expect(status).toBe(415);
  });

  it("is refused where it is huge", async () => {
    const { status, text } = await browser.post("/console/blogs/new", {
      ...(await form()),
      name: "x".repeat(5_000_000),
    });
    expect(status).toBe(413);
    expect(text).toContain("too large");
  });

  it("for another organization than the present one changes nothing", async () => {
    const other = await newTenant("The other one");
    await env.DB.prepare(
      "insert into members (id, organization_id, user_id, role, creation_time) values (?, ?, ?, 'owner', ?)",
    )
      .bind(crypto.randomUUID(), other.organizationId, userId, new Date().toISOString())
      .run();
    const before = [await blogsOf(tenant.organizationId), await blogsOf(other.organizationId)];
    for (const _organization of [other.organizationId, "", "nonsense"]) {
      const { status, text } = await browser.post("/console/blogs/new", { ...(await form()), _organization });
      expect(status).toBe(412);
      expect(text).toContain("You have switched since");
    }
    expect([await blogsOf(tenant.organizationId), await blogsOf(other.organizationId)]).toEqual(before);
  });

  it("filled in by somebody who is not signed in any more is not sent as another's", async () => {
    const before = await blogsOf(tenant.organizationId);
    const { browser: colleague } = await signedIn(tenant.organizationId);
    const page = await browser.get("/console/blogs/new");
    const theirs = { ...hiddenFields(page.text, "/console/blogs/new"), ...(await form()) };
    const refused = await colleague.post("/console/blogs/new", theirs);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain("Somebody else is now signed in");
    expect(await blogsOf(tenant.organizationId)).toBe(before);
    expect((await browser.post("/console/blogs/new", theirs)).status).toBe(303);
  });

  it.each(["/console/account", "/console/organizations"])(
    "of %s, which is for no organization, is not sent as another's either",
    async (path) => {
      const { browser: colleague, userId: theirId } = await signedIn(tenant.organizationId);
      const theirs = { ...hiddenFields((await browser.get(path)).text, path), name: "Not theirs" };
      const refused = await colleague.post(path, theirs);
      expect(refused.status).toBe(401);
      expect(refused.text).toContain("Somebody else is now signed in");
      const named = await env.DB.prepare("select name from users where id = ?").bind(theirId).first<{ name: string }>();
      expect(named?.name).not.toBe("Not theirs");
      expect((await colleague.get("/console/organizations")).text).not.toContain("Not theirs");
    },
  );

  it("of who belongs to no organization yet names who fills it in, too", async () => {
    const { userId: newcomerId } = await newPerson();
    const newcomer = newBrowser();
    await openSession(newcomer, newcomerId, null);
    const { text } = await newcomer.get("/console/organizations");
    expect(hiddenFields(text, "/console/organizations")).toMatchObject({ _person: newcomerId });
  });

  it("sent twice happens once (contract 1.6)", async () => {
    const before = await blogsOf(tenant.organizationId);
    const twice = { ...(await form()), _key: crypto.randomUUID() };
    const answers = await Promise.all([
      browser.post("/console/blogs/new", twice),
      browser.post("/console/blogs/new", twice),
    ]);
    const third = await browser.post("/console/blogs/new", twice);
    expect(third.status).toBe(303);
    for (const { status } of answers) expect([303, 409]).toContain(status);
    expect(await blogsOf(tenant.organizationId)).toBe(before + 1);
  });

  it("shows again what was entered, escaped, with the field that is wrong", async () => {
    const entered = { name: '"><script>alert(1)</script>', vanityId: "NOT lower", locales: "en, not a locale!" };
    const { status, text } = await browser.post("/console/blogs/new", { ...(await form()), ...entered });
    expect(status).toBe(400);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(text).not.toContain("<script>alert");
    expect(text).toMatch(/id="vanityId"[^>]*aria-describedby="[^"]*vanityId-error"/);
    expect(text).toMatch(/id="vanityId"[^>]*aria-invalid="true"/);
    expect(text).toMatch(/id="locales-error"[^>]*>[^<]*language tag/);
    expect(text).toContain('value="en, not a locale!"');
  });

  it.each<[string, Values]>([
    ["/console/blogs/new", { name: "", vanityId: "NOT lower", locales: "en, not a locale!", coverUrl: "x" }],
    ["/console/account", { name: " " }],
    ["/console/organizations", { name: "x".repeat(301) }],
    ["/console/account/password", { currentPassword: "x", newPassword: "short" }],
    ["/console/settings", { name: "" }],
    ["/console/keys/new", { name: "", scopes: [], expirationTime: "yesterday" }],
    ["/console/webhooks/new", { url: "none", blogId: "none" }],
    ["/console/members/invitations", { email: "none", role: "king" }],
    ["/console/contacts/new", { email: "none", locale: "not one!" }],
    ["/console/forgot-password", { email: "none" }],
  ])("of %s calls what is wrong as its fields are called", async (path, entered) => {
    // Contacts are those of a blog.
    const values = { ...(await form()), blogId: tenant.blogId, ...entered };
    const { status, text } = await browser.post(path, values);
    expect(status).toBe(400);
    const [, list = ""] = /role="alert">.*?<ul>(.*?)<\/ul>/s.exec(text) ?? [];
    const named = [...list.matchAll(/<li>(.*?): /g)].map(([, name]) => name);
    const labels = [...text.matchAll(/<(?:label for="[^"]*"|legend)>([^<]*)</g)].map(([, label]) => label);
    expect(named).not.toEqual([]);
    expect(list).not.toContain("expected");
    for (const name of named) expect(labels).toContain(name);
  });

  it("of somebody who is signed out changes nothing and says so", async () => {
    const before = await blogsOf(tenant.organizationId);
    const { status, text } = await newBrowser().post("/console/blogs/new", await form());
    expect(status).toBe(401);
    expect(text).toContain("signed out");
    expect(await blogsOf(tenant.organizationId)).toBe(before);
  });
});

describe("the REST API", () => {
  it("takes no session for a credential", async () => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect((await send("/api/blogs", { headers: { Cookie: cookie } })).status).toBe(401);
    const body = { name: "By cookie" };
    expect((await send("/api/blogs", { headers: { Cookie: cookie }, body })).status).toBe(401);
  });
});

describe("better-auth's own endpoints", () => {
  it.each([
    "sign-up/email",
    "sign-in/email",
    "organization/create",
    "organization/invite-member",
    "list-sessions",
    "ok",
  ])("/console/auth/%s is not there", async (path) => {
    const reply = await newBrowser().post(`/console/auth/${path}`, {
      email: "x@example.com",
      password: PASSWORD,
      name: "x",
    });
    expect([401, 404]).toContain(reply.status);
    const got = await browser.get(`/console/auth/${path}`);
    expect(got.status).toBe(404);
  });
});
