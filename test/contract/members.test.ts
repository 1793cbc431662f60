/** Contract 10.7, 10.8: members, invitations and the organization over REST: what the console does, for operators' programs. */
import { env } from "cloudflare:workers";
import { RATES } from "../../src/domain/rates.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../src/lib/hash.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { copies } from "../helpers/copies.ts";
import { limited } from "../helpers/limiter.ts";
import { newMember, type TestMember } from "../helpers/people.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { issueToken, send, sendJson, type Credential } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

type MemberBody = { _id: string; userId: string; name: string; email: string; role: string; creationTime: string };
type InvitationBody = { _id: string; email: string; role: string; expirationTime: string; creationTime: string };

let tenant: Tenant;
let as: Credential;
let owner: TestMember;
beforeEach(async () => {
  tenant = await newTenant("People");
  as = { operatorToken: tenant.operatorToken };
  owner = await newMember(tenant.organizationId, "owner");
});

const list = () => sendJson<MemberBody[]>(200, "/api/members", { as });
const change = (memberId: string, role: string) =>
  send(`/api/members/${memberId}`, { as, method: "PUT", body: { role } });
const remove = (memberId: string) => send(`/api/members/${memberId}`, { as, method: "DELETE" });

describe("members", () => {
  it("are shown one by one, with a version for If-Match that ends with a change", async () => {
    const { memberId } = await newMember(tenant.organizationId, "writer");
    const shown = await send(`/api/members/${memberId}`, { as });
    expect(await shown.json()).toEqual((await list()).find(({ _id }) => _id === memberId));
    const headers = { "If-Match": shown.headers.get("ETag") ?? "" };
    const put = () => send(`/api/members/${memberId}`, { as, method: "PUT", body: { role: "reader" }, headers });
    const changed = await put();
    expect(changed.status).toBe(200);
    expect(changed.headers.get("ETag")).not.toBe(headers["If-Match"]);
    await refusalOf(await put(), "precondition_failed");
    await refusalOf(await send(`/api/members/${memberId}`, { as, method: "DELETE", headers }), "precondition_failed");
    expect((await list()).find(({ _id }) => _id === memberId)?.role).toBe("reader");
    await refusalOf(await send(`/api/members/${owner.userId}`, { as }), "not_found");
  });

  it("are listed with the oldest membership first", async () => {
    const writer = await newMember(tenant.organizationId, "writer");
    await newMember((await newTenant("Others")).organizationId, "owner");
    expect(await list()).toEqual([
      {
        _id: owner.memberId,
        userId: owner.userId,
        name: "A member",
        email: owner.email,
        role: "owner",
        creationTime: expect.any(String),
      },
      {
        _id: writer.memberId,
        userId: writer.userId,
        name: "A member",
        email: writer.email,
        role: "writer",
        creationTime: expect.any(String),
      },
    ]);
  });

  it("change their roles", async () => {
    const { memberId } = await newMember(tenant.organizationId, "reader");
    expect((await change(memberId, "admin")).status).toBe(200);
    expect((await list())[1]).toMatchObject({ _id: memberId, role: "admin" });
  });

  it("are removed, and the audit log says so", async () => {
    const { memberId, userId } = await newMember(tenant.organizationId, "reader");
    expect((await remove(memberId)).status).toBe(200);
    expect((await list()).map(({ _id }) => _id)).toEqual([owner.memberId]);
    expect((await remove(memberId)).status).toBe(404);
    const [entry] = await sendJson<{ action: string; resourceId: string }[]>(200, "/api/audit?limit=1", { as });
    expect(entry).toMatchObject({ action: "members.remove", resourceId: memberId });
    // The person stays: they may belong to other organizations.
    expect(await env.DB.prepare("select 1 from users where id = ?").bind(userId).first()).not.toBeNull();
  });

  it("that are owners are not a token's to make, change or remove", async () => {
    const { memberId } = await newMember(tenant.organizationId, "writer");
    const invite = { email: "new@example.com", role: "owner" };
    for (const response of [
      await change(memberId, "owner"),
      await change(owner.memberId, "reader"),
      await remove(owner.memberId),
      await send("/api/invitations", { as, body: invite }),
    ]) {
      await refusalOf(response, "role_forbidden");
    }
    expect((await list()).map(({ role }) => role)).toEqual(["owner", "writer"]);
  });
});

describe("invitations", () => {
  const invite = (email: string, headers: Record<string, string> = {}) =>
    sendJson<InvitationBody & { link: string }>(200, "/api/invitations", {
      as,
      body: { email, role: "writer" },
      headers,
    });
  const open = () => sendJson<InvitationBody[]>(200, "/api/invitations", { as });

  it("show their link once, and live for seven days", async () => {
    const { link, ...invitation } = await invite("Ada@Example.com");
    expect(invitation).toMatchObject({ email: "ada@example.com", role: "writer" });
    expect(Date.parse(invitation.expirationTime) - Date.parse(invitation.creationTime)).toBeGreaterThan(
      6.99 * 86_400_000,
    );
    expect(await open()).toEqual([invitation]);
    const secret = link.split("/").at(-1) ?? "";
    expect(link).toBe(`https://edgepress.test/console/invitations/${secret}`);
    const row = await env.DB.prepare("select hash from invitations where id = ?").bind(invitation._id).first();
    expect(row?.["hash"]).toBe(await sha256(secret));
  });

  it("go out as mails, once for a repeated call", async () => {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const first = await invite("mail@example.com", headers);
    expect(await invite("mail@example.com", headers)).toEqual(first);
    const { results } = await env.DB.prepare("select * from local_mails where recipient = 'mail@example.com'").all();
    expect(results).toHaveLength(1);
    expect(results[0]?.["subject"]).not.toContain("People");
    expect(results[0]?.["body"]).toContain('"People"');
    // Another link than the one that is shown: who has it reads the mailbox.
    const [mailed] = /https:\S+\/console\/invitations\/\w{40}/.exec(String(results[0]?.["body"])) ?? [];
    expect(mailed).toBeDefined();
    expect(mailed).not.toBe(first.link);
  });

  it("lead to BASE_URL where it is set, whatever host the request names", async () => {
    const bindings = { BASE_URL: "https://press.example.com/" } as unknown as Partial<Env>;
    const body = { email: "base@example.com", role: "reader" };
    const { link } = await sendJson<{ link: string }>(200, "/api/invitations", { as, body, bindings });
    expect(link).toMatch(/^https:\/\/press\.example\.com\/console\/invitations\/\w{40}$/);
  });

  it("replace an earlier one of the same address", async () => {
    const first = await invite("again@example.com");
    const second = await invite("again@example.com");
    expect((await open()).map(({ _id }) => _id)).toEqual([second._id]);
    expect(first.link).not.toBe(second.link);
  });

  it("are canceled", async () => {
    const { _id } = await invite("cancel@example.com");
    expect((await send(`/api/invitations/${_id}`, { as, method: "DELETE" })).status).toBe(200);
    expect(await open()).toEqual([]);
    expect((await send(`/api/invitations/${_id}`, { as, method: "DELETE" })).status).toBe(404);
  });

  it("are canceled with the token that sent them, so that nobody comes back by one who has stolen it", async () => {
    const { _id, secret } = await issueToken(as);
    const body = { email: "thief@example.com", role: "admin" };
    await sendJson(200, "/api/invitations", { as: { operatorToken: secret }, body });
    const kept = await invite("colleague@example.com");
    await sendJson(200, `/api/accesstokens/${_id}`, { as, method: "DELETE" });
    expect((await open()).map((each) => each._id)).toEqual([kept._id]);
  });

  it("are limited to 20 a minute for an organization, whoever sends them, and store nothing beyond that", async () => {
    const bindings = limited({ invitations: RATES.invitations });
    const invited = (email: string, sender = as) =>
      send("/api/invitations", { as: sender, body: { email, role: "reader" }, bindings });
    const other = { operatorToken: (await newTenant("Others")).operatorToken };
    for (let n = 0; n < 20; n++) expect((await invited(`fast-${n}@example.com`)).status).toBe(200);
    await storingNothing(async () => {
      const refused = await invited("fast-20@example.com");
      await refusalOf(refused, "rate_limited");
      expect(refused.headers.get("Retry-After")).toBe("60");
      expect(refused.headers.get("RateLimit-Policy")).toBe('"rate_limited";q=20;w=60');
    });
    expect((await invited("fast@example.com", other)).status).toBe(200);
  });

  it("wait for an answer by 100 at most: others than a renewed one are refused until there is room again", async () => {
    const bindings = limited({ invitations: 1000 });
    const invited = (email: string) => send("/api/invitations", { as, body: { email, role: "reader" }, bindings });
    const { _id } = await (await invited("many-1@example.com")).json<{ _id: string }>();
    const email = "'many-' || n || '@example.com'";
    await copies("invitations", _id, 98, { email, hash: "n", mail_hash: "-n" });
    const last = await Promise.all(["a", "b", "c", "d", "e"].map((name) => invited(`${name}@example.com`)));
    expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409, 409]);
    expect(await open()).toHaveLength(100);
    const { detail } = await refusalOf(await invited("more@example.com"), "invitation_limit");
    expect(detail).toContain(`at most ${LIMITS.invitations} pending invitations`);
    expect((await invited("many-1@example.com")).status).toBe(200);
    await refusalOf(await invited(owner.email), "member_exists");
    const setOf = (email: string, set: string) =>
      env.DB.prepare(`update invitations set ${set} where email = ?`).bind(email).run();
    await setOf("many-3@example.com", "expiration_time = '2020-01-01T00:00:00.000Z'");
    expect((await invited("more@example.com")).status).toBe(200);
    await setOf("many-2@example.com", "status = 'accepted'");
    expect((await invited("most@example.com")).status).toBe(200);
    await refusalOf(await invited("too-many@example.com"), "invitation_limit");
  });

  it("are refused for who is a member", async () => {
    const response = await send("/api/invitations", { as, body: { email: owner.email.toUpperCase(), role: "reader" } });
    await refusalOf(response, "member_exists");
  });
});

describe("the organization", () => {
  it("is shown and renamed", async () => {
    expect(await sendJson(200, "/api/organization", { as })).toMatchObject({
      _id: tenant.organizationId,
      name: "People",
    });
    const renamed = await sendJson(200, "/api/organization", { as, method: "PUT", body: { name: "Better people" } });
    expect(renamed).toMatchObject({ _id: tenant.organizationId, name: "Better people" });
    expect(await sendJson(200, "/api/organization", { as })).toEqual(renamed);
  });
});

describe("GET /api/blogs/{blogId}", () => {
  it("shows a blog of the organization with the ETag that an update needs", async () => {
    const response = await send(`/api/blogs/${tenant.blogId}`, { as });
    const etag = response.headers.get("ETag") ?? "";
    expect(await response.json()).toMatchObject({ _id: tenant.blogId, name: "People" });
    const rename = (headers: Record<string, string>) =>
      send(`/api/blogs/${tenant.blogId}`, { as, method: "PUT", body: { name: "Renamed" }, headers });
    expect((await rename({ "If-Match": '"another"' })).status).toBe(412);
    expect((await rename({ "If-Match": etag })).status).toBe(200);
    expect((await send(`/api/blogs/${tenant.blogId}`, { as, headers: { "If-None-Match": "*" } })).status).toBe(304);
  });
});
