/** Attacks on accounts that were tried, and what stops them. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { isId, newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { describeError } from "../../src/lib/log.ts";
import { computeMark } from "../../src/store/articles/search-index.ts";
import { newBrowser, newPerson, PASSWORD, signedIn, unescaped } from "../helpers/console.ts";
import { send } from "../helpers/requests.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { signInLimiters } from "../helpers/limiter.ts";
import { freshAddress, mailedLink } from "../helpers/mails.ts";

let tenant: Tenant;
let owner: Awaited<ReturnType<typeof signedIn>>;
beforeEach(async () => {
  tenant = await newTenant("Attacked");
  owner = await signedIn(tenant.organizationId, "owner");
});

type Someone = Awaited<ReturnType<typeof signedIn>>;

/** Invites by the console; returns the path of the link that is shown. */
async function invite({ browser }: Someone, email: string, role: string): Promise<string> {
  const { text } = await browser.submit("/console/members", "/console/members/invitations", { email, role });
  const [, link = ""] = /value="(https:\/\/[^"]+\/console\/invitations\/\w+)"/.exec(text) ?? [];
  return new URL(unescaped(link)).pathname;
}

const own = (values: Record<string, string> = {}) => ({ _organization: tenant.organizationId, ...values });

describe("a way back", () => {
  it("is no invitation that somebody sent before they were removed", async () => {
    const admin = await signedIn(tenant.organizationId, "admin");
    const link = await invite(admin, freshAddress(), "admin");
    expect((await newBrowser().get(link)).status).toBe(200);
    await owner.browser.post(`/console/members/${admin.memberId}/remove`, own());
    expect((await newBrowser().get(link)).status).toBe(404);
    expect((await newBrowser().post(`${link}/sign-up`, { name: "Back", password: PASSWORD })).status).toBe(404);
  });

  it("is no invitation to more than one's new role may give", async () => {
    const second = await signedIn(tenant.organizationId, "owner");
    const links = [await invite(second, freshAddress(), "owner"), await invite(second, freshAddress(), "writer")];
    const status = async () => Promise.all(links.map(async (link) => (await newBrowser().get(link)).status));
    await owner.browser.post(`/console/members/${second.memberId}`, own({ role: "admin" }));
    expect(await status()).toEqual([404, 200]);
    await owner.browser.post(`/console/members/${second.memberId}`, own({ role: "reader" }));
    expect(await status()).toEqual([404, 404]);
  });

  it("is no older link for a new password", async () => {
    const forgotten = async () => {
      await newBrowser().post("/console/forgot-password", { email: owner.email });
      return mailedLink(owner.email);
    };
    const [first, second] = [await forgotten(), await forgotten()];
    expect((await newBrowser().post(second, { password: "the owner's choice" })).status).toBe(303);
    expect((await newBrowser().post(first, { password: "the thief's choice" })).status).toBe(404);
    const third = await forgotten();
    const browser = newBrowser();
    await browser.signIn(owner.email, "the owner's choice");
    const change = { currentPassword: "the owner's choice", newPassword: "another choice" };
    expect((await browser.post("/console/account/password", change)).status).toBe(303);
    expect((await newBrowser().post(third, { password: "the thief's choice" })).status).toBe(404);
  });

  it("is no endless guessing of the present password", async () => {
    const browser = newBrowser(signInLimiters({ signInsOfBrowser: 2 }));
    await browser.signIn(owner.email);
    const change = (currentPassword: string) =>
      browser.post("/console/account/password", { currentPassword, newPassword: "a new password" });
    let answered = 0;
    while ((await change(`guess ${answered}`)).status === 400) answered++;
    // The browser's own, since it is known.
    expect(answered).toBe(2);
    expect((await change(PASSWORD)).status).toBe(429);
  });
});

const organizationsOf = async (userId: string) =>
  (
    await env.DB.prepare("select organization_id as id from members where user_id = ?")
      .bind(userId)
      .all<{ id: string }>()
  ).results.map(({ id }) => id);

/** Makes somebody a member of one more organization. */
async function newOwnership(userId: string, role = "owner"): Promise<void> {
  const { organizationId } = await newTenant();
  await env.DB.prepare("insert into members (id, organization_id, user_id, role, creation_time) values (?, ?, ?, ?, ?)")
    .bind(newId(), organizationId, userId, role, new Date().toISOString())
    .run();
}

describe("a form", () => {
  it("of very many fields is refused", async () => {
    const fields = Array.from({ length: 5000 }, (_, n) => [`f${n}`, ""]);
    const { status } = await newBrowser().post("/console/sign-in", Object.fromEntries(fields));
    expect(status).toBe(400);
    const more = Array.from({ length: 40_000 }, (_, n) => [`f${n}`, ""]);
    expect((await newBrowser().post("/console/sign-in", Object.fromEntries(more))).status).toBe(413);
  });

  it("founds no organization under the id of another", async () => {
    const other = await newTenant("Another");
    for (const _key of [other.organizationId, other.organizationId.toUpperCase()]) {
      const { status } = await owner.browser.post("/console/organizations", { name: "Mine", _key });
      expect([303, 404]).toContain(status);
      expect((await owner.browser.get("/console/organizations")).text).not.toContain(_key);
    }
    const { results } = await env.DB.prepare("select count(*) as n from organizations where lower(id) = ?")
      .bind(other.organizationId)
      .all();
    expect(results).toEqual([{ n: 1 }]);
  });

  it("chooses nothing of the id of the organization that it founds, but its time", async () => {
    const form = { name: "Chosen", _key: newId() };
    const before = await organizationsOf(owner.userId);
    const answers = await Promise.all([1, 2, 3].map(() => owner.browser.post("/console/organizations", form)));
    answers.push(await owner.browser.post("/console/organizations", form));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    const [founded = "", ...more] = (await organizationsOf(owner.userId)).filter((id) => !before.includes(id));
    expect(more).toEqual([]);
    expect(isId(founded)).toBe(true);
    expect(founded.slice(0, 15)).toBe(form._key.slice(0, 15));
    expect(computeMark(founded)).not.toBe(computeMark(form._key));

    // Nor can it be found out by somebody else: it depends on the person.
    const { organizationId } = await newTenant();
    const other = await signedIn(organizationId);
    expect((await other.browser.post("/console/organizations", form)).status).toBe(303);
    // Ids keep the time of a clock that another file has put forward, that of the tenant too.
    const founder = (await organizationsOf(other.userId)).filter((id) => id !== organizationId);
    const twins = founder.filter((id) => id.startsWith(form._key.slice(0, 15)));
    expect(twins).toHaveLength(1);
    expect(twins).not.toContain(founded);
  });

  it("founds no eleventh organization of an owner, however many are sent at once", async () => {
    for (let n = 0; n < 7; n++) await newOwnership(owner.userId);
    // Who is no owner there has not taken one of theirs.
    await newOwnership(owner.userId, "admin");
    const found = (_key = newId()) => owner.browser.post("/console/organizations", { name: "Eleventh", _key });
    const [eighth = "", ninth = "", ...rest] = Array.from({ length: 5 }, () => newId());
    const answers = await Promise.all([eighth, ninth, ...rest].map((key) => found(key)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 303, 409, 409, 409]);
    const { status, text } = await found();
    expect(status).toBe(409);
    expect(text).toContain(`A person can own at most ${LIMITS.ownedOrganizations} organizations.`);
    expect(text).toContain('value="Eleventh"');
    // A second click on a form that has founded one leads there.
    expect(
      (await Promise.all([eighth, ninth, ...rest].map((key) => found(key)))).filter((page) => page.status === 303),
    ).toHaveLength(2);
    expect(await organizationsOf(owner.userId)).toHaveLength(11);
  });
});

describe("mails", () => {
  it("of invitations do not flood a mailbox", async () => {
    const email = freshAddress();
    const as = { operatorToken: tenant.operatorToken };
    for (let i = 0; i < 8; i++) await send("/api/invitations", { as, body: { email, role: "reader" } });
    const { results } = await env.DB.prepare("select 1 from local_mails where recipient = ?").bind(email).all();
    // Six, where a new minute has begun in the middle.
    expect(results.length).toBeGreaterThanOrEqual(3);
    expect(results.length).toBeLessThanOrEqual(6);
  });

  it("prove an address, which a link that the inviter has seen does not", async () => {
    const email = freshAddress();
    const mails = { MAIL_WEBHOOK_URL: `${env.RECEIVER.url}/ok/proof` };
    const production = { ENVIRONMENT: "production", BASE_URL: "https://edgepress.test", ...mails };
    const shown = await invite(owner, email, "reader");
    const mailed = await mailedLink(email);
    expect(mailed).not.toBe(shown);
    const account = { name: "Grace", password: PASSWORD };
    const inviter = newBrowser(production);
    expect((await inviter.get(shown)).text).not.toContain('name="password"');
    expect((await inviter.post(`${shown}/sign-up`, account)).status).toBe(403);
    const recipient = newBrowser(production);
    expect((await recipient.post(`${mailed}/sign-up`, account)).status).toBe(303);
    const user = await env.DB.prepare("select email_verified from users where email = ?").bind(email).first();
    expect(user).toEqual({ email_verified: 1 });
  });

  it("are sent anew on request, and only the newest link proves anything", async () => {
    const email = freshAddress();
    const shown = await invite(owner, email, "reader");
    const first = await mailedLink(email);
    expect((await newBrowser().post(`${shown}/mail`)).status).toBe(200);
    const second = await mailedLink(email);
    expect((await newBrowser().get(first)).status).toBe(404);
    expect((await newBrowser().get(second)).status).toBe(200);
  });
});

describe("what an interruption leaves", () => {
  it("does not keep an address taken", async () => {
    const email = freshAddress();
    const time = new Date().toISOString();
    await env.DB.prepare(
      "insert into users (id, name, email, email_verified, creation_time, last_edit_time) values (?, 'Half', ?, 0, ?, ?)",
    )
      .bind(crypto.randomUUID(), email, time, time)
      .run();
    const link = await invite(owner, email, "reader");
    expect((await newBrowser().post(`${link}/sign-up`, { name: "Whole", password: PASSWORD })).status).toBe(303);
    expect((await newBrowser().signIn(email)).status).toBe(303);
  });

  it("in the log tells no values of a query", () => {
    const cause = new Error("D1_ERROR: constraint failed");
    const error = Object.assign(new Error("Failed query: insert … params: the-hash"), {
      query: "insert into accounts values (?)",
      params: ["the-hash"],
      cause,
    });
    expect(JSON.stringify(describeError(error))).not.toContain("the-hash");
    expect(describeError(error).message).toBe("D1_ERROR: constraint failed (insert into accounts values (?))");
  });
});

describe("somebody with two organizations", () => {
  it("goes on in the one they were in last, also after a change of the password", async () => {
    const { email, userId } = await newPerson(tenant.organizationId, "reader");
    const other = await newTenant("The second one");
    await env.DB.prepare(
      "insert into members (id, organization_id, user_id, role, creation_time) values (?, ?, ?, 'reader', ?)",
    )
      .bind(crypto.randomUUID(), other.organizationId, userId, new Date().toISOString())
      .run();
    const browser = newBrowser();
    await browser.signIn(email);
    expect((await browser.get("/console")).text).toContain("Attacked");
    await browser.post(`/console/organizations/${other.organizationId}/switch`);
    expect((await browser.get("/console")).text).toContain("The second one");
    await browser.post("/console/account/password", { currentPassword: PASSWORD, newPassword: "a new password" });
    expect((await browser.get("/console")).text).toContain("The second one");
    const later = newBrowser();
    await later.signIn(email, "a new password");
    expect((await later.get("/console")).text).toContain("The second one");
  });
});
