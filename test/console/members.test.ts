/** Members, roles, invitations: who may do what, and what a removed member can still do. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { ROLE_GRANTS, ROLES, SCOPES } from "../../src/domain/principal.ts";
import { connect, newAddress } from "../helpers/connected.ts";
import {
  hiddenFields,
  newBrowser,
  newPerson,
  PASSWORD,
  signedIn,
  unescaped,
  type Browser,
} from "../helpers/console.ts";
import { send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let owner: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  tenant = await newTenant("Members");
  owner = await signedIn(tenant.organizationId, "owner");
});

const roleOf = async (userId: string): Promise<unknown> =>
  (
    await env.DB.prepare("select role from members where organization_id = ? and user_id = ?")
      .bind(tenant.organizationId, userId)
      .first()
  )?.["role"] ?? null;

/** Sends a form for the tenant without looking at a page first. */
const post = (browser: Browser, path: string, values: Record<string, string> = {}) =>
  browser.post(path, { _organization: tenant.organizationId, ...values });

/** Invites by the console; returns the path of the link. */
async function invite(email: string, role = "writer"): Promise<string> {
  const { status, text } = await owner.browser.submit("/console/members", "/console/members/invitations", {
    email,
    role,
  });
  expect(status).toBe(200);
  const [, link = ""] = /value="(https:\/\/[^"]+\/console\/invitations\/\w+)"/.exec(text) ?? [];
  return new URL(unescaped(link)).pathname;
}

let serial = 0;
const freshAddress = () => `invited-${++serial}@example.com`;

describe("roles", () => {
  it("map to scopes in one table: each includes the next", () => {
    for (const [index, role] of ROLES.entries()) {
      const next = ROLES[index + 1];
      if (next) expect(ROLE_GRANTS[role]).toEqual(expect.arrayContaining([...ROLE_GRANTS[next]]));
    }
    expect(ROLE_GRANTS.admin).toEqual([...SCOPES, "operator"]);
    expect(ROLE_GRANTS.reader.filter((grant) => grant.endsWith("write"))).toEqual([]);
    expect(ROLE_GRANTS.writer).not.toContain("operator");
  });

  it.each([
    ["owner", { blogs: 303, members: 200, audit: 200 }],
    ["admin", { blogs: 303, members: 200, audit: 200 }],
    ["writer", { blogs: 403, members: 403, audit: 403 }],
    ["contributor", { blogs: 403, members: 403, audit: 403 }],
    ["reader", { blogs: 403, members: 403, audit: 403 }],
  ] as const)("%s: what the pages and forms answer", async (role, expected) => {
    const { browser } = await signedIn(tenant.organizationId, role);
    const blog = { name: `By a ${role}`, locales: "en" };
    expect((await post(browser, "/console/blogs/new", blog)).status).toBe(expected.blogs);
    expect((await browser.get("/console/members")).status).toBe(expected.members);
    expect((await browser.get("/console/audit")).status).toBe(expected.audit);
    expect((await browser.get("/console/blogs")).status).toBe(200);
  });

  it("change with the next request, without signing in anew", async () => {
    const { browser, memberId } = await signedIn(tenant.organizationId, "reader");
    expect((await post(browser, "/console/blogs/new", { name: "No", locales: "en" })).status).toBe(403);
    await post(owner.browser, `/console/members/${memberId}`, { role: "admin" });
    expect((await post(browser, "/console/blogs/new", { name: "Yes", locales: "en" })).status).toBe(303);
    await post(owner.browser, `/console/members/${memberId}`, { role: "reader" });
    expect((await post(browser, "/console/blogs/new", { name: "No", locales: "en" })).status).toBe(403);
  });

  it("of owners are for owners to give and to take", async () => {
    const admin = await signedIn(tenant.organizationId, "admin");
    const other = await newPerson(tenant.organizationId, "writer");
    expect((await post(admin.browser, `/console/members/${other.memberId}`, { role: "owner" })).status).toBe(403);
    expect((await post(admin.browser, `/console/members/${admin.memberId}`, { role: "owner" })).status).toBe(403);
    expect((await post(admin.browser, `/console/members/${owner.memberId}`, { role: "reader" })).status).toBe(403);
    expect((await post(admin.browser, `/console/members/${owner.memberId}/remove`)).status).toBe(403);
    const form = { email: freshAddress(), role: "owner" };
    expect((await post(admin.browser, "/console/members/invitations", form)).status).toBe(403);
    expect([await roleOf(other.userId), await roleOf(admin.userId), await roleOf(owner.userId)]).toEqual([
      "writer",
      "admin",
      "owner",
    ]);
    expect((await post(owner.browser, `/console/members/${other.memberId}`, { role: "owner" })).status).toBe(303);
    expect(await roleOf(other.userId)).toBe("owner");
  });

  it("of the last owner stay", async () => {
    expect((await post(owner.browser, `/console/members/${owner.memberId}`, { role: "admin" })).status).toBe(409);
    expect((await post(owner.browser, `/console/members/${owner.memberId}/remove`)).status).toBe(409);
    expect((await owner.browser.post(`/console/organizations/${tenant.organizationId}/leave`)).status).toBe(409);
    expect(await roleOf(owner.userId)).toBe("owner");
  });

  it("of two owners who demote each other at once: one remains", async () => {
    const second = await signedIn(tenant.organizationId, "owner");
    await Promise.all([
      post(owner.browser, `/console/members/${second.memberId}`, { role: "reader" }),
      post(second.browser, `/console/members/${owner.memberId}`, { role: "reader" }),
    ]);
    expect(new Set([await roleOf(owner.userId), await roleOf(second.userId)])).toEqual(new Set(["owner", "reader"]));
  });
});

describe("a removed member", () => {
  it("is out with the next request, and says so to forms that were open", async () => {
    const { browser, memberId, userId } = await signedIn(tenant.organizationId, "admin");
    // What they do next must not happen in their other organization.
    const { organizationId: other } = await newTenant();
    await env.DB.prepare(
      "insert into members (id, organization_id, user_id, role, creation_time) values (?, ?, ?, ?, ?)",
    )
      .bind(crypto.randomUUID(), other, userId, "owner", "2026-01-01")
      .run();
    expect((await browser.get("/console/blogs")).status).toBe(200);
    const confirm = `/console/members/${memberId}/remove`;
    // By two clicks, too.
    const sent = hiddenFields((await owner.browser.get(confirm)).text, confirm);
    for (const removed of [await owner.browser.post(confirm, sent), await owner.browser.post(confirm, sent)]) {
      expect(removed.headers.get("Location")).toBe("/console/members?done=member-removed");
    }
    expect((await browser.get("/console/blogs")).headers.get("Location")).toBe("/console/organizations");
    expect((await post(browser, "/console/blogs/new", { name: "Late", locales: "en" })).status).toBe(403);
    expect((await browser.get("/console/organizations")).text).not.toContain(tenant.organizationId);
    expect((await browser.post(`/console/organizations/${tenant.organizationId}/switch`)).status).toBe(404);
  });

  it("who leaves by themselves is out as well", async () => {
    const { browser, userId } = await signedIn(tenant.organizationId, "writer");
    const leave = `/console/organizations/${tenant.organizationId}/leave`;
    expect((await browser.submit(leave, leave)).headers.get("Location")).toBe("/console/organizations?done=left");
    expect(await roleOf(userId)).toBeNull();
    expect((await browser.get("/console/blogs")).status).toBe(303);
  });
});

describe("an invitation", () => {
  it("makes who opens its link a member, with the role it names", async () => {
    const email = freshAddress();
    const link = await invite(email, "reader");
    const guest = newBrowser();
    expect((await guest.get(link)).text).toContain("Join Members");
    const joined = await guest.submit(link, `${link}/sign-up`, { name: "Grace", password: PASSWORD });
    expect(joined.status).toBe(303);
    const user = await env.DB.prepare("select id from users where email = ?").bind(email).first<{ id: string }>();
    expect(await roleOf(user?.id ?? "")).toBe("reader");
    expect((await guest.get("/console/blogs")).status).toBe(200);
    expect((await guest.get("/console/members")).status).toBe(403);
  });

  it("works once", async () => {
    const link = await invite(freshAddress());
    const form = { name: "Grace", password: PASSWORD };
    const answers = await Promise.all([
      newBrowser().post(`${link}/sign-up`, form),
      newBrowser().post(`${link}/sign-up`, form),
    ]);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect((await newBrowser().get(link)).status).toBe(404);
  });

  it("is for its address only", async () => {
    const link = await invite(freshAddress());
    const other = await signedIn((await newTenant("Elsewhere")).organizationId);
    expect((await other.browser.get(link)).text).toContain("you are signed in as");
    expect((await other.browser.post(link)).status).toBe(404);
    expect(await roleOf(other.userId)).toBeNull();
  });

  it("takes in who has an account already, and acts for the organization at once", async () => {
    const guest = await signedIn((await newTenant("Elsewhere")).organizationId);
    const link = await invite(guest.email, "admin");
    expect((await guest.browser.submit(link, link)).headers.get("Location")).toBe("/console?done=joined");
    expect(await roleOf(guest.userId)).toBe("admin");
    expect((await guest.browser.get("/console/members")).text).toContain(owner.email);
  });

  it("no longer works once it is canceled, replaced or old", async () => {
    const email = freshAddress();
    const first = await invite(email);
    const second = await invite(email);
    expect((await newBrowser().get(first)).status).toBe(404);
    expect((await newBrowser().get(second)).status).toBe(200);
    const { text } = await owner.browser.get("/console/members");
    const [, cancel = ""] = /action="(\/console\/members\/invitations\/[0-9a-f-]{36}\/cancel)"/.exec(text) ?? [];
    const sent = hiddenFields((await owner.browser.get("/console/members")).text, cancel);
    for (const canceled of [await owner.browser.post(cancel, sent), await owner.browser.post(cancel, sent)]) {
      expect(canceled.status).toBe(303);
    }
    expect((await newBrowser().post(`${second}/sign-up`, { name: "G", password: PASSWORD })).status).toBe(404);
    const third = await invite(email);
    await env.DB.prepare("update invitations set expiration_time = '2020-01-01T00:00:00.000Z' where email = ?")
      .bind(email)
      .run();
    expect((await newBrowser().get(third)).status).toBe(404);
  });

  it("makes no account where SIGN_UP is closed, and lets who has one in", async () => {
    const email = freshAddress();
    const link = await invite(email);
    const guest = newBrowser({ SIGN_UP: "closed" });
    expect((await guest.get(link)).text).not.toContain("New here?");
    expect((await guest.post(`${link}/sign-up`, { name: "G", password: PASSWORD })).status).toBe(403);
    expect(await env.DB.prepare("select id from users where email = ?").bind(email).first()).toBeNull();
  });
});

describe("the audit log", () => {
  it("names the person who did it", async () => {
    await post(owner.browser, "/console/blogs/new", { name: "Audited", locales: "en" });
    const { text } = await owner.browser.get("/console/audit");
    expect(text).toMatch(/>A member<\/a> created the blog “<a href="\/console\/blogs\/[0-9a-f-]{36}">Audited<\/a>”/);
    const row = await env.DB.prepare("select * from audit where actor_id = ? and action = 'blogs.create'")
      .bind(owner.userId)
      .first();
    expect(row).toMatchObject({ actor_kind: "user", organization_id: tenant.organizationId });
  });

  it("names the application that did it, and whose it is", async () => {
    const { organizationId, blogId } = tenant;
    const scopes = ["articles:write"] as const;
    const asked = { organizationId, userId: owner.userId, scopes, resource: "/api", clientName: "Typewriter" } as const;
    const { access_token: token } = await connect(asked);
    const headers = { Authorization: `Bearer ${token}`, "CF-Connecting-IP": newAddress() };
    const { status } = await send("/api/articles", { headers, body: { blogId, title: "By an application" } });
    expect(status).toBe(200);
    const { text } = await owner.browser.get("/console/audit");
    expect(text).toMatch(
      />Typewriter \(A member\)<\/a> <span class="badge">app<\/span> created “<a [^>]*>By an application</,
    );
  });
});
