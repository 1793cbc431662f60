/** Accounts: signing up and in; what strangers learn and what they can guess. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { countingDatabase } from "../helpers/counting.ts";
import { newBrowser, newPerson, PASSWORD, signedIn, type Browser, type Page } from "../helpers/console.ts";
import { limited, signInLimiters } from "../helpers/limiter.ts";
import { COOKIE, freshAddress, mailedLink } from "../helpers/mails.ts";
import { send } from "../helpers/requests.ts";
import { spread } from "../helpers/sample.ts";
import { newTenant, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant("Sign-in");
});

/** Repeats a request until it is limited, after `most` at the latest; what it was answered before. */
async function untilLimited(most: number, request: () => Promise<Page>): Promise<number[]> {
  const answers: number[] = [];
  for (;;) {
    const { status, headers } = await request();
    if (status === 429) {
      expect(headers.get("Retry-After")).toBe("60");
      return answers;
    }
    answers.push(status);
    if (answers.length > most) throw new Error(`never limited, in ${most} requests`);
  }
}

async function signUp(browser: Browser, address: string): Promise<string> {
  await browser.submit("/console/sign-up", "/console/sign-up", { email: address });
  return mailedLink(address);
}

describe("signing up", () => {
  it("takes a link from the mail, a name and a password, and leads to a first organization", async () => {
    const browser = newBrowser();
    const address = freshAddress();
    const link = await signUp(browser, address);
    const created = await browser.submit(link, link, { name: "Ada", password: PASSWORD });
    expect(created.status).toBe(303);
    expect(created.headers.get("Location")).toBe("/console/organizations");

    const founded = await browser.submit("/console/organizations", "/console/organizations", { name: "Analytical" });
    expect(founded.headers.get("Location")).toBe("/console?done=organization-created");
    const { status, text } = await browser.get("/console");
    expect(status).toBe(200);
    expect(text).toContain("Analytical");
    const user = await env.DB.prepare("select * from users where email = ?").bind(address).first();
    expect(user).toMatchObject({ name: "Ada", email_verified: 1 });
    // Identifiers without a colon: other surfaces put them beside others (contract 3.1).
    expect(user?.["id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("uses each link once", async () => {
    const browser = newBrowser();
    const link = await signUp(browser, freshAddress());
    const form = { name: "Ada", password: PASSWORD };
    const answers = await Promise.all([newBrowser().post(link, form), newBrowser().post(link, form)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
    expect((await newBrowser().get(link)).status).toBe(404);
  });

  it("keeps what was entered, and spends no link, where a field is wrong", async () => {
    const browser = newBrowser();
    const link = await signUp(browser, freshAddress());
    const { status, text } = await browser.submit(link, link, { name: "Ada Lovelace", password: "short" });
    expect(status).toBe(400);
    expect(text).toContain('value="Ada Lovelace"');
    expect(text).toMatch(/id="password-error"[^>]*>must have at least 10 characters/);
    expect(text).not.toContain('value="short"');
    expect((await browser.submit(link, link, { name: "Ada", password: PASSWORD })).status).toBe(303);
  });

  it("does not tell whether an address has an account", async () => {
    const known = await newPerson();
    const [ofKnown, ofUnknown] = [freshAddress(), known.email].map(async (email) =>
      (await newBrowser().post("/console/sign-up", { email })).text.replaceAll(email, "ADDRESS"),
    );
    expect(await ofKnown).toBe(await ofUnknown);
    expect(await mailedLink(known.email)).toBe("/console/sign-in");
  });

  it.each(["", "no address", "a@b", `${"a".repeat(300)}@example.com`])("refuses the address %j", async (email) => {
    const { status, text } = await newBrowser().post("/console/sign-up", { email });
    expect(status).toBe(400);
    expect(text).toContain('id="email-error"');
  });

  it.each(["invitation", "closed", "", "anything"])("is for nobody where SIGN_UP is %j", async (mode) => {
    const stranger = newBrowser({ SIGN_UP: mode });
    expect((await stranger.get("/console/sign-up")).status).toBe(403);
    const said = mode === "closed" ? "New accounts are closed." : "Accounts are by invitation only";
    for (const path of ["/console/sign-in", "/console/sign-up"])
      expect((await stranger.get(path)).text).toContain(said);
    const address = freshAddress();
    expect((await stranger.post("/console/sign-up", { email: address })).status).toBe(403);
    await expect(mailedLink(address)).rejects.toThrow("no link");
    const link = await signUp(newBrowser(), address);
    expect((await stranger.post(link, { name: "A", password: PASSWORD })).status).toBe(403);
  });

  it("sends few mails to one address", async () => {
    const address = freshAddress();
    const request = () => newBrowser().post("/console/sign-up", { email: address });
    // Two minutes' worth, as a new minute may begin in the middle.
    expect(await untilLimited(6, request)).toEqual(expect.arrayContaining([200, 200, 200]));
  });
});

describe("signing in", () => {
  it("starts a session of its own, whatever the browser brought along", async () => {
    const { email, userId } = await newPerson(tenant.organizationId);
    const browser = newBrowser();
    browser.cookies.set(COOKIE, "fixed-by-an-attacker.c2lnbmF0dXJl");
    expect((await browser.signIn(email)).status).toBe(303);
    const cookie = browser.cookies.get(COOKIE) ?? "";
    expect(cookie).not.toContain("fixed-by-an-attacker");
    const [stored] = (await env.DB.prepare("select token from sessions where user_id = ?").bind(userId).all()).results;
    expect(cookie.startsWith(String(stored?.["token"]))).toBe(true);
  });

  it("accepts no session token without its signature, nor with another's", async () => {
    const { browser, userId } = await signedIn(tenant.organizationId);
    const row = await env.DB.prepare("select token from sessions where user_id = ?")
      .bind(userId)
      .first<{ token: string }>();
    const signature = browser.cookies.get(COOKIE)?.split(".")[1] ?? "";
    const thief = newBrowser();
    for (const cookie of [row?.token ?? "", `${row?.token}.`, `${row?.token}.AAAA`, `other.${signature}`]) {
      thief.cookies.set(COOKIE, cookie);
      expect((await thief.get("/console")).status, cookie).toBe(303);
    }
  });

  it("answers a wrong password and an unknown address in the same way", async () => {
    const { email } = await newPerson(tenant.organizationId);
    const answer = async (address: string, password: string) => {
      const { status, text } = await newBrowser().signIn(address, password);
      const same = text.replaceAll(address, "ADDRESS").replaceAll(/value="[0-9a-f-]{36}"/g, "");
      return { status, same };
    };
    const wrong = await answer(email, "wrong password");
    expect(wrong.status).toBe(401);
    expect(await answer(freshAddress(), "wrong password")).toEqual(wrong);
    expect(wrong.same).toContain('value="ADDRESS"');
    expect(wrong.same).not.toContain("wrong password<");
  });

  it("ends guessing for an account from one address, right or wrong; its owner elsewhere is not locked out", async () => {
    const { email } = await newPerson(tenant.organizationId);
    const limiters = signInLimiters({ signIns: 3 });
    const attempt = (password: string, address: string) =>
      newBrowser(limiters).post("/console/sign-in", { email, password }, { "CF-Connecting-IP": address });
    const answers = await untilLimited(3, () => attempt("a guess", "192.0.2.1"));
    expect(answers).toEqual(Array(3).fill(401));
    expect((await attempt(PASSWORD, "192.0.2.1")).status).toBe(429);
    expect((await attempt(PASSWORD, "192.0.2.2")).status).toBe(303);
  });

  it("ends guessing for an account from everywhere", async () => {
    const { email } = await newPerson(tenant.organizationId);
    const limiters = signInLimiters({ signInsOfAccount: 3 });
    let from = 0;
    const attempt = (password: string) =>
      newBrowser(limiters).post("/console/sign-in", { email, password }, { "CF-Connecting-IP": `203.0.113.${from++}` });
    expect(await untilLimited(3, () => attempt("a guess"))).toHaveLength(3);
    expect((await attempt(PASSWORD)).status).toBe(429);
  });

  it("ends guessing from an address over many accounts, and the right one is refused as well", async () => {
    const { email } = await newPerson(tenant.organizationId);
    const limiters = signInLimiters({ signInsOfAddress: 3 });
    // One connection has a whole /64 of IPv6.
    let host = 0;
    const attempt = (address: string, password: string) =>
      newBrowser(limiters).post(
        "/console/sign-in",
        { email: address, password },
        { "CF-Connecting-IP": `2001:db8:0:7::${(host++).toString(16)}` },
      );
    const answers = await untilLimited(3, () => attempt(freshAddress(), "a common password"));
    expect(answers).toEqual(Array(3).fill(401));
    expect((await attempt(email, PASSWORD)).status).toBe(429);
  });

  const targets = [
    "//evil.example/console",
    "https://evil.example/console",
    "/\\evil.example",
    "/console/../../evil",
    "/consolex",
    "/api/blogs",
    "javascript:alert(1)",
    "/console\r\nSet-Cookie: a=b",
    "\t//evil.example",
  ];

  it.each(spread(targets))("goes nowhere else afterwards: %j", async (next) => {
    const { email } = await newPerson(tenant.organizationId);
    const browser = newBrowser();
    const { headers } = await browser.post("/console/sign-in", { email, password: PASSWORD, next });
    const location = headers.get("Location") ?? "";
    expect(new URL(location, "https://edgepress.test").origin).toBe("https://edgepress.test");
    expect(location).toMatch(/^\/console($|\/)/);
    const again = await browser.get(`/console/sign-in?next=${encodeURIComponent(next)}`);
    expect(again.headers.get("Location")).toMatch(/^\/console($|\/)/);
  });

  it("goes on to the page that was asked for", async () => {
    const { email } = await newPerson(tenant.organizationId);
    const browser = newBrowser();
    const asked = await browser.get("/console/audit?cursor=x");
    expect(asked.headers.get("Location")).toBe("/console/sign-in?next=%2Fconsole%2Faudit%3Fcursor%3Dx");
    const { headers } = await browser.post("/console/sign-in", {
      email,
      password: PASSWORD,
      next: "/console/audit?cursor=x",
    });
    expect(headers.get("Location")).toBe("/console/audit?cursor=x");
  });

  it("needs AUTH_SECRET, and says so", async () => {
    for (const secret of ["", "short"]) {
      const { status, text } = await newBrowser({ AUTH_SECRET: secret }).get("/console/sign-in");
      expect(status).toBe(503);
      expect(text).toContain("AUTH_SECRET");
    }
  });
});

describe("a link that was made up", () => {
  it.each([
    ["/console/sign-up", false],
    ["/console/invitations", false],
    ["/console/reset-password", true],
  ])("costs little, and a network may try so many a minute: %s", async (path, asksDatabase) => {
    const { db, counts } = countingDatabase();
    const browser = newBrowser({ DB: db, ...limited({ reads: 2 }) });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await browser.get(`${path}/made-up-${n}`)).status);
    expect(statuses).toEqual([404, 404, 429]);
    expect(counts.queries > 0).toBe(asksDatabase);
  });
});

it("a look at /healthz is counted by itself, so that readers do not use it up", async () => {
  const bindings = limited({ reads: 2, healthChecks: 2 });
  const statuses: number[] = [];
  for (const at of ["/blogs", "/blogs", "/healthz", "/healthz", "/healthz"]) {
    statuses.push((await send(at, { bindings })).status);
  }
  expect(statuses.slice(2)).toEqual([200, 200, 429]);
});

it("cookies are for https where the service's own address is, also behind a proxy that ends TLS", async () => {
  // Nothing listens at the provider's address.
  const bindings = {
    BASE_URL: "https://edgepress.test",
    OIDC_ISSUER: "http://127.0.0.1:9",
    OIDC_CLIENT_ID: "edgepress",
  };
  const path = "/console/sign-in/oidc?next=/console/invitations/abc";
  const { headers } = await send(`http://edgepress.test${path}`, { bindings: bindings as Partial<Env> });
  const cookie = headers.getSetCookie().find((each) => each.startsWith("edgepress.invitation="));
  expect(cookie).toMatch(/; Secure/i);
});
