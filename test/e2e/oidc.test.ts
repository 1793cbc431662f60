/** Signing in with an OpenID Connect provider: a real one, and the Worker as `npm start` runs it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sample } from "../helpers/sample.ts";
import { accountIn } from "./database.ts";
import { newPeople, PASSWORD, START } from "./people.ts";
import { NAME, startProvider, type Claims } from "./provider.ts";
import { sharedRun } from "./shared.ts";
import { newVisitor, type Page, type Visitor } from "./visitor.ts";

const CALLBACK = "/console/auth/callback/oidc";

const { local, state, providerPort } = await sharedRun();
const provider = await startProvider(providerPort);
provider.serve(local.baseUrl);
const { stranger, signIn, at, invite, expectRefusal } = newPeople(provider, local);
afterAll(() => provider.stop());

/** Goes as far as the address that the provider sends the browser back to. */
async function untilCallback(person: Claims, visitor: Visitor): Promise<string> {
  provider.present(person);
  return (await visitor.getUntil(START, (url) => new URL(url).pathname === CALLBACK)).url;
}

const accountOf = (email: string) => accountIn(state, email);

/** Somebody whose way to the provider begins while it hangs. It takes the service seconds to give up, and others go on. */
let hung: Promise<Page>;
beforeAll(async () => {
  const isThere = provider.hangNext();
  hung = newVisitor(local.baseUrl).get(START);
  await isThere;
});

describe("with open doors", () => {
  it("offers the provider and makes an account of whom it vouches for", async () => {
    const visitor = newVisitor(local.baseUrl);
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
    const second = newVisitor(local.baseUrl);
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

  const ELSEWHERE = [
    "https://evil.example/console",
    "//evil.example/console",
    "/\\evil.example",
    "/console/../../api/blogs",
  ];
  it.each(sample(ELSEWHERE, 0))("goes nowhere else afterwards: %j", async (next) => {
    const page = await signIn(stranger(), undefined, next);
    expect(at(page)).toMatch(/^\/console($|\/)/);
    expect(page.way.join(" ")).not.toMatch(/\/\/evil/);
  });

  it.each([false, "false", undefined])(
    "refuses an address that the provider does not vouch for: %j",
    async (verified) => {
      const { email_verified: _, ...rest } = stranger();
      const person = verified === undefined ? rest : { ...rest, email_verified: verified };
      const visitor = newVisitor(local.baseUrl);
      await expectRefusal(await signIn(person, visitor), visitor, /address/);
      expect(accountOf(rest.email)).toBeNull();
    },
  );

  it('takes the text "true" for what it says', async () => {
    expect(at(await signIn(stranger({ email_verified: "true" })))).toBe("/console/organizations");
  });

  it("refuses who has no address", async () => {
    const visitor = newVisitor(local.baseUrl);
    await expectRefusal(await signIn({ sub: "nobody", name: "Nobody" }, visitor), visitor, /address/);
  });

  it("has a name to show for who has none", async () => {
    const { name: _, ...nameless } = stranger();
    await signIn(nameless);
    expect(accountOf(nameless.email)?.name).not.toBe("");
  });

  it("says so where somebody changes their mind at the provider", async () => {
    const visitor = newVisitor(local.baseUrl);
    await expectRefusal(await signIn(null, visitor), visitor, /Try again/);
  });
});

describe("an account with a password", () => {
  it("whose address nobody has proven is not taken over", async () => {
    const grace = stranger();
    const link = await invite(grace.email);
    // Whoever invited has the link, too: this may be somebody else.
    await newVisitor(local.baseUrl).post(`${link}/sign-up`, { name: "Somebody", password: PASSWORD });
    const visitor = newVisitor(local.baseUrl);
    await expectRefusal(await signIn(grace, visitor), visitor, /password/);
    expect(accountOf(grace.email)?.ways).toEqual(["credential"]);
  });

  it("whose address is proven gets a second way in", async () => {
    const owner = stranger({ email: local.email });
    const unproven = newVisitor(local.baseUrl);
    await expectRefusal(await signIn({ ...owner, email_verified: "false" }, unproven), unproven, /password/);
    expect(accountOf(local.email)?.ways).toEqual(["credential"]);
    const visitor = newVisitor(local.baseUrl);
    expect(at(await signIn(owner, visitor))).toBe("/console");
    expect((await visitor.get("/console/members")).text).toContain(local.email);
    expect(accountOf(local.email)?.ways).toEqual(["credential", "oidc"]);
    const other = newVisitor(local.baseUrl);
    const form = { email: local.email, password: local.password, next: "/console" };
    expect(at(await other.post("/console/sign-in", form))).toBe("/console");
  });
});

describe("a callback", () => {
  it("with a forged state is refused", async () => {
    for (const query of ["", "?code=a", "?code=a&state=b", "?state=b", "?error=access_denied&state=b"]) {
      const visitor = newVisitor(local.baseUrl);
      await expectRefusal(await visitor.get(`${CALLBACK}${query}`), visitor, /Try again/);
    }
    // Nor does the page that says so believe its address.
    const visitor = newVisitor(local.baseUrl);
    await expectRefusal(await visitor.get(`${START}/failed?error=constructor`), visitor, /Try again/);
  });

  it("that another browser began is refused, and lets nobody in", async () => {
    const attacker = newVisitor(local.baseUrl);
    const callback = await untilCallback(stranger(), attacker);
    const victim = newVisitor(local.baseUrl);
    await expectRefusal(await victim.get(callback), victim, /Try again/);
    // Not even one that has begun as well.
    await untilCallback(stranger(), victim);
    await expectRefusal(await victim.get(callback), victim, /Try again/);
  });

  it("works once", async () => {
    const visitor = newVisitor(local.baseUrl);
    const callback = await untilCallback(stranger(), visitor);
    expect(at(await visitor.get(callback))).toBe("/console/organizations");
    const again = await visitor.get(callback);
    expect(again.status).toBe(401);
    const thief = newVisitor(local.baseUrl);
    await expectRefusal(await thief.get(callback), thief, /Try again/);
  });

  it("of a provider that is not set up leads nowhere", async () => {
    expect((await newVisitor(local.baseUrl).get("/console/auth/callback/other?code=a&state=b")).status).toBeGreaterThan(
      400,
    );
    for (const path of ["sign-up/email", "sign-in/email", "get-session", "list-sessions", "ok"]) {
      expect((await newVisitor(local.baseUrl).get(`/console/auth/${path}`)).url).not.toContain("/console/auth/");
    }
  });
});

describe("a provider that hangs", () => {
  it("keeps nobody waiting for long", async () => {
    const page = await hung;
    expect(page.status).toBe(503);
    expect(page.text).toContain(NAME);
  });
});

describe("a provider that is down", () => {
  it("is a page that says so, and everything else works", async () => {
    const visitor = newVisitor(local.baseUrl);
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
});
