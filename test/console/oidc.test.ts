/** Signing in with an OpenID provider that breaks the rules, or that cannot be reached. Real ones: test/e2e/oidc.test.ts. */
import { sign } from "hono/jwt";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { newBrowser, newPerson, type Browser, type Page } from "../helpers/console.ts";
import { countingDatabase } from "../helpers/counting.ts";
import { limited } from "../helpers/limiter.ts";
import { freshAddress, mailedLink } from "../helpers/mails.ts";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";

const ISSUER = "https://id.example.com";
const SETTINGS = { OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: "edgepress", OIDC_CLIENT_SECRET: "s", OIDC_NAME: "Example ID" };
const START = "/console/sign-in/oidc";
const CALLBACK = "/console/auth/callback/oidc";

type Claims = Readonly<Record<string, unknown>>;
/** What the provider answers, by path. Without an answer, its connections break. */
type Answers = Readonly<Record<string, () => unknown>>;

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  jwks_uri: `${ISSUER}/jwks`,
  id_token_signing_alg_values_supported: ["RS256"],
};

let keys: { readonly own: JsonWebKey; readonly shown: JsonWebKey };
beforeAll(async () => {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048 };
  const pair = (await crypto.subtle.generateKey({ ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const of = async (key: CryptoKey) => (await crypto.subtle.exportKey("jwk", key)) as JsonWebKey;
  keys = { own: await of(pair.privateKey), shown: await of(pair.publicKey) };
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Answers in place of the provider, until the test ends. Returns the paths that it was asked for. */
function provide(answers: Answers): string[] {
  const asked: string[] = [];
  const all: Answers = {
    "/.well-known/openid-configuration": () => METADATA,
    "/jwks": () => ({ keys: [{ ...keys.shown, alg: "RS256", use: "sig" }] }),
    ...answers,
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    asked.push(pathname);
    const answer = all[pathname];
    if (answer === undefined) throw new TypeError("Network connection lost.");
    return Response.json(await answer());
  });
  return asked;
}

/** Goes to the provider, which has these answers, and comes back; the page of the callback. */
async function signIn(
  answersTo: (nonce: string) => Answers,
  more: object = {},
  start = START,
): Promise<Page & { browser: Browser }> {
  provide({});
  const browser = newBrowser({ ...SETTINGS, ...more });
  const away = new URL((await browser.get(start)).headers.get("Location") ?? "").searchParams;
  vi.restoreAllMocks();
  provide(answersTo(away.get("nonce") ?? ""));
  return { ...(await browser.get(`${CALLBACK}?code=c&state=${away.get("state")}`)), browser };
}

/** A token response whose ID token has the usual claims of somebody, and `more`. */
async function tokens(nonce: string, more: Claims) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: ISSUER, aud: "edgepress", iat: now, exp: now + 60, nonce, ...more };
  return { access_token: "a", token_type: "Bearer", id_token: await sign(claims, keys.own, "RS256") };
}

const somebody = (): Claims => ({
  sub: `Zoë>?~${crypto.randomUUID()}`,
  email: freshAddress(),
  email_verified: true,
  name: "Ada",
});

const usersOf = async (email: unknown) =>
  (await env.DB.prepare("select * from users where email = ?").bind(email).all()).results;

describe("a provider", () => {
  it("is believed by its ID token; a picture is not kept", async () => {
    const person: Claims = { ...somebody(), picture: `data:image/png,${"a".repeat(100_000)}` };
    const { status, headers } = await signIn((nonce) => ({ "/token": () => tokens(nonce, person) }));
    expect([status, headers.get("Location")]).toEqual([302, "/console"]);
    expect(await usersOf(person["email"])).toMatchObject([{ name: "Ada", email_verified: 1, image: null }]);
  });

  const refused = async (code: string, person: Claims, answersTo: (nonce: string) => Answers) => {
    const { headers, browser } = await signIn(answersTo);
    expect(headers.get("Location")).toBe(`${START}/failed?error=${code}`);
    expect((await browser.get("/console")).status).toBe(303);
    expect(await usersOf(person["email"])).toEqual([]);
  };

  it.each([{ access_token: "a", token_type: "Bearer" }, {}])(
    "is not believed without an ID token: %j",
    async (answer) => {
      const person = somebody();
      await refused("unable_to_get_user_info", person, () => ({ "/token": () => answer, "/userinfo": () => person }));
    },
  );

  it("is not believed where the profile is of somebody else than the ID token", async () => {
    const person = somebody();
    await refused("unable_to_get_user_info", person, (nonce) => ({
      "/token": () => tokens(nonce, { sub: "another" }),
      "/userinfo": () => person,
    }));
  });

  it("is not believed where the subject is a number that is rounded when it is read, and may be two people's", async () => {
    const person = { ...somebody(), sub: 2 ** 63 };
    await refused("unable_to_get_user_info", person, (nonce) => ({ "/token": () => tokens(nonce, person) }));
  });

  it.each(["not an address", " a\n@example.com", `${"x".repeat(300)}@example.com`])(
    "makes no account with what is no address: %j",
    async (email) => {
      const person = { ...somebody(), email };
      await refused("email_not_found", person, (nonce) => ({ "/token": () => tokens(nonce, person) }));
    },
  );

  it("whose connection breaks on the way back is said to be unreachable", async () => {
    const { status, text } = await signIn((nonce) => ({ "/token": () => tokens(nonce, { sub: "somebody" }) }));
    expect(status).toBe(503);
    expect(text).toContain("Example ID cannot be reached");
  });
});

it.each([
  ["closed", /new accounts are closed/],
  ["invitation", /Open your invitation link/],
])("without an account, where SIGN_UP is %s, one is told what can be done", async (mode, said) => {
  const answersTo = (nonce: string) => ({ "/token": () => tokens(nonce, somebody()) });
  const { headers, browser } = await signIn(answersTo, { SIGN_UP: mode });
  expect((await browser.get(headers.get("Location") ?? "")).text).toMatch(said);
});

it("an account whose address nobody has proven takes a provider once a mailed link has set its password", async () => {
  const { email, userId } = await newPerson();
  await env.DB.prepare("update users set email_verified = 0 where id = ?").bind(userId).run();
  const person = { ...somebody(), email };
  const answersTo = (nonce: string) => ({ "/token": () => tokens(nonce, person) });
  const before = await signIn(answersTo);
  expect(before.headers.get("Location")).toBe(`${START}/failed?error=account_not_linked`);
  vi.restoreAllMocks();
  expect((await before.browser.get(before.headers.get("Location") ?? "")).text).toContain("set a new one");
  await before.browser.submit("/console/forgot-password", "/console/forgot-password", { email });
  const link = await mailedLink(email);
  expect((await before.browser.submit(link, link, { password: "another password" })).status).toBe(303);
  const { headers, browser } = await signIn(answersTo);
  expect(headers.get("Location")).toBe("/console");
  expect((await browser.get("/console/account")).text).toContain(email);
});

describe("an invitation, where accounts are by invitation only", () => {
  const invited = async () => {
    const tenant = await newTenant("Invited with a provider");
    const email = freshAddress();
    const as = { operatorToken: tenant.operatorToken };
    const { link } = await sendJson(200, "/api/invitations", { as, body: { email, role: "writer" } });
    return { email, path: new URL(String(link)).pathname };
  };
  const come = ({ path }: { path: string }, person: Claims) =>
    signIn((nonce) => ({ "/token": () => tokens(nonce, person) }), { SIGN_UP: "invitation" }, `${START}?next=${path}`);

  it("makes an account for whom it is for, who can join then", async () => {
    const invitation = await invited();
    const person = { ...somebody(), email: invitation.email.toUpperCase() };
    const { headers, browser } = await come(invitation, person);
    expect(headers.get("Location")).toBe(invitation.path);
    const joined = await browser.submit(invitation.path, invitation.path);
    expect(joined.headers.get("Location")).toBe("/console?done=joined");
    expect((await browser.get("/console")).text).toContain("Invited with a provider");
    expect((await newBrowser().get(invitation.path)).status).toBe(404);
  });

  it("makes none for anybody else, nor once it was canceled", async () => {
    const invitation = await invited();
    const other = await come(invitation, somebody());
    expect(other.headers.get("Location")).toBe(`${START}/failed?error=signup_disabled`);
    await env.DB.prepare("update invitations set status = 'canceled' where email = ?").bind(invitation.email).run();
    const late = await come(invitation, { ...somebody(), email: invitation.email });
    expect(late.headers.get("Location")).toBe(`${START}/failed?error=signup_disabled`);
  });
});

describe("sign-ins with a provider", () => {
  it("are begun in several tabs at once", async () => {
    provide({});
    const browser = newBrowser(SETTINGS);
    const begin = async (next: string) => {
      const { headers } = await browser.get(`${START}?next=${next}`);
      return new URL(headers.get("Location") ?? "").searchParams;
    };
    const tabs = [await begin("/console/account"), await begin("/console/organizations")];
    const ends = [];
    for (const tab of tabs) {
      vi.restoreAllMocks();
      provide({ "/token": () => tokens(tab.get("nonce") ?? "", somebody()) });
      ends.push((await browser.get(`${CALLBACK}?code=c&state=${tab.get("state")}`)).headers.get("Location"));
    }
    expect(ends).toEqual(["/console/account", "/console/organizations"]);
  });

  it("that are begun at another host of the service go on at its own, where the provider leads back to", async () => {
    provide({});
    const settings: object = { ...SETTINGS, BASE_URL: ORIGIN };
    const bindings = settings as Partial<Env>;
    const open = (url: string) => send(url, { bindings });
    const moved = await open(`https://alias.example.com${START}?next=${encodeURIComponent("/console/account?tab=1")}`);
    const to = new URL(moved.headers.get("Location") ?? "");
    expect([moved.status, to.origin, to.pathname]).toEqual([303, ORIGIN, START]);
    expect(to.searchParams.get("next")).toBe("/console/account?tab=1");
    // Not twice: a proxy may hide the host that people see.
    const hidden = await open(`https://internal.example.com${to.pathname}${to.search}`);
    expect(hidden.headers.get("Location")).toMatch(/^https:\/\/id\.example\.com\/auth\?/);
    expect((await open(to.href)).headers.get("Location")).toMatch(/^https:\/\/id\.example\.com\/auth\?/);
  });

  it("are begun by a network so many times a minute", async () => {
    provide({});
    const browser = newBrowser({ ...SETTINGS, ...limited({ reads: 2 }) });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await browser.get(START)).status);
    expect(statuses).toEqual([303, 303, 429]);
  });

  it("that were begun elsewhere cost nothing to refuse, and made-up ones little", async () => {
    const asked = provide({});
    const { db, counts } = countingDatabase();
    const browser = newBrowser({ ...SETTINGS, DB: db, ...limited({ reads: 2 }) });
    const from = async (state: string) => (await browser.get(`${CALLBACK}?code=c&state=${state}`)).status;
    expect([await from("a"), await from("a"), await from("a")]).toEqual([303, 303, 303]);
    expect([asked, counts.queries]).toEqual([[], 0]);
    browser.cookies.set("edgepress.trip.a", "1");
    expect([await from("a"), await from("a"), await from("a")]).toEqual([302, 302, 429]);
  });
});
