import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/lib/version";
import { LIMITS } from "../../src/domain/limits";
import { guardedGet } from "../../src/outbound/fetch";
import { readFeed } from "../../src/background/topics/feed";
import { chooseItems } from "../../src/background/topics/candidate";
import { env } from "cloudflare:test";
import { givingUp } from "../helpers/giving-up";
import { spread } from "../helpers/sample";
import { feed, NOW, read, readPath, seen, titles } from "../helpers/sources";

const rules = { allowLoopback: true };

describe("a source that cannot be had says why", () => {
  it.each([
    ["status-404/a", "status", "It answered 404."],
    ["status-500/a", "status", "It answered 500."],
    ["status-429/a", "status", "It answered 429: too many requests."],
    ["ask-to-wait/a", "status", "It answered 503. It asks for a wait of 120 seconds."],
    ["redirect-without-location/a", "status", "It answered 302."],
    ["redirect-loop/a", "too_many_redirects", "It redirects more than 3 times."],
    ["redirects-4/a", "too_many_redirects", "It redirects more than 3 times."],
    ["five-megabytes/a", "too_large", "It is larger than 2 MiB."],
    ["endless/a", "too_large", "It is larger than 2 MiB."],
    ["gzip-bomb/a", "too_large", "It is larger than 2 MiB."],
    ["reset/a", "connection", "It could not be reached, or closed the connection in the middle of its response."],
    ["breaks-off/a", "connection", "It could not be reached, or closed the connection in the middle of its response."],
    ["deep/a", "unreadable", "Its elements are nested too deeply."],
    [
      `redirect-to/${encodeURIComponent("http://169.254.169.254/latest/")}`,
      "target",
      "It redirects to an address that is not allowed, at 169.254.169.254. The host must be a name, not an IP address.",
    ],
  ])("%s", async (path, reason, detail) => {
    expect(await readPath(path)).toEqual({ kind: "failed", reason, detail });
  });

  it("hang/a", async () => {
    const detail = "It did not answer within 8 seconds.";
    const isAsked = async () => (await seen("hang/a")).length > 0;
    const reading = await givingUp(LIMITS.sourceTimeoutMs, () => readPath("hang/a"), isAsked);
    expect(reading).toEqual({ kind: "failed", reason: "timeout", detail });
  });

  it.each([
    ["http://10.0.0.1/feed", "The host must be a name, not an IP address."],
    ["ftp://example.com/feed", "The URL must use http or https."],
    ["", "The URL is not valid."],
  ])("an address that is not allowed: %s", async (url, detail) => {
    const source = { kind: "feed", name: "x", url } as const;
    expect(await read(source)).toEqual({ kind: "failed", reason: "target", detail });
  });

  it("and not what the caller no longer waits for", async () => {
    await expect(readPath("feeds/ghost.xml", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );
  });

  it("but one that redirects as often as is allowed is read", async () => {
    expect(await readPath("redirects-3/a")).toMatchObject({ kind: "read", name: "Small" });
  });
});

describe("conditional requests", () => {
  const LAST_MODIFIED = "Mon, 02 Nov 2026 08:00:00 GMT";

  it("give the validators, and `unchanged` once they are sent", async () => {
    const { validators } = await feed("ghost.xml");
    expect(validators).toEqual({ etag: expect.stringMatching(/^"\w{40}"$/) as string, lastModified: LAST_MODIFIED });
    expect(await readPath("feeds/ghost.xml?as=conditional", { validators })).toEqual({ kind: "unchanged" });
    expect((await seen("=conditional"))[0]?.headers).toMatchObject({
      "if-none-match": validators.etag,
      "if-modified-since": LAST_MODIFIED,
    });
  });

  it("send what is known only", async () => {
    const validators = { etag: null, lastModified: LAST_MODIFIED };
    expect(await readPath("feeds/ghost.xml?as=dated", { validators })).toEqual({ kind: "unchanged" });
    expect((await seen("=dated"))[0]?.headers).not.toHaveProperty("if-none-match");
  });

  it("read what has changed", async () => {
    const validators = { etag: '"old"', lastModified: null };
    expect(await readPath("feeds/ghost.xml", { validators })).toMatchObject({ kind: "read", name: "Slow Software" });
  });

  it("are what a 304 answers, and nothing else", async () => {
    expect(await readPath("always-304/a")).toEqual({
      kind: "failed",
      reason: "status",
      detail: "It answered 304 (not modified) to a request that was not conditional.",
    });
    const validators = { etag: null, lastModified: null };
    expect(await readPath("always-304/a", { validators })).toMatchObject({ kind: "failed" });
  });

  it("are not made with validators that are out of the ordinary", async () => {
    expect(await readPath("odd-validators/a")).toMatchObject({ validators: { etag: null, lastModified: null } });
  });

  it("say who asks, and for what", async () => {
    await readPath("feeds/ghost.xml?as=polite");
    expect((await seen("=polite"))[0]?.headers).toMatchObject({
      "user-agent": `Edgepress/${VERSION}`,
      accept: expect.stringContaining("application/atom+xml") as string,
    });
  });
});

/** About two megabytes of one thing. */
const many = (text: string): string => text.repeat(Math.floor(2_000_000 / text.length));

const rss = (inside: string): string => `<rss version="2.0"><channel><title>Big</title>${inside}</channel></rss>`;

const entry = (inside: string): string =>
  rss(`<item><title>One</title><link>https://t.example.com/1</link>${inside}</item>`);

describe("two megabytes that are made to be slow are read in time", () => {
  const documents = [
    ["tags that never end", entry(`<description>${many("<")}</description>`)],
    ["attributes that never end", entry(`<description>${many('<a "')}</description>`)],
    ["parentheses in an author", entry(`<author>${many("(")}</author>`)],
    ["CDATA in a comment", entry(`<description><!--${many("<![CDATA[")}--></description>`)],
    ["ampersands", entry(`<description><![CDATA[${many("&")}]]></description>`)],
    ["categories", entry(many("<category>x</category>"))],
    [
      "items of RDF and as many references to them",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>Big</title><items><rdf:Seq>${many('<rdf:li resource="x"/>')}</rdf:Seq></items></channel><item><title>One</title><link>https://t.example.com/1</link></item>${many("<item/>")}</rdf:RDF>`,
    ],
    [
      "namespaces",
      `<rss ${Array.from({ length: 90_000 }, (_, index) => `xmlns:a${index}="x"`).join(" ")}>${entry("").slice(19)}`,
    ],
    [
      "markup in a title",
      rss(`<item><title>One<![CDATA[${many("<a ")}]]></title><link>https://t.example.com/1</link></item>`),
    ],
    [
      "deep markup in many texts",
      entry("").replace(
        "</channel>",
        `${many(`<item><description><![CDATA[${"<b>".repeat(6000)}]]></description></item>`)}</channel>`,
      ),
    ],
    ["declarations", `<!DOCTYPE rss [${many('<!ENTITY a "b">')}]>${entry("")}`],
    [
      "JSON with many items",
      `{"version":"https://jsonfeed.org/version/1.1","title":"Big","items":[{"url":"https://t.example.com/1","title":"One"}${many(',{"id":"1"}')}]}`,
    ],
  ] as const;

  // The slow ways through these take minutes: then the test's own limit fails it.
  it.each(spread(documents, 4))("%s", (_, document) => {
    const listed = readFeed(new TextEncoder().encode(document), null, "https://t.example.com/feed");
    if (listed.kind !== "listed") throw new Error(listed.detail);
    const { items } = chooseItems(listed.listed, NOW);
    expect(titles(items)[0]).toMatch(/^One/);
  });

  it.each([
    ["elements within elements", many("<a>")],
    ["JSON within JSON", `{"version":"https://jsonfeed.org/version/1.1","items":${many("[")}`],
    ["a page", `<html>${many("<div>")}`],
    ["instructions", many("<?")],
    ["blanks", many(" ")],
  ])("or refused: %s", (_, document) => {
    expect(readFeed(new TextEncoder().encode(document), null, "https://t.example.com/feed").kind).toBe("unreadable");
  });
});

it("a server of feeds is asked once, whatever it answers", async () => {
  await readPath("status-500/only-once");
  expect(await seen("only-once")).toHaveLength(1);
  const request = { rules, timeoutMs: 20_000, maxBytes: 10, maxRedirects: 0, headers: {} };
  await guardedGet({ ...request, url: `${env.FEEDS.url}/redirects-1/no-redirects` });
  expect(await seen("no-redirects")).toHaveLength(1);
});
