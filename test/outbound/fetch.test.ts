import { newId } from "../../src/lib/ids.ts";
import { env } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { countHeldBytes, hold } from "../../src/memory.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { guardedGet, type GetOutcome, type GetRequest } from "../../src/outbound/fetch";
import { seen, sent } from "../helpers/sources";
import { PATIENCE } from "../helpers/webhooks";

const get = (path: string, request: Partial<GetRequest> = {}): Promise<GetOutcome> =>
  guardedGet({
    url: `${env.FEEDS.url}/${path}`,
    rules: { allowLoopback: true },
    timeoutMs: 20_000,
    maxBytes: 1024 * 1024,
    maxRedirects: 3,
    headers: {},
    ...request,
  });

/** The status and text of a response, or why there is none. */
function told(outcome: GetOutcome): unknown[] {
  if (outcome.kind === "failed") return [outcome.reason, outcome.detail];
  return [outcome.status, new TextDecoder().decode(outcome.bytes)];
}

/** The server under another origin. */
const elsewhere = (path: string): string => `${env.FEEDS.url.replace("127.0.0.1", "localhost")}/${path}`;

const redirectTo = (address: string): string => `redirect-to/${encodeURIComponent(address)}`;

const UNREACHABLE = "It could not be reached, or closed the connection in the middle of its response.";

describe("a guarded GET", () => {
  it("gives the status, the headers, the bytes and the final address", async () => {
    const outcome = await get("feeds/ghost.xml?plain#part");
    expect(outcome).toMatchObject({ kind: "response", status: 200, url: `${env.FEEDS.url}/feeds/ghost.xml?plain` });
    expect(told(outcome)[1]).toContain("Slow Software");
    expect(outcome.kind === "response" && outcome.headers.get("Content-Type")).toBe(
      "application/rss+xml; charset=utf-8",
    );
  });

  it("decompresses", async () => {
    expect(told(await get("gzip/a"))[1]).toContain("Zipped");
  });

  it("gives a status that is no success with the beginning of its explanation", async () => {
    expect(told(await get("status-500/a"))).toEqual([500, "<h1>No</h1>"]);
    expect(told(await get("redirect-without-location/a"))).toEqual([302, ""]);
  });

  it("keeps such a status even if the explanation never ends", async () => {
    expect(told(await get("hanging-error/a", { timeoutMs: 2000 }))).toEqual([500, ""]);
  });
});

describe("what is not allowed", () => {
  it.each([
    ["http://example.com/", "The URL must use https."],
    ["https://10.0.0.1/", "The host must be a name, not an IP address."],
    ["https://user@example.com/", "The URL must not contain a user name or password."],
    ["nonsense", "The URL is not valid."],
  ])("is not asked: %s", async (url, detail) => {
    expect(told(await get("", { url }))).toEqual(["target", detail]);
  });

  it.each([
    ["http://10.0.0.1/", ", at 10.0.0.1. The host must be a name, not an IP address."],
    ["http://169.254.169.254/latest/meta-data/", ", at 169.254.169.254. The host must be a name, not an IP address."],
    [
      "https://metadata.google.internal/",
      ", at metadata.google.internal. The host must not be an internal or reserved name.",
    ],
    ["https://[::ffff:127.0.0.1]/", ", at [::ffff:7f00:1]. The host must be a name, not an IP address."],
    ["https://example.com:22/", ", at example.com:22. The URL must use port 443 or a port above 1023."],
    ["file:///etc/passwd", ". The URL must use http or https."],
    ["http://", ". The URL is not valid."],
  ])("is not followed to: %s", async (address, end) => {
    const rules = { allowLoopback: true, allowHttp: true };
    expect(told(await get(redirectTo(address), { rules }))).toEqual([
      "target",
      `It redirects to an address that is not allowed${end}`,
    ]);
  });

  it("is not followed to from a later hop either", async () => {
    const outcome = await get(redirectTo(`/${redirectTo("http://10.0.0.1/")}`), {
      rules: { allowLoopback: true, allowHttp: true },
    });
    expect(told(outcome)[0]).toBe("target");
  });
});

describe("redirects", () => {
  it.each([1, 2, 3])("are followed: %d", async (count) => {
    const outcome = await get(`redirects-${count}/followed`);
    expect(told(outcome)[1]).toContain("Arrived");
    expect(outcome).toMatchObject({ url: `${env.FEEDS.url}/redirects-0/followed` });
  });

  it.each(["redirects-4/a", "redirect-loop/a"])("have an end: %s", async (path) => {
    expect(told(await get(path))).toEqual(["too_many_redirects", "It redirects more than 3 times."]);
  });

  it("may be relative, and lose their fragment and user info", async () => {
    const relative = await get("redirect-relative/beside");
    expect(relative).toMatchObject({ status: 200, url: `${env.FEEDS.url}/feeds/rss-2.0.xml?beside` });
    const named = env.FEEDS.url.replace("//", "//user:secret@");
    const bare = await get(redirectTo(`${named}/feeds/rss-2.0.xml?as=named#part`));
    expect(bare).toMatchObject({ status: 200, url: `${env.FEEDS.url}/feeds/rss-2.0.xml?as=named` });
    expect((await seen("=named"))[0]?.headers).not.toHaveProperty("authorization");
  });

  const secret = {
    Accept: "text/xml",
    "User-Agent": "Test/1.0",
    Authorization: "Bearer x",
    Cookie: "a=b",
    "If-None-Match": '"x"',
    "If-Modified-Since": "Mon, 02 Nov 2026 08:00:00 GMT",
  };

  it("carry all headers within the origin", async () => {
    await get(redirectTo("/status-404/within"), { headers: secret });
    expect((await seen("/status-404/within"))[0]?.headers).toMatchObject({
      authorization: "Bearer x",
      "if-none-match": '"x"',
    });
  });

  it("carry no secrets and no validators to another origin, nor back from there", async () => {
    const name = newId();
    await get(redirectTo(elsewhere(redirectTo(`${env.FEEDS.url}/status-404/${name}`))), { headers: secret });
    const requests = await seen(name);
    expect(requests).toHaveLength(3);
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer x" });
    for (const { headers } of requests.slice(1)) {
      expect(headers).toMatchObject({ accept: "text/xml", "user-agent": "Test/1.0" });
      for (const name of ["authorization", "cookie", "if-none-match", "if-modified-since"]) {
        expect(headers).not.toHaveProperty(name);
      }
    }
  });
});

describe("a server that behaves badly", () => {
  it.concurrent.each(["hang/a", "drip-headers/a", "drip-body/a"])("runs out of time: %s", async (path) => {
    expect(told(await get(path, { timeoutMs: 500 }))).toEqual(["timeout", "It did not answer within 0.5 seconds."]);
  });

  it("is not charged for the time in which its caller waits for memory", async () => {
    const others = await hold(LIMITS.heldBytes);
    let hadRoom = false;
    setTimeout(() => {
      hadRoom = true;
      others.end();
    }, 2500);
    const outcome = await get("five-megabytes/held", { maxBytes: 8 * 1024 * 1024, timeoutMs: 2000 });
    expect([told(outcome)[0], hadRoom, countHeldBytes()]).toEqual([200, true, 0]);
  });

  it.concurrent("has one time limit for all hops", async () => {
    expect(told(await get(redirectTo("/hang/hop"), { timeoutMs: 500 }))[0]).toBe("timeout");
  });

  it.each(["reset/a", "close/a", "garbage/a", "breaks-off/a", "broken-gzip/a"])("breaks off: %s", async (path) => {
    expect(told(await get(path))).toEqual(["connection", UNREACHABLE]);
  });

  it("is not there", async () => {
    expect(told(await get("", { url: `${env.RECEIVER.refusing}/` }))).toEqual(["connection", UNREACHABLE]);
  });

  it.each(["endless", "gzip-bomb", "five-megabytes"])("sends too much, and is cut off: %s", async (kind) => {
    expect(told(await get(`${kind}/${kind}-cut-off`))).toEqual(["too_large", "It is larger than 1 MiB."]);
    // What is on its way in buffers comes on top.
    expect(await sent(`${kind}-cut-off`)).toBeLessThan(20_000_000);
  });

  it("may send exactly as much as is allowed", async () => {
    const all = told(await get("feeds/ghost.xml"))[1] as string;
    const maxBytes = new TextEncoder().encode(all).byteLength;
    expect(told(await get("feeds/ghost.xml", { maxBytes }))).toEqual([200, all]);
    expect(told(await get("feeds/ghost.xml", { maxBytes: maxBytes - 1 }))[0]).toBe("too_large");
  });
});

describe("the caller's signal", () => {
  it("ends a GET with its reason", async () => {
    const abort = new AbortController();
    const outcome = get("hang/aborted", { signal: abort.signal, timeoutMs: 60_000 });
    await vi.waitFor(async () => expect(await seen("hang/aborted")).toHaveLength(1), PATIENCE);
    abort.abort(new Error("no longer wanted"));
    await expect(outcome).rejects.toThrow("no longer wanted");
    expect(await sent("hang/aborted")).toBe(0);
  });

  it("sends nothing if it is aborted already", async () => {
    await expect(get("feeds/ghost.xml?as=never", { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await seen("=never")).toEqual([]);
  });
});
