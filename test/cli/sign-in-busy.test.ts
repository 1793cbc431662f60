/** Sign-ins at an authorization server that is too busy for them, or broken: neither means that a sign-in is over. */
import { readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { authorizationServer, opened } from "./authorization-server.ts";
import { interruptOnce } from "./ctrl-c.ts";
import { useCutPauses } from "./pauses.ts";
import { errorIn, resultIn, useProgram } from "./program.ts";
import { json } from "./scripted-server.ts";

const program = useProgram();
const pauses = useCutPauses();

type Refusal = (response: ServerResponse) => void;

/** As src/oauth refuses, with a time that is short or long. */
const busy =
  (status: number, seconds: number): Refusal =>
  (response) =>
    json(response, { error: "temporarily_unavailable", code: "rate_limited" }, status, {
      "Retry-After": String(seconds),
    });

const brokenGateway: Refusal = (response) =>
  void response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");

/** A server that refuses requests to a path as they are put into `refusals`, one after another. */
async function server() {
  const refusals = new Map<string, Refusal[]>();
  const started = await authorizationServer({
    first(path, response) {
      const refusal = refusals.get(path)?.shift();
      refusal?.(response);
      return refusal !== undefined;
    },
  });
  return { ...started, refusals };
}

type Server = Awaited<ReturnType<typeof server>>;

/** Signs in through a browser that does what it is told. */
async function login({ url, state }: Server, home = program.folder()) {
  let begun = false;
  const outcome = await program.call(["login", "--no-browser", "--server", url], {
    env: { XDG_CONFIG_HOME: home },
    async onOutput({ stderr }) {
      const shown = opened(stderr);
      if (shown === null || begun) return;
      begun = true;
      state.challenge = shown.asked.get("code_challenge") ?? "";
      await shown.comeBack({ code: "the-code", state: shown.asked.get("state") ?? "", iss: url });
    },
  });
  return { ...outcome, home, file: path.join(home, "edgepress/credentials.json") };
}

/** Somebody who signed in long ago. */
async function expired(server: Server) {
  const { file, home } = await login(server);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/"expires": "[^"]*"/, '"expires": "2020-01-01T00:00:00.000Z"'));
  return { file, env: { XDG_CONFIG_HOME: home } };
}

describe("a renewal", () => {
  it.each([429, 503])("is waited for after a %i, as any call is", async (status) => {
    const at = await server();
    const { env } = await expired(at);
    at.refusals.set("/token", [busy(status, 1)]);
    const outcome = await program.call(["blogs", "list", "--json", "--server", at.url], { env });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(pauses).toEqual([1000]);
    expect(at.state.refreshToken).toBe("refresh-2");
  });

  it("is waited for, too, where the service has refused the token", async () => {
    const at = await server();
    const { home } = await login(at);
    const unauthorized: Refusal = (response) => json(response, { code: "credentials_invalid" }, 401);
    at.refusals.set("/api/blogs", [unauthorized, unauthorized]).set("/token", [busy(429, 1)]);
    const env = { XDG_CONFIG_HOME: home };
    const outcome = await program.call(["blogs", "list", "--json", "--server", at.url], { env });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(pauses).toEqual([1000]);
  });

  it.each([
    ["a limit, for which nobody waits for hours", "/token", busy(429, 80_000), 7, "rate_limited", 429],
    ["the same in other words", "/token", busy(503, 80_000), 7, "rate_limited", 503],
    ["a limit before that", "/.well-known/oauth-authorization-server", busy(429, 80_000), 7, "rate_limited", 429],
    ["a gateway's page", "/token", brokenGateway, 1, "unexpected_answer", 502],
  ])("that meets %s fails by that, and the sign-in stays", async (_, path, refusal, exit, code, status) => {
    const at = await server();
    const { env, file } = await expired(at);
    const before = readFileSync(file, "utf8");
    at.refusals.set(path, [refusal]);
    const outcome = await program.call(["blogs", "list", "--json", "--server", at.url], { env });
    expect(errorIn(outcome)).toMatchObject({ code, exit, status });
    if (code === "rate_limited") expect(errorIn(outcome)).toMatchObject({ retryAfter: 80_000 });
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

it("a sign-in waits for a busy server, before the browser and after it", async () => {
  const at = await server();
  at.refusals.set("/.well-known/oauth-authorization-server", [busy(429, 1)]).set("/token", [busy(429, 1)]);
  expect(await login(at)).toMatchObject({ code: 0 });
  expect(pauses).toEqual([1000, 1000]);
});

it("so does its end", async () => {
  const at = await server();
  const { home } = await login(at);
  at.refusals.set("/revoke", [busy(503, 1)]);
  const outcome = await program.call(["logout", "--json"], { env: { XDG_CONFIG_HOME: home } });
  expect(resultIn(outcome)).toMatchObject({ signedOut: true, revoked: true });
  expect(pauses).toEqual([1000]);
});

it("what a program has to open for a sign-in is one JSON object on the first line, also with --quiet", async () => {
  const at = await server();
  const { code, stderr } = await program.call(["login", "--no-browser", "--json", "--quiet", "--server", at.url], {
    env: { XDG_CONFIG_HOME: program.folder() },
    onOutput: interruptOnce(({ stderr }) => stderr.endsWith("}\n")),
  });
  const [first = "", second = "", ...more] = stderr.trim().split("\n");
  expect(JSON.parse(first)).toEqual({ authorizationUrl: expect.stringContaining(`${at.url}/authorize?`) });
  expect(JSON.parse(second)).toMatchObject({ error: { code: "interrupted" } });
  expect([code, more]).toEqual([130, []]);
});
