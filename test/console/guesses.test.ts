/** Guesses of strangers: they end, and the owner of the account still gets in. */
import { env } from "cloudflare:workers";
import { RATES } from "../../src/domain/rates.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { newBrowser, newPerson, PASSWORD, type Browser } from "../helpers/console.ts";
import { send } from "../helpers/requests.ts";
import { sample } from "../helpers/sample.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";
import { limited, signInLimiters } from "../helpers/limiter.ts";
import { freshAddress, mailedLink } from "../helpers/mails.ts";

const COOKIE = "edgepress.browser";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant("Guessed");
});

/** An attempt to sign in from an address, by default by a browser without cookies; the status that it is answered. */
async function attempt(email: string, password: string, address: string, browser: Browser): Promise<number> {
  return (await browser.post("/console/sign-in", { email, password }, { "CF-Connecting-IP": address })).status;
}

/** Somebody with an account, which their browser knows; all limits are this account's own. */
async function ownerOf(changed: Parameters<typeof signInLimiters>[0] = {}) {
  const limiters = signInLimiters(changed);
  const { email, userId } = await newPerson(tenant.organizationId);
  const browser = newBrowser(limiters);
  expect(await attempt(email, PASSWORD, "192.0.2.1", browser)).toBe(303);
  return {
    email,
    userId,
    browser,
    limiters,
    guess: (address: string) => attempt(email, "a guess", address, newBrowser(limiters)),
    signIn: (as = newBrowser(limiters), address = "192.0.2.1") => attempt(email, PASSWORD, address, as),
  };
}

/** An account of which strangers have used up the limit. */
async function besieged() {
  const owner = await ownerOf({ signInsOfAccount: 2 });
  // The first one was the owner's own.
  expect([await owner.guess("203.0.113.1"), await owner.guess("203.0.113.2")]).toEqual([401, 429]);
  return owner;
}

describe("contract 10.13 and 14.7: a stranger with a large network of IPv6", () => {
  const networks = [
    ["/56", "signInsOf56", (n: number) => `2001:db8:7:${n.toString(16)}::1`],
    ["/48", "signInsOf48", (n: number) => `2001:db8:7:${(n * 256).toString(16)}::1`],
  ] as const;

  it.each(sample(networks, 0, 1))(
    "who guesses from many /64s of one %s keeps nobody else out",
    async (_, limit, addressOf) => {
      const { guess, signIn } = await ownerOf({ [limit]: 2, signInsOfAccount: 5 });
      const answers: number[] = [];
      for (let n = 1; n <= 6; n++) answers.push(await guess(addressOf(n)));
      expect(answers).toEqual([401, 401, 429, 429, 429, 429]);
      expect(await signIn(undefined, "2001:db8:8::1")).toBe(303);
      expect(await signIn(undefined, "198.51.100.7")).toBe(303);
    },
  );

  it("may try less than an account allows, whose own browsers have attempts of their own", () => {
    const { signIns, signInsOf56, signInsOf48, signInsOfAccount, signInsOfBrowser, signInsOfBrowsers } = RATES;
    expect([signIns, signInsOf56, signInsOf48, signInsOfAccount]).toEqual([10, 15, 20, 30]);
    expect([signInsOfBrowser, signInsOfBrowsers]).toEqual([10, 30]);
  });

  it("who has used up a /56 leaves the rest of the /48 something", async () => {
    const { guess, signIn } = await ownerOf({ signInsOf56: 2, signInsOf48: 3 });
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push(await guess(`2001:db8:7:${n}::1`));
    expect(answers).toEqual([401, 401, 429, 429, 429, 429]);
    expect(await signIn(undefined, "2001:db8:7:100::1")).toBe(303);
    expect(await signIn(undefined, "2001:db8:7:200::1")).toBe(429);
  });

  it("tries no more accounts from all of it than a few connections could", async () => {
    const limiters = signInLimiters({ strangersOf56: 2, strangersOf48: 3 });
    const addresses = [
      "2001:db8:7:1::1",
      "2001:db8:7:2::1",
      "2001:db8:7:3::1",
      "2001:db8:7:100::1",
      "2001:db8:7:200::1",
    ];
    const answers = [];
    for (const address of addresses) answers.push(await attempt(freshAddress(), "x", address, newBrowser(limiters)));
    expect(answers).toEqual([401, 401, 429, 401, 429]);
    expect(await attempt(freshAddress(), "x", "192.0.2.1", newBrowser(limiters))).toBe(401);
  });

  it("has mails sent, and applications registered, by the same limits", async () => {
    const limits = limited({ strangersOf56: 2, strangersOf48: 3 });
    const addresses = [
      "2001:db8:7:1::1",
      "2001:db8:7:2::1",
      "2001:db8:7:3::1",
      "2001:db8:7:100::1",
      "2001:db8:7:200::1",
    ];
    const mails = [];
    const applications = [];
    for (const address of addresses) {
      const from = { "CF-Connecting-IP": address };
      const form = { email: freshAddress() };
      mails.push((await newBrowser(limits).post("/console/sign-up", form, from)).status);
      const body = { client_name: "Many", redirect_uris: ["https://app.example.com/back"] };
      applications.push((await send("/oauth/register", { body, headers: from, bindings: limits })).status);
    }
    expect(mails).toEqual([200, 200, 429, 200, 429]);
    expect(applications).toEqual([201, 201, 429, 201, 429]);
  });
});

describe("contract 14.8: a browser that has signed in before", () => {
  it("still signs in while strangers everywhere use up the account's limit; an unknown one does not", async () => {
    const { browser, guess, signIn } = await ownerOf({ signInsOfAccount: 3 });
    let answered = 0;
    // One less than the limit: the owner was the first.
    for (let n = 1; (await guess(`2001:db8:${n.toString(16)}::1`)) === 401; n++) answered++;
    expect(answered).toBe(2);
    expect(await signIn(undefined, "198.51.100.7")).toBe(429);
    expect(await signIn(browser, "198.51.100.7")).toBe(303);
    // Also after it has signed out, and from the network of the guesses.
    await browser.post("/console/sign-out");
    expect(await signIn(browser, "2001:db8:1::1")).toBe(303);
  });

  it("can change the password meanwhile, and is known by the new one", async () => {
    const { browser, signIn, email, limiters } = await besieged();
    const change = { currentPassword: PASSWORD, newPassword: "another correct horse" };
    const { headers } = await browser.submit("/console/account", "/console/account/password", change);
    expect(headers.get("Location")).toBe("/console/account?done=password-changed");
    expect(await attempt(email, change.newPassword, "192.0.2.1", browser)).toBe(303);
    expect(await signIn(newBrowser(limiters))).toBe(429);
  });

  it("has a limit of its own, right or wrong; another known one does not share it", async () => {
    const { browser, signIn, email, limiters } = await ownerOf({ signInsOfBrowser: 3 });
    const second = newBrowser(limiters);
    expect(await signIn(second)).toBe(303);
    const answers: number[] = [];
    for (let n = 0; n < 3; n++) answers.push(await attempt(email, "a guess", `203.0.113.${n}`, browser));
    expect(answers).toEqual(Array(3).fill(401));
    expect(await signIn(browser)).toBe(429);
    expect(await signIn(second)).toBe(303);
  });

  it("adds no limit to the others' without end: all that an account knows have one together", async () => {
    const { browser, signIn, limiters } = await ownerOf({ signInsOfBrowsers: 3 });
    const others = [newBrowser(limiters), newBrowser(limiters)];
    for (const other of others) expect(await signIn(other)).toBe(303);
    const answers = [];
    for (const known of [browser, ...others, browser]) answers.push(await signIn(known));
    expect(answers).toEqual([303, 303, 303, 429]);
  });

  it("is known no more after a new password, except the one in which it was set", async () => {
    const { browser, email, limiters } = await besieged();
    const setter = newBrowser(limiters);
    await setter.post("/console/forgot-password", { email });
    const link = await mailedLink(email);
    expect((await setter.post(link, { password: "another correct horse" })).status).toBe(303);
    expect(await attempt(email, "another correct horse", "192.0.2.1", browser)).toBe(429);
    expect(await attempt(email, "another correct horse", "192.0.2.1", setter)).toBe(303);
  });

  it("is known from the creation of an account on", async () => {
    const limiters = signInLimiters({ signInsOfAccount: 1 });
    const browser = newBrowser(limiters);
    const email = freshAddress();
    await browser.post("/console/sign-up", { email });
    const link = await mailedLink(email);
    expect((await browser.post(link, { name: "Ada", password: PASSWORD })).status).toBe(303);
    expect(await attempt(email, "a guess", "203.0.113.1", newBrowser(limiters))).toBe(401);
    expect(await attempt(email, PASSWORD, "192.0.2.1", newBrowser(limiters))).toBe(429);
    expect(await attempt(email, PASSWORD, "192.0.2.1", browser)).toBe(303);
  });

  it("is known to the last few accounts that were used in it", async () => {
    const owner = await besieged();
    const browser = newBrowser(owner.limiters);
    browser.cookies.set(COOKIE, owner.browser.cookies.get(COOKIE) ?? "");
    const others = [];
    for (let n = 0; n < LIMITS.accountsOfBrowser; n++) others.push(await newPerson());
    for (const { email } of others) await attempt(email, PASSWORD, "192.0.2.1", browser);
    expect(browser.cookies.get(COOKIE)?.length).toBeLessThan(500);
    // Pushed out by the last of the others; the owner's own browser is as it was.
    expect(await owner.signIn(browser)).toBe(429);
    expect(await owner.signIn(owner.browser)).toBe(303);
  });
});

describe("the cookie of a known browser", () => {
  it("is kept from scripts and other sites, and tells nothing of its account", async () => {
    const { email, userId } = await newPerson(tenant.organizationId);
    const { headers } = await newBrowser().signIn(email);
    const set = headers.getSetCookie().find((cookie) => cookie.startsWith(COOKIE)) ?? "";
    expect(set).toMatch(/^edgepress\.browser=[0-9a-f]{32}-[0-9a-f]{64};/);
    const attributes = set.split("; ").slice(1).toSorted();
    expect(attributes).toEqual(["HttpOnly", "Max-Age=34560000", "Path=/console", "SameSite=Lax", "Secure"]);
    const row = await env.DB.prepare("select * from accounts where user_id = ?").bind(userId).first();
    for (const value of [email, userId, row?.["id"], row?.["password"]]) expect(set).not.toContain(value);
  });

  it("is not given to whoever gives a wrong password", async () => {
    const { email } = await newPerson(tenant.organizationId);
    const { headers } = await newBrowser().signIn(email, "a guess");
    expect(headers.getSetCookie()).toEqual([]);
  });

  it("gives nothing where it is another account's or forged", async () => {
    const { signIn, browser, limiters } = await besieged();
    const other = newBrowser();
    await other.signIn((await newPerson(tenant.organizationId)).email);
    const [id = "", signature = ""] = (browser.cookies.get(COOKIE) ?? "").split("-");
    const otherOwn = other.cookies.get(COOKIE) ?? "";
    const forged = [
      otherOwn,
      `${id}-${otherOwn.split("-")[1]}`,
      `${otherOwn.split("-")[0]}-${signature}`,
      `${id}-${"0".repeat(64)}`,
      `${id}-${signature.slice(0, -1)}`,
      `${"0".repeat(32)}-${signature}`,
      `${id}-`,
      id,
      Array(50).fill(otherOwn).join("."),
      "%00",
    ];
    const thief = newBrowser(limiters);
    for (const cookie of forged) {
      thief.cookies.set(COOKIE, cookie);
      expect(await signIn(thief), cookie).toBe(429);
    }
    // The copy of a true one works, for a browser that has the password.
    thief.cookies.set(COOKIE, `${id}-${signature}`);
    expect(await signIn(thief)).toBe(303);
  });

  it("answers a wrong password and an unknown address in the same way, whatever it brings", async () => {
    const { email, browser } = await ownerOf();
    const cookie = browser.cookies.get(COOKIE) ?? "";
    const answer = async (address: string) => {
      const visitor = newBrowser(signInLimiters());
      visitor.cookies.set(COOKIE, cookie);
      const { status, text, headers } = await visitor.signIn(address, "a guess");
      const same = text.replaceAll(address, "ADDRESS").replaceAll(/value="[0-9a-f-]{36}"/g, "");
      return { status, same, cookies: headers.getSetCookie() };
    };
    expect(await answer(freshAddress())).toEqual(await answer(email));
  });
});
