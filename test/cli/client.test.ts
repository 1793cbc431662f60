/** How the client treats servers that limit, fail, break off, or want its credentials elsewhere. */
import { describe, expect, it } from "vitest";
import { useCutPauses } from "./pauses.ts";
import { errorIn, resultIn, useProgram } from "./program.ts";
import { answering, json, refuse, type Handler } from "./scripted-server.ts";

const program = useProgram();
const pauses = useCutPauses();
const BLOG = "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";

/** Runs a command with JSON for its answers, against a server that behaves so. */
async function against(handler: Handler, args: readonly string[]) {
  const server = await answering(handler);
  const env = { EDGEPRESS_URL: server.url, EDGEPRESS_API_KEY: "epk_of_the_test" };
  return { outcome: await program.call([...args, "--json"], { env }), asked: server.asked, server };
}

const CREATE = ["articles", "create", "--blog", BLOG, "--title", "Once"];

describe("a write whose answer is lost", () => {
  it("is sent again under the same Idempotency-Key", async () => {
    let tries = 0;
    const { outcome, asked } = await against((_, response) => {
      tries += 1;
      if (tries < 3) response.destroy();
      else json(response, { _id: BLOG, title: "Once" });
    }, CREATE);
    expect(outcome.code).toBe(0);
    expect([asked.length, pauses]).toEqual([3, [250, 500]]);
    const keys = new Set(asked.map(({ headers }) => headers["idempotency-key"]));
    expect([...keys]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  it.each(["cut off in its body", "refused, and the refusal cut off"])(
    "is sent again where the answer is %s",
    async (how) => {
      let tries = 0;
      const { outcome, asked } = await against((_, response) => {
        tries += 1;
        if (tries === 3) return json(response, { _id: BLOG, title: "Once" });
        const status = how.startsWith("refused") ? 503 : 200;
        response.writeHead(status, { "Content-Type": "application/json", "Content-Length": 100 }).write('{"_id":');
        setTimeout(() => response.destroy(), 50);
      }, CREATE);
      expect(outcome.code, outcome.stderr).toBe(0);
      expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
      expect(asked).toHaveLength(3);
    },
  );

  it("waits while the first call is still running", async () => {
    let tries = 0;
    const { outcome } = await against((_, response) => {
      tries += 1;
      if (tries === 1) refuse(response, 409, "idempotency_in_progress", { "Retry-After": "1" });
      else json(response, { _id: BLOG, title: "Once" });
    }, CREATE);
    expect([outcome.code, pauses]).toEqual([0, [1000]]);
  });

  it("has another key than any other write", async () => {
    const seen = new Set<unknown>();
    const handler: Handler = ({ headers }, response) => {
      seen.add(headers["idempotency-key"]);
      json(response, { _id: BLOG });
    };
    await against(handler, CREATE);
    await against(handler, CREATE);
    expect(seen.size).toBe(2);
  });
});

describe("limits and failures", () => {
  it.each([
    [429, "rate_limited"],
    [503, "not_ready"],
  ])("waits for a %i as long as it says", async (status, code) => {
    let tries = 0;
    const { outcome, asked } = await against(
      (_, response) => {
        tries += 1;
        if (tries === 1) refuse(response, status, code, { "Retry-After": "1" });
        else json(response, []);
      },
      ["blogs", "list"],
    );
    expect([outcome.code, asked.length, pauses]).toEqual([0, 2, [1000]]);
  });

  it("tells of the wait once, in a sentence", async () => {
    let tries = 0;
    const server = await answering((_, response) => {
      tries += 1;
      const limit = { code: "rate_limited", title: "Too many requests", detail: "See `Retry-After`." };
      if (tries > 2) json(response, []);
      else json(response, limit, 429, { "Retry-After": "5" });
    });
    const env = { EDGEPRESS_URL: server.url, EDGEPRESS_API_KEY: "k" };
    const { code, stderr } = await program.call(["blogs", "list"], { env });
    expect([code, stderr, tries]).toEqual([0, "Too many requests. Trying again in 5s.\n", 3]);
    expect(pauses).toEqual([5000, 5000]);
  });

  it("does not wait for hours: exit 7 says that it is a limit", async () => {
    const { outcome, asked } = await against(
      (_, response) => refuse(response, 429, "generation_limit", { "Retry-After": "80000" }),
      ["blogs", "list"],
    );
    expect([outcome.code, asked.length]).toEqual([7, 1]);
    expect(errorIn(outcome)).toMatchObject({ code: "generation_limit", exit: 7, status: 429, retryAfter: 80_000 });
  });

  it("does not repeat what no repetition would change", async () => {
    const { outcome, asked } = await against((_, response) => refuse(response, 500, "internal"), CREATE);
    expect([outcome.code, asked.length]).toEqual([1, 1]);
    expect(errorIn(outcome)).toMatchObject({ code: "internal", requestId: "r1" });
  });

  it.each([
    [400, "invalid_request", 2],
    [401, "credentials_invalid", 4],
    [403, "scope_missing", 4],
    [403, "blog_forbidden", 5],
    [404, "not_found", 5],
    [409, "slug_taken", 6],
    [412, "precondition_failed", 6],
    [418, "of_a_newer_service", 1],
    [409, "of_a_newer_service", 6],
  ])("a %i %s exits with %i", async (status, code, exit) => {
    const { outcome } = await against((_, response) => refuse(response, status, code), ["blogs", "list"]);
    expect(outcome.code).toBe(exit);
    expect(outcome.stdout).toBe("");
    expect(errorIn(outcome)).toMatchObject({ code, exit, status });
  });

  it.each([".", ".."])("a name like %s is found nowhere: in an address it would lead elsewhere", async (name) => {
    const { outcome, asked } = await against((_, response) => json(response, {}), ["articles", "get", name]);
    expect(errorIn(outcome)).toMatchObject({ code: "not_found", exit: 5 });
    expect(asked).toEqual([]);
  });

  it("reads what was cut off once more", async () => {
    let tries = 0;
    const { outcome } = await against(
      (_, response) => {
        tries += 1;
        if (tries > 1) return json(response, []);
        response.writeHead(200, { "Content-Length": 100 }).write("[");
        setTimeout(() => response.destroy(), 50);
      },
      ["blogs", "list"],
    );
    expect([outcome.code, tries]).toEqual([0, 2]);
  });

  it("takes a broken Location and a broken Link for what they are", async () => {
    const moved = await against((_, response) => void response.writeHead(302, { Location: "http://[" }).end(), CREATE);
    expect(errorIn(moved.outcome)).toMatchObject({ code: "redirected", message: expect.stringContaining("elsewhere") });
    const listed = await against(
      (_, response) => json(response, [], 200, { Link: '<http://[>; rel="next"' }),
      ["articles", "list", "--blog", BLOG],
    );
    expect(errorIn(listed.outcome)).toMatchObject({ code: "invalid_answer", exit: 1 });
  });

  it.each(["<html>", '{"half":', ""])("says that %j is no answer of an Edgepress server", async (body) => {
    const { outcome } = await against((_, response) => void response.end(body), ["blogs", "list"]);
    expect(errorIn(outcome)).toMatchObject({ code: "invalid_answer", exit: 1 });
  });
});

describe("another server", () => {
  it.each([
    [404, "<h1>Not found</h1>"],
    [404, '{"code":"rest_no_route","message":"No route was found.","data":{"status":404}}'],
    [401, '{"detail":"Not authenticated"}'],
    [403, ""],
  ])("that answers with %i and %j is not taken for the service", async (status, body) => {
    const { outcome, server } = await against((_, response) => void response.writeHead(status).end(body), CREATE);
    expect(errorIn(outcome)).toMatchObject({
      code: "invalid_answer",
      exit: 1,
      status,
      message: `${server.url} does not answer as an Edgepress server does.`,
      hint: expect.stringContaining(`answered with ${status}`),
    });
  });

  it("in front of the service may be busy, or not reach it", async () => {
    const gone = await against((_, response) => void response.writeHead(502).end("<h1>Bad gateway</h1>"), CREATE);
    expect(errorIn(gone.outcome)).toMatchObject({ code: "unexpected_answer", exit: 1, status: 502 });
    const busy = await against((_, response) => void response.writeHead(429).end("<h1>Later</h1>"), CREATE);
    expect(errorIn(busy.outcome)).toMatchObject({ exit: 7, status: 429 });
  });
});

describe("credentials", () => {
  it("do not follow a redirect", async () => {
    const other = await answering((_, response) => json(response, []));
    const { outcome } = await against(
      (_, response) => void response.writeHead(307, { Location: `${other.url}/api/blogs` }).end(),
      ["blogs", "list"],
    );
    expect(errorIn(outcome)).toMatchObject({ code: "redirected" });
    expect(other.asked).toEqual([]);
  });

  it("do not follow a Link header to another server", async () => {
    const other = await answering((_, response) => json(response, []));
    const { outcome, asked } = await against(
      ({ query }, response) => {
        const next = `<${other.url}/api/articles?cursor=second>; rel="next"`;
        json(response, [{ _id: BLOG }], 200, query.has("cursor") ? {} : { Link: next });
      },
      ["articles", "list", "--blog", BLOG, "--all"],
    );
    expect(resultIn(outcome)).toHaveLength(2);
    expect(asked.map(({ query }) => query.get("cursor"))).toEqual([null, "second"]);
    expect(other.asked).toEqual([]);
  });

  it("are never sent over plain http to another machine", async () => {
    for (const server of ["http://example.com", "http://10.0.0.1", "http://127.0.0.1.example.com", "http://[::2]"]) {
      const outcome = await program.call(["blogs", "list", "--json", "--server", server]);
      expect(errorIn(outcome), server).toMatchObject({ code: "insecure_server", exit: 2 });
    }
  });

  it.each(["nonsense", "ftp://127.0.0.1", "http://user:pass@127.0.0.1", "http://127.0.0.1/path"])(
    "an address like %s is refused",
    async (server) => {
      const outcome = await program.call(["blogs", "list", "--json", "--server", server]);
      expect(errorIn(outcome)).toMatchObject({ code: "usage", exit: 2 });
      expect(outcome.stderr).not.toContain("user:pass");
    },
  );

  it("stand in no message", async () => {
    const { outcome } = await against((_, response) => refuse(response, 500, "internal"), ["blogs", "list"]);
    expect(outcome.stdout + outcome.stderr).not.toContain("epk_of_the_test");
  });
});

describe("a credential that is refused", () => {
  const problem = {
    status: 401,
    code: "credentials_invalid",
    title: "The credentials are invalid",
    detail: "`Basic …`",
  };

  it.each([
    [{ EDGEPRESS_API_KEY: "k" }, ["blogs", "list"], "EDGEPRESS_API_KEY"],
    [{ EDGEPRESS_OPERATOR_TOKEN: "t" }, ["webhooks", "listen"], "EDGEPRESS_OPERATOR_TOKEN"],
  ])("is named: %j", async (env, args, named) => {
    const server = await answering((_, response) => json(response, problem, 401));
    const outcome = await program.call([...args, "--json"], { env: { ...env, EDGEPRESS_URL: server.url } });
    const { message, hint } = errorIn(outcome);
    expect([message, hint]).toEqual(["The credentials are invalid.", expect.stringContaining(named)]);
    expect(hint).not.toContain("login");
  });

  it("is missed where there is none", async () => {
    const missing = { ...problem, code: "credentials_missing", title: "Credentials are missing" };
    const server = await answering((_, response) => json(response, missing, 401));
    const outcome = await program.call(["blogs", "list", "--json", "--server", server.url]);
    expect(errorIn(outcome)).toMatchObject({
      message: "Credentials are missing.",
      hint: "Sign in with edgepress login, or set EDGEPRESS_API_KEY in scripts",
    });
  });
});

describe("texts of the service", () => {
  const EVIL = "a\u001b]0;owned\u0007\u009b31m\u202eb\r\nc";
  const blog = { _id: BLOG, name: EVIL, vanityId: "v", locales: ["en"], lastEditTime: "2026-01-01T00:00:00Z" };
  const caller = { name: EVIL, organization: { name: EVIL }, scopes: ["blogs:read"], expirationTime: null };
  const controls = (text: string) => text.replaceAll("\n", "").match(/[\p{Cc}\u202a-\u202e]/gu);

  it.each([["blogs list"], ["blogs list --json"], ["whoami"]])(
    "reach a terminal without controls: %s",
    async (line) => {
      const server = await answering(({ path }, response) => json(response, path === "/api/me" ? caller : [blog]));
      const env = { EDGEPRESS_URL: server.url, EDGEPRESS_API_KEY: "k" };
      const { stdout, code } = await program.call(line.split(" "), { env });
      expect([code, controls(stdout)]).toEqual([0, null]);
      expect(stdout).toContain("owned");
      if (line.includes("json")) expect(JSON.parse(stdout)).toEqual([blog]);
    },
  );

  it("are harmless in errors, too", async () => {
    const server = await answering((_, response) => json(response, { code: "x", detail: EVIL, status: 400 }, 400));
    for (const args of [[], ["--json"]]) {
      const { stderr } = await program.call(["blogs", "list", "--server", server.url, ...args]);
      expect(controls(stderr)).toBeNull();
      if (args.length > 0) expect(JSON.parse(stderr)).toMatchObject({ error: { message: EVIL } });
    }
  });
});
