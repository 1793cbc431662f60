/** Contract 14.5, 14.6: limits by key and by address. Each test has keys and addresses of its own. */
import { describe, expect, it } from "vitest";
import { RATES } from "../../src/domain/rates.ts";
import wranglerToml from "../../wrangler.toml?raw";
import { SCOPES } from "../../src/domain/principal.ts";
import { newSecret } from "../../src/domain/secrets.ts";
import { issueKey, send, type Credential } from "../helpers/requests.ts";
import { newTenant } from "../helpers/tenant.ts";
import { limited } from "../helpers/limiter.ts";
import { call, everyRoute, newWorld, validInput } from "../helpers/operations.ts";
import { refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

/** Repeats a request until it is limited; how often it was answered before. */
async function untilLimited(
  most: number,
  request: () => Promise<Response>,
): Promise<{ answered: number; last: Response }> {
  for (let answered = 0; answered <= most; answered++) {
    const last = await request();
    if (last.status === 429) return { answered, last };
    await last.text();
  }
  throw new Error(`never limited, in ${most} requests`);
}

/** What a 429 says: when to come back, and what the limit is. */
async function expectLimited(response: Response, code: "rate_limited" | "too_many_failed_attempts", quota: number) {
  expect(response.headers.get("Retry-After")).toBe("60");
  expect(response.headers.get("RateLimit-Policy")).toBe(`"${code}";q=${quota};w=60`);
  await refusalOf(response, code);
}

describe("a key", () => {
  it("has 600 requests a minute; beyond them nothing is done, and other keys are not disturbed", async () => {
    const tenant = await newTenant();
    const operator = { operatorToken: tenant.operatorToken };
    const [busy, idle] = [await issueKey(operator, SCOPES), await issueKey(operator, SCOPES)];
    const bindings = limited({ calls: 10 });
    // A malformed request is a request: the cheapest there is.
    const request = () => send("/api/blogs", { as: { apiKey: busy.secret }, method: "POST", body: "x", bindings });
    const { answered, last } = await untilLimited(10, request);
    expect(answered).toBe(10);
    await expectLimited(last, "rate_limited", 600);
    expect((await send("/api/blogs", { as: { apiKey: idle.secret }, bindings })).status).toBe(200);
    expect((await send(`/api/articles?blogId=${tenant.blogId}`, { bindings })).status).toBe(200);
  });

  it("that is over its limit does nothing, and hears that before anything else", async () => {
    const world = await newWorld();
    const bindings = limited({ calls: 0 });
    await storingNothing(async () => {
      for (const { route } of spread(everyRoute, 20)) {
        for (const as of [{ apiKey: world.tenant.apiKey }, { operatorToken: world.tenant.operatorToken }]) {
          await expectLimited(await call(route, validInput(route, world), { as, bindings }), "rate_limited", 600);
          const nonsense = { ...validInput(route, world), limit: "x", unknown: 1 };
          await expectLimited(await call(route, nonsense, { as, bindings }), "rate_limited", 600);
        }
      }
    });
  });
});

describe("an organization", () => {
  it("has a limit for all of its credentials together; others and the public are not disturbed", async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const bindings = limited({ organizationCalls: 5 });
    const blogs = (as: Credential) => send("/api/blogs", { as, bindings });
    const members = [{ apiKey: tenant.apiKey }, { operatorToken: tenant.operatorToken }];
    for (let n = 0; n < 5; n++) expect((await blogs(members[n % 2] ?? {})).status).toBe(200);
    for (const as of members) {
      await expectLimited(await blogs(as), "rate_limited", RATES.organizationCalls);
    }
    expect((await blogs({ apiKey: other.apiKey })).status).toBe(200);
    expect((await send(`/api/articles?blogId=${tenant.blogId}`, { bindings })).status).toBe(200);
  });

  it("is not used up by a key that is over its own limit", async () => {
    const tenant = await newTenant();
    const bindings = limited({ calls: 1, organizationCalls: 2 });
    const blogs = (as: Credential) => send("/api/blogs", { as, bindings });
    for (let n = 0; n < 5; n++) await blogs({ apiKey: tenant.apiKey });
    expect((await blogs({ operatorToken: tenant.operatorToken })).status).toBe(200);
  });
});

describe("an address", () => {
  const from = (address: string, Authorization: string) =>
    send("/api/articles?blogId=x", { headers: { Authorization, "CF-Connecting-IP": address } });

  it.each([
    ["malformed credentials", () => "Bearer x"],
    ["unknown credentials", async () => `Token ${(await newSecret("token")).secret}`],
  ])("has 20 failed authentications a minute, others are not disturbed: %s", async (_, header) => {
    const [bad, good] = [crypto.randomUUID(), crypto.randomUUID()];
    const { answered, last } = await untilLimited(40, async () => from(bad, await header()));
    expect(answered).toBeGreaterThanOrEqual(20);
    await expectLimited(last, "too_many_failed_attempts", 20);
    await refusalOf(await from(good, "Bearer x"), "credentials_invalid");
  });

  it("over its limit may still read in public, and come with true credentials", async () => {
    const tenant = await newTenant();
    const address = crypto.randomUUID();
    await untilLimited(40, () => from(address, "Bearer x"));
    expect((await send("/api/articles?blogId=x", { headers: { "CF-Connecting-IP": address } })).status).toBe(200);
    expect((await from(address, `Token ${tenant.operatorToken}`)).status).toBe(200);
  });

  it("is not the one that a client claims for itself", async () => {
    const address = crypto.randomUUID();
    const claiming = (n: number) => ({
      "X-Forwarded-For": `10.0.0.${n}`,
      "X-Real-IP": `10.0.0.${n}`,
      Forwarded: `for=${n}`,
    });
    let n = 0;
    const request = () => {
      const headers = { ...claiming(n++), Authorization: "Bearer x", "CF-Connecting-IP": address };
      return send("/api/articles?blogId=x", { headers });
    };
    await untilLimited(40, request);
  });
});

it("wrangler.toml counts to each number of a limit, by a name and a namespace of its own", () => {
  const block = /name = "LIMIT_(\d+)"\nnamespace_id = "(\d+)"\nsimple = \{ limit = (\d+), period = 60 \}/;
  const found = wranglerToml
    .split("[[ratelimits]]")
    .slice(1)
    .map((text) => block.exec(text) ?? []);
  expect(found.map(([, name]) => name)).toEqual(found.map(([, , , limit]) => limit));
  expect(found.map(([, name]) => Number(name))).toEqual([...new Set(Object.values(RATES))].toSorted((a, b) => a - b));
  expect(new Set(found.map(([, , namespace]) => namespace)).size).toBe(found.length);
});
