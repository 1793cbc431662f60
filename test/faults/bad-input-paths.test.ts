/** Paths, methods and queries that no client means. */
import { beforeAll, describe, expect, it } from "vitest";
import { listPathParameters } from "../../src/surfaces/rest/routes.ts";
import { send } from "../helpers/requests.ts";
import { everyRoute, newWorld, reaching, requestOf, validInput, type World } from "../helpers/operations.ts";
import { fieldsOf, refusalOf, storingNothing } from "../helpers/refusals.ts";
import { spread } from "../helpers/sample.ts";

const withParameter = everyRoute.filter(({ route }) => listPathParameters(route.path).length > 0);

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const as = () => ({ apiKey: world.tenant.apiKey });

const GARBAGE = [
  "%",
  "%%",
  "%zz",
  "%2",
  "%u0041",
  "%c3",
  "%ff",
  "%fe%ff",
  "%c0%af",
  "%e0%a4%a",
  "%ed%a0%80",
  "%f4%90%80%80",
  "%c3%28",
  "a%",
  "a%ffb",
  "%2e%2e%2fetc%2fpasswd",
  "..%2f..%2f",
  "%252e%252e",
  "%2f",
  "%5c",
  "%3f",
  "%23",
  "%20",
  "+",
  ";a=b",
  "a;b",
  "a,b",
  "a:b",
  "@",
  "~",
  "null",
  "undefined",
  "true",
  "0",
  "-1",
  "NaN",
  "[object Object]",
  "__proto__",
  "constructor",
  "toString",
  "*",
  "' or '1'='1",
  "1; drop table articles",
  "{{7*7}}",
  "${7*7}",
  "日本",
  "😀",
  "%f0%9f%98%80",
  "generate",
  "search",
];

/** Any refusal that says: there is no such thing, or this is no name. */
const NOWHERE = ["invalid_request", "not_found", "blog_forbidden", "route_not_found"] as const;

/** Texts that are too long, or have control characters. */
const TOO_LONG = [
  "a".repeat(2049),
  "a".repeat(100_000),
  "日".repeat(2100),
  "%00",
  "a%0d%0aX-Injected: 1",
  "%09",
  "%7f",
  "%c2%85",
];

describe.each(spread(withParameter))("$title", ({ route, name }) => {
  it("answers garbage in its path with a refusal", async () => {
    const credential = reaching(route, world);
    await storingNothing(async () => {
      for (const garbage of spread(GARBAGE, 20)) {
        const { path, method, body, type } = requestOf(route, { ...validInput(route, world), _id: undefined });
        const there = path.split("?")[0]?.replace(placeIn(route.path, path), () => garbage) ?? "";
        const response = await send(there, { as: credential, method, ...(body && { body }), ...(type && { type }) });
        await refusalOf(response, ...NOWHERE);
      }
    });
  });

  it("names a parameter that is too long or has control characters", async () => {
    const credential = reaching(route, world);
    const [parameter = ""] = listPathParameters(route.path);
    await storingNothing(async () => {
      for (const text of TOO_LONG) {
        const { path, method, body, type } = requestOf(route, { ...validInput(route, world), _id: undefined });
        const [place = "", query] = path.split("?");
        const there = place.replace(placeIn(route.path, path), () => text) + (query === undefined ? "" : `?${query}`);
        const response = await send(there, { as: credential, method, ...(body && { body }), ...(type && { type }) });
        expect(response.headers.get("X-Injected")).toBeNull();
        expect(fieldsOf(await refusalOf(response, "invalid_request")), name).toEqual([parameter]);
      }
    });
  });
});

/** What stands in a path where its pattern has a parameter. */
function placeIn(pattern: string, path: string): string {
  const place = pattern.split("/").findIndex((part) => part.startsWith(":"));
  return path.split("?")[0]?.split("/")[place] ?? "";
}

describe("a path that is no endpoint", () => {
  const PATHS = [
    "/api",
    "/api/",
    "/API/ARTICLES",
    "/Api/articles",
    "//api/articles",
    "/api//articles",
    "/api/articles/",
    "/api/articles//",
    "/api/articles/a/b",
    "/api/articles/a/",
    "/api/./articles/..",
    "/api/v1/articles",
    "/v1/api/articles",
    "/api/articles.json",
    "/api/articles;x",
    "/api%2farticles",
    "/api/articles%2fa",
    "/blogs/",
    "/blogs/a/b",
    "/api/organizations",
    "/api/webhooksubscriptions/a/deliveries/b/c",
    "/.env",
    "/.git/config",
    "/wp-login.php",
    "/cgi-bin/x",
    "/%",
    "/%ff",
    "/%00",
    `/${"a".repeat(100_000)}`,
    "/".repeat(10_000),
    `/api/articles${"/a".repeat(10_000)}`,
  ];

  it.each(spread(PATHS, 8).map((path) => [path.slice(0, 60), path] as const))("is 404: %s", async (_, path) => {
    await storingNothing(async () => {
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
        const request = `https://edgepress.test${path}`;
        const response = await send(request, { as: as(), method, ...(method !== "GET" && { body: "{}" }) });
        await refusalOf(
          response,
          ...(path.includes("%2f") ? NOWHERE : (["route_not_found"] as const)),
          "method_not_allowed",
        );
      }
    });
  });
});

describe("a method that an endpoint does not have", () => {
  const HAD = ["GET", "POST", "PUT", "DELETE", "PATCH"];
  const UNKNOWN = ["PROPFIND", "REPORT", "LOCK", "PURGE", "MKCOL", "SEARCH"];
  const paths = [...new Set(everyRoute.map(({ route }) => route.path.replaceAll(/:\w+/g, "x")))];

  it.each(spread(paths))("is 405 and says which ones it has: %s", async (path) => {
    // Several may: /api/articles/generate is also the place of an article.
    const shape = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`);
    const has = everyRoute
      .filter(({ route }) => shape(route.path).test(path))
      .map(({ route }) => route.method.toUpperCase());
    const allowed = new Set([...has, "OPTIONS", ...(has.includes("GET") ? ["HEAD"] : [])]);
    await storingNothing(async () => {
      // The methods that other endpoints have, and some of those that none has.
      for (const method of [...HAD, ...UNKNOWN]) {
        if (allowed.has(method)) continue;
        const response = await send(path, { as: as(), method });
        const allow = response.headers.get("Allow")?.split(", ") ?? [];
        expect(new Set(allow)).toEqual(allowed);
        await refusalOf(response, "method_not_allowed");
      }
    });
  });
});

describe("a query", () => {
  const QUERIES = [
    "?",
    "?&&&",
    "?=",
    "?=x",
    "?%",
    "?%=%",
    "?%ff=%ff",
    "?a=%zz",
    "?blogId",
    "?blogId=%",
    "?blogId=%ff",
    "?blogId=%ed%a0%80",
    "?blogId=%c0%80",
    "?blogId=x#y",
    "?blogId=x?y",
    "?blogId=x;limit=1",
    `?${"a".repeat(100_000)}`,
    `?${"a=1&".repeat(20_000)}`,
    `?blogId=${"a".repeat(100_000)}`,
    `?fields=${"_id,".repeat(5000)}_id&blogId=x`,
    `?fields=${"nope,".repeat(200)}nope&blogId=x`,
    `?cursor=${"A".repeat(100_000)}&blogId=x`,
    `?limit=${"9".repeat(100_000)}&blogId=x`,
  ];

  const reads = everyRoute.filter(({ route }) => route.operation.effect === "read");
  /** Always the one that takes the most parameters. */
  const asked = [...new Set([...reads.filter(({ name }) => name === "listArticles"), ...spread(reads)])];

  it.each(spread(QUERIES, 8).map((query) => [query.slice(0, 60), query] as const))(
    "never fails the service: %s",
    async (_, query) => {
      const operator = { operatorToken: world.tenant.operatorToken };
      await storingNothing(async () => {
        for (const { route } of asked) {
          const { path } = requestOf(route, validInput(route, world));
          const response = await send(`${path.split("?")[0]}${query}`, { as: operator });
          if (response.status === 200) await response.json();
          else await refusalOf(response, "invalid_request", "not_found", "blog_forbidden", "invalid_cursor");
        }
      });
    },
  );
});
