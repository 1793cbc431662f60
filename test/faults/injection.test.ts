/** Text that means something to SQL, HTTP, HTML, JSON or a terminal is text: stored as it is, or refused. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { getInputSources, listPathParameters, type LoadedRoute } from "../../src/surfaces/rest/routes.ts";
import { send, sendJson, type Credential } from "../helpers/requests.ts";
import { typeOf } from "../helpers/member-types.ts";
import { call, everyRoute, newWorld, reaching, validInput, type World } from "../helpers/operations.ts";
import { quiet, refusalOf, tables, type Problem } from "../helpers/refusals.ts";
import { sample, spread } from "../helpers/sample.ts";

const PAYLOADS = [
  "'",
  "''",
  '"',
  "`",
  "\\",
  "\\'",
  "a' or '1'='1",
  "'; drop table articles; --",
  "') union select hash from credentials --",
  "' || (select secret from webhook_subscriptions) || '",
  "1); delete from audit; --",
  "/* comment */",
  "?",
  "?1",
  ":name",
  "@x",
  "$1",
  "%",
  "_",
  "%%",
  "a%b_c",
  "*",
  "[a-z]*",
  "$",
  "$.content",
  "{}",
  "[]",
  "null",
  "undefined",
  "NaN",
  '"},"admin":{"',
  "\\u0000",
  "\\ud800",
  "${7*7}",
  "${process.env}",
  "#{7*7}",
  "{{7*7}}",
  "<%= 7*7 %>",
  "%s%s%n",
  "<script>alert(1)</script>",
  "</script><!--",
  '"><img src=x onerror=alert(1)>',
  "javascript:alert(1)",
  "&lt;&amp;&#39;",
  "]]>",
  "../../etc/passwd",
  "..\\..\\",
  "file:///etc/passwd",
  "$(id)",
  "`id`",
  "| id",
  "; id",
  "=cmd|' /C calc'!A0",
  "+1",
  "-1",
  "a,b",
  "a;b=c",
  "a\r\nX-Injected: 1",
  "a\nSet-Cookie: x=1",
  "a\r\n\r\n<html>",
  "a%0d%0aX-Injected: 1",
  "\u0085X-Injected: 1",
  "\u2028X\u2029",
  "\u001b[31mred\u001b[0m",
  "\u0007",
  "\t",
  "\u200b",
  "\ufeff",
  "\u202eabc\u202c",
  "\u2066x\u2069",
  "عربي",
  "😀",
  "👩‍👩‍👧‍👦",
  "é",
  "e\u0301",
  "ﷺ",
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L",
  "\uffff",
  "\ufffd",
  "𝒳",
  " leading and trailing ",
  "https://images.example.com/?q=<script>'\"",
  "https://images.example.com/a'b\\c",
  "https://images.example.com/${x}?a=%27&b=%0d%0a",
  "https://images.example.com/#\u202e😀",
  "https://user:secret@images.example.com/",
];

/** Every third text, or fewer, from another one on for each input: all inputs together get each text. */
let inputs = 0;
const nextPayloads = (): readonly string[] => {
  const third = PAYLOADS.filter((_, index) => index % 3 === inputs % 3);
  return sample(third, Math.floor(inputs++ / 3), 5);
};

/** What the service writes in another form: the rest is kept to the letter. */
const STORED: Readonly<Record<string, (text: string) => string>> = {
  slug: (text) => text.normalize("NFC"),
  email: (text) => text.toLowerCase(),
  locale: (text) => new Intl.Locale(text).toString(),
  locales: (text) => new Intl.Locale(text).toString(),
  url: (text) => new URL(text).href,
  siteUrl: (text) => new URL(text).href.replace(/\/+$/, ""),
};

let world: World;
let schema: string;
beforeAll(async () => {
  world = await newWorld();
  schema = JSON.stringify(await tables());
});

/** Names that a response may have; anything else would have been injected. */
const HEADERS = new Set(
  (
    "access-control-allow-origin access-control-expose-headers cache-control cache-tag cloudflare-cdn-cache-control " +
    "content-type etag link server-timing vary x-content-type-options x-request-id"
  ).split(" "),
);

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** The forms of headers in which something of the request could show. */
const FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  // The list of a blog's redirects has its last path in its ETag.
  ["etag", /^"[0-9a-zA-Z~,./_-]+"$/],
  ["cache-tag", new RegExp(`^blog-${ID}(?:,article-${ID})?$`)],
  ["link", /^<https:\/\/edgepress\.test\/[^<>"\s]*>; rel="next"$/],
];

/** That the headers of an answer are of their known forms, with nothing of the request in them. */
function expectCleanHeaders({ headers }: Response): void {
  // Printable ASCII, as everything that the service itself writes there.
  const strange = [...headers].filter(([name, value]) => !HEADERS.has(name) || !/^[\x20-\x7e]*$/.test(value));
  const malformed = FORMS.filter(([name, form]) => headers.has(name) && !form.test(headers.get(name) ?? ""));
  const wrong = [...strange, ...malformed.map(([name]) => [name, headers.get(name)])];
  if (wrong.length > 0) expect(wrong).toEqual([]);
}

/**
 * Returns the name of the one tag or author that an article or its working copy has by now. It may have been made before,
 * by another text with the same slug.
 */
async function nameOfTerm(response: Response, member: string, as: Credential): Promise<string | undefined> {
  type Shown = Record<string, readonly { readonly name: string }[]>;
  const answer = (await response.json()) as Shown & { readonly _id?: string };
  const shown =
    answer[member] ?? (await sendJson<Shown>(200, `/api/articles/${answer._id}?fields=${member}`, { as }))[member];
  expect(shown).toHaveLength(1);
  return shown?.[0]?.name;
}

/** The resource of an answer as its collection shows it afterwards. */
async function readAgain(route: LoadedRoute, id: string, as: Credential): Promise<Record<string, unknown> | undefined> {
  // What is restored is an article again.
  const collection = route.path.replace(/\/:.*/, "").replace("/trash", "/articles");
  const part = /\/(?:draft|approval)$/.exec(route.path)?.[0] ?? "";
  if (collection === "/api/articles") return sendJson(200, `${collection}/${id}${part}`, { as });
  if (route.path.endsWith("/site")) return sendJson(200, `${collection}/${world.tenant.blogId}/site`, { as });
  if (collection === "/api/organization") return sendJson(200, collection, { as });
  const list = everyRoute.find((each) => each.route.method === "get" && each.route.path === collection)?.route;
  const query = list && getInputSources(list).query.includes("blogId") ? `?blogId=${world.tenant.blogId}` : "";
  const all = await sendJson<{ _id: string }[]>(200, `${collection}${query}`, { as });
  return all.find((each) => each._id === id);
}

/** The members that say what is looked up. Those in the query of an upload are stored with its picture. */
const lookedUpOf = (route: LoadedRoute): string[] =>
  listPathParameters(route.path).concat(route.upload || route.streams ? [] : getInputSources(route).query);

/** The members that are stored: those of the body, or beside the file that is the body. */
const storedOf = (route: LoadedRoute): string[] => getInputSources(route)[route.upload ? "query" : "body"];

// What a generation is asked for is not stored, but what comes of it: test/generation/. Paths of redirects have a form of their own,
// and an import answers for each: test/contract/.
// A refresh and redeliveries store nothing of what they are asked for. What is said of a request for approval, its own page tells.
const withStored = everyRoute.filter(
  ({ route }) =>
    storedOf(route).length > 0 &&
    !route.operation.lengthy &&
    !/\/(?:redirects|import|refresh|redeliveries|generations|estimate|approve|decline)$/.test(route.path),
);

/** The text that is stored of one that was sent: names and what is said of pictures have no white space around them. */
function trimmed({ path }: LoadedRoute, member: string, text: string): string {
  if (/^\/api\/(?:tags|authors)/.test(path) && member === "name") return text.normalize("NFC").trim();
  return path.startsWith("/api/media") || member === "newsletter" ? text.trim() : text;
}

const REFUSALS: readonly Problem["code"][] = [
  "invalid_request",
  "immutable_field",
  "target_not_allowed",
  "blog_forbidden",
  "not_found",
  "slug_taken",
  "vanity_id_taken",
  "contact_exists",
];

// First, while nothing has such names yet.
describe("texts of every path and query are looked up as they are, and show in no header", () => {
  const withText = everyRoute.filter(({ route }) => lookedUpOf(route).length > 0);

  it.each(spread(withText, 5))("by $title", async ({ route }) => {
    for (const member of lookedUpOf(route)) {
      const callers = [reaching(route, world), ...(route.operation.anonymous ? [{}] : [])];
      for (const payload of nextPayloads()) {
        for (const as of callers) {
          const response = await call(route, { ...validInput(route, world), [member]: payload }, { as });
          expectCleanHeaders(response);
          if (response.status >= 400) await refusalOf(response, ...REFUSALS, "invalid_cursor", "route_not_found");
          // Nothing has such a name: a wildcard or a condition that is true would have found something.
          else if (!["limit", "skip", "fallback"].includes(member)) {
            // A list leaves out what lacks a word of the query: nothing, if that has no words.
            const found = member === "query" && payload.trim() === "" ? expect.any(Array) : [];
            expect(await response.json()).toEqual(found);
          }
        }
      }
    }
    expect(JSON.stringify(await tables())).toBe(schema);
  });
});

describe("texts of every body are stored to the letter or refused", () => {
  let shared: World;
  beforeAll(async () => void (shared = await newWorld()));

  it.each(spread(withStored, 6))("by $title", async ({ route }) => {
    // Texts that are spelled alike are one tag or author of a blog: in a world that has some already, others are refused.
    world = /^\/api\/(?:articles|tags|authors)/.test(route.path) ? await newWorld() : shared;
    for (const member of storedOf(route)) {
      const type = typeOf(member);
      if (type !== "string" && type !== "texts") continue;
      const as = reaching(route, world);
      const reader = { operatorToken: world.tenant.operatorToken };
      const tried: string[] = [];
      for (const payload of nextPayloads()) {
        const value = type === "string" ? payload : [payload];
        const response = await call(route, { ...validInput(route, world), [member]: value }, { as });
        expectCleanHeaders(response);
        if (response.status >= 400) {
          await refusalOf(response, ...REFUSALS);
          continue;
        }
        if (member === "tags" || member === "authors") {
          tried.push(payload.normalize("NFC").trim());
          expect(tried).toContain(await nameOfTerm(response, member, reader));
          continue;
        }
        const stored = (STORED[member] ?? ((text: string) => text))(trimmed(route, member, payload));
        const answer = (await response.json()) as Record<string, unknown>;
        expect(answer[member], `${member}: ${JSON.stringify(payload)}`).toEqual(type === "string" ? stored : [stored]);
        const again = await readAgain(route, String(answer["_id"] ?? answer["articleId"]), reader);
        expect(again?.[member]).toEqual(answer[member]);
      }
    }
    await quiet();
    expect(JSON.stringify(await tables())).toBe(schema);
  });
});

describe("the Link to the next page", () => {
  it("carries foreign parameters in escaped form, and leads to the next page", async () => {
    for (const payload of spread(
      PAYLOADS.filter((text) => text.isWellFormed()),
      15,
    )) {
      const path = `/api/articles?blogId=${world.tenant.blogId}&limit=1&x=${encodeURIComponent(payload)}`;
      const response = await send(path);
      expectCleanHeaders(response);
      const next = /^<([^>]+)>/.exec(response.headers.get("Link") ?? "")?.[1];
      if (next === undefined) continue;
      expect(new URL(next).searchParams.get("x")).toBe(payload);
      expect(await sendJson(200, next)).toHaveLength(1);
    }
  });
});

describe("what subscribers are told", () => {
  it("is the text as it was written, in JSON that any parser reads", async () => {
    for (const description of spread(PAYLOADS, 15)) {
      const asked = { as: { apiKey: world.tenant.apiKey }, body: { blogId: world.tenant.blogId, description } };
      const { _id } = await sendJson<{ _id: string }>(200, "/api/articles", asked);
      const query = env.DB.prepare("select data from events where data ->> '_id' = ?").bind(_id);
      expect(JSON.parse((await query.first<string>("data")) ?? "null")).toMatchObject({ _id, description });
    }
  });

  it("is the answer that an Idempotency-Key replays, too", async () => {
    const as = { apiKey: world.tenant.apiKey };
    const body = { blogId: world.tenant.blogId, description: PAYLOADS.join("\n"), content: PAYLOADS.join("\r\n") };
    const options = { as, body, headers: { "Idempotency-Key": "payloads" } };
    const first = await sendJson(200, "/api/articles", options);
    expect(first).toMatchObject(body);
    expect(await sendJson(200, "/api/articles", options)).toEqual(first);
  });
});
