/** Signing in with an OpenID Connect provider: a real one, and the Worker as `npm start` runs it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { accountIn } from "./database.ts";
import { cleanUp, newState, start, type Local, type Run } from "./local-run.ts";
import { CLIENT, startProvider, type Claims, type TestProvider } from "./provider.ts";
import { newVisitor, type Page, type Visitor } from "./visitor.ts";

const NAME = "Example ID";
const START = "/console/sign-in/oidc";
const CALLBACK = "/console/auth/callback/oidc";
const PASSWORD = "correct horse battery";

const state = newState();
let provider: TestProvider;
let run: Run;
let local: Local;
/** The demo's owner, once they were here by the provider. */
let owner: Claims;

const settings = (signUp: string) => ({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: NAME,
  SIGN_UP: signUp,
});

beforeAll(async () => {
  provider = await startProvider();
  run = await start(state, undefined, settings("open"));
  provider.serve(run.baseUrl);
  local = await run.ready();
});

afterAll(async () => {
  await cleanUp();
  await provider.stop();
});

let serial = 0;
/** Somebody whom the provider knows and the service does not. */
function stranger(claims: Partial<Claims> = {}): Claims & { email: string } {
  const sub = `subject-${++serial}`;
  const person = { sub, email: `${sub}@example.com`, email_verified: true, name: "Ada Lovelace", ...claims };
  return { ...person, email: person.email };
}

/** Goes the whole way to the provider and back. */
function signIn(person: Claims | null, visitor: Visitor = newVisitor(run.baseUrl), next?: string): Promise<Page> {
  provider.present(person);
  return visitor.get(next === undefined ? START : `${START}?next=${encodeURIComponent(next)}`);
}

/** Goes as far as the address that the provider sends the browser back to. */
async function untilCallback(person: Claims, visitor: Visitor): Promise<string> {
  provider.present(person);
  return (await visitor.getUntil(START, (url) => new URL(url).pathname === CALLBACK)).url;
}

const at = ({ url }: Page): string => url.replace(run.baseUrl, "");
const heading = ({ text }: Page): string => /<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? "";
const isSignedIn = async (visitor: Visitor): Promise<boolean> =>
  at(await visitor.get("/console/account")) === "/console/account";

/** Refused with a page that says why, and signed in nowhere. */
async function expectRefusal(page: Page, visitor: Visitor, reason: RegExp): Promise<void> {
  expect(page.status).toBe(401);
  expect(page.url.startsWith(`${run.baseUrl}/console/`)).toBe(true);
  expect(heading(page)).not.toBe("");
  expect(page.text).toMatch(reason);
  expect(await isSignedIn(visitor)).toBe(false);
}

const accountOf = (email: string) => accountIn(state, email);

/** Invites somebody to the demo organization; returns the path of the link. */
async function invite(email: string): Promise<string> {
  const response = await fetch(`${run.baseUrl}/api/invitations`, {
    method: "POST",
    headers: { Authorization: `Token ${local.operatorToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ email, role: "writer" }),
  });
  expect(response.status).toBe(200);
  return new URL(z.object({ link: z.string() }).parse(await response.json()).link).pathname;
}

// The first request of all: what it leaves half done when it is answered must not hang those that follow.
it("lets people sign in after a visitor who was only sent on", async () => {
  const visitor = newVisitor(run.baseUrl);
  expect(at(await visitor.get("/console"))).toMatch(/^\/console\/sign-in/);
  const form = { email: "nobody@example.com", password: PASSWORD, next: "/console" };
  expect((await visitor.post("/console/sign-in", form)).status).toBe(401);
});

describe("with open doors", () => {
  it("offers the provider and makes an account of whom it vouches for", async () => {
    const visitor = newVisitor(run.baseUrl);
    const { text } = await visitor.get("/console/sign-in");
    expect(text).toContain(`Continue with ${NAME}`);
    expect(text).toContain(`href="${START}`);
    const ada = stranger();
    expect(accountOf(ada.email)).toBeNull();
    const arrived = await signIn(ada, visitor);
    expect([arrived.status, at(arrived)]).toEqual([200, "/console/organizations"]);
    expect(arrived.way.filter((url) => url.startsWith(provider.issuer)).length).toBeGreaterThan(0);
    expect((await visitor.get("/console/account")).text).toContain(ada.email);
  });

  it("knows them again, by who they are and not by their address", async () => {
    const ada = stranger();
    await signIn(ada);
    const second = newVisitor(run.baseUrl);
    await signIn({ ...ada, email: `moved-${ada.email}` }, second);
    const { text } = await second.get("/console/account");
    expect(text).toContain(ada.email);
    // One account with two sessions: this one, and one to sign out.
    expect(text.match(/\/sessions\/[0-9a-f-]{36}\/revoke/g)).toHaveLength(1);
    expect(accountOf(`moved-${ada.email}`)).toBeNull();
  });

  it("goes on to the page that was asked for", async () => {
    expect(at(await signIn(stranger(), undefined, "/console/account?tab=1"))).toBe("/console/account?tab=1");
  });

  it("goes on to an application's request, with whatever stands in it", async () => {
    const state = "a*b~c:d'e(f)+g h&i=j,k;l|m\u00fc";
    const asked = new URLSearchParams({ client_id: "nobody", redirect_uri: "http://127.0.0.1:9/callback", state });
    const arrived = await signIn(stranger(), undefined, `/console/authorize?${asked}`);
    expect([...new URL(arrived.url).searchParams]).toEqual([...asked]);
  });

  it.each(["https://evil.example/console", "//evil.example/console", "/\\evil.example", "/console/../../api/blogs"])(
    "goes nowhere else afterwards: %j",
    async (next) => {
      const page = await signIn(stranger(), undefined, next);
      expect(at(page)).toMatch(/^\/console($|\/)/);
      expect(page.way.join(" ")).not.toMatch(/\/\/evil/);
    },
  );

  it.each([false, "false", undefined])(
    "refuses an address that the provider does not vouch for: %j",
    async (verified) => {
      const { email_verified: _, ...rest } = stranger();
      const person = verified === undefined ? rest : { ...rest, email_verified: verified };
      const visitor = newVisitor(run.baseUrl);
      await expectRefusal(await signIn(person, visitor), visitor, /address/);
      expect(accountOf(rest.email)).toBeNull();
    },
  );

  it('takes the text "true" for what it says', async () => {
    expect(at(await signIn(stranger({ email_verified: "true" })))).toBe("/console/organizations");
  });

  it("refuses who has no address", async () => {
    const visitor = newVisitor(run.baseUrl);
    await expectRefusal(await signIn({ sub: "nobody", name: "Nobody" }, visitor), visitor, /address/);
  });

  it("has a name to show for who has none", async () => {
    const { name: _, ...nameless } = stranger();
    await signIn(nameless);
    expect(accountOf(nameless.email)?.name).not.toBe("");
  });

  it("says so where somebody changes their mind at the provider", async () => {
    const visitor = newVisitor(run.baseUrl);
    await expectRefusal(await signIn(null, visitor), visitor, /Try again/);
  });
});

describe("an account with a password", () => {
  it("whose address nobody has proven is not taken over", async () => {
    const grace = stranger();
    const link = await invite(grace.email);
    // Whoever invited has the link, too: this may be somebody else.
    await newVisitor(run.baseUrl).post(`${link}/sign-up`, { name: "Somebody", password: PASSWORD });
    const visitor = newVisitor(run.baseUrl);
    await expectRefusal(await signIn(grace, visitor), visitor, /password/);
    expect(accountOf(grace.email)?.ways).toEqual(["credential"]);
  });

  it("whose address is proven gets a second way in", async () => {
    owner = stranger({ email: local.email });
    const unproven = newVisitor(run.baseUrl);
    await expectRefusal(await signIn({ ...owner, email_verified: "false" }, unproven), unproven, /password/);
    expect(accountOf(local.email)?.ways).toEqual(["credential"]);
    const visitor = newVisitor(run.baseUrl);
    expect(at(await signIn(owner, visitor))).toBe("/console");
    expect((await visitor.get("/console/members")).text).toContain(local.email);
    expect(accountOf(local.email)?.ways).toEqual(["credential", "oidc"]);
    const other = newVisitor(run.baseUrl);
    const form = { email: local.email, password: local.password, next: "/console" };
    expect(at(await other.post("/console/sign-in", form))).toBe("/console");
  });
});

describe("a callback", () => {
  it("with a forged state is refused", async () => {
    for (const query of ["", "?code=a", "?code=a&state=b", "?state=b", "?error=access_denied&state=b"]) {
      const visitor = newVisitor(run.baseUrl);
      await expectRefusal(await visitor.get(`${CALLBACK}${query}`), visitor, /Try again/);
    }
    // Nor does the page that says so believe its address.
    const visitor = newVisitor(run.baseUrl);
    await expectRefusal(await visitor.get(`${START}/failed?error=constructor`), visitor, /Try again/);
  });

  it("that another browser began is refused, and lets nobody in", async () => {
    const attacker = newVisitor(run.baseUrl);
    const callback = await untilCallback(stranger(), attacker);
    const victim = newVisitor(run.baseUrl);
    await expectRefusal(await victim.get(callback), victim, /Try again/);
    // Not even one that has begun as well.
    await untilCallback(stranger(), victim);
    await expectRefusal(await victim.get(callback), victim, /Try again/);
  });

  it("works once", async () => {
    const visitor = newVisitor(run.baseUrl);
    const callback = await untilCallback(stranger(), visitor);
    expect(at(await visitor.get(callback))).toBe("/console/organizations");
    const again = await visitor.get(callback);
    expect(again.status).toBe(401);
    const thief = newVisitor(run.baseUrl);
    await expectRefusal(await thief.get(callback), thief, /Try again/);
  });

  it("of a provider that is not set up leads nowhere", async () => {
    expect((await newVisitor(run.baseUrl).get("/console/auth/callback/other?code=a&state=b")).status).toBeGreaterThan(
      400,
    );
    for (const path of ["sign-up/email", "sign-in/email", "get-session", "list-sessions", "ok"]) {
      expect((await newVisitor(run.baseUrl).get(`/console/auth/${path}`)).url).not.toContain("/console/auth/");
    }
  });
});

describe("a provider that is down", () => {
  it("is a page that says so, and everything else works", async () => {
    const visitor = newVisitor(run.baseUrl);
    const callback = await untilCallback(stranger(), visitor);
    await provider.stop();
    const page = await visitor.get(START);
    expect(page.status).toBe(503);
    expect(page.text).toContain(NAME);
    expect((await visitor.get("/console/sign-in")).status).toBe(200);
    await expectRefusal(await visitor.get(callback), visitor, /Try again/);
    await provider.startAgain();
    expect(at(await signIn(stranger(), visitor))).toBe("/console/organizations");
  });

  it("keeps nobody waiting for long", async () => {
    await provider.hanging(async () => {
      const page = await newVisitor(run.baseUrl).get(START);
      expect(page.status).toBe(503);
      expect(page.text).toContain(NAME);
    });
  });
});

describe("by invitation", () => {
  beforeAll(async () => {
    await run.stop();
    run = await start(state, run.port, settings("invitation"));
    await run.ready();
  });

  it("refuses strangers", async () => {
    const [visitor, person] = [newVisitor(run.baseUrl), stranger()];
    await expectRefusal(await signIn(person, visitor), visitor, /invitation/);
    expect(accountOf(person.email)).toBeNull();
  });

  it("lets in who comes from their invitation, and they can accept it", async () => {
    const person = stranger();
    const link = await invite(person.email);
    const visitor = newVisitor(run.baseUrl);
    expect((await visitor.get(link)).text).toContain(`${START}?next=${encodeURIComponent(link)}`);
    const back = await signIn(person, visitor, link);
    expect([back.status, at(back)]).toEqual([200, link]);
    const joined = await visitor.post(link);
    expect([joined.status, new URL(joined.url).pathname]).toEqual([200, "/console"]);
    expect((await visitor.get(link)).status).toBe(404);
  });

  it("lets nobody in by the invitation of somebody else", async () => {
    const person = stranger();
    const visitor = newVisitor(run.baseUrl);
    await expectRefusal(await signIn(person, visitor, await invite(`not-${person.email}`)), visitor, /invitation/);
    expect(accountOf(person.email)).toBeNull();
  });

  it("knows those who had an account before", async () => {
    expect(at(await signIn(owner))).toBe("/console");
  });
});
