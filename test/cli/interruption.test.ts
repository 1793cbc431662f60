/** Ctrl-C, SIGTERM and a closed terminal, while the program waits for something that does not come. */
import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { openContext } from "../../packages/cli/context.ts";
import type { Output } from "../../packages/cli/output.ts";
import { WAIT } from "../e2e/local-run.ts";
import { authorizationServer, opened } from "./authorization-server.ts";
import type { Command } from "./inside.ts";
import { errorIn, useProgram, type CallOptions, type Outcome, type RunOptions } from "./program.ts";
import { answering, json } from "./scripted-server.ts";

const program = useProgram();
const BLOG = "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";

/** Far below what any of the waits would take that are broken off here. */
const AT_ONCE = { timeout: 20_000 };

/** Runs the program as a process until `reached`, then sends it one signal; what it ends with by itself. */
async function ended(
  signal: NodeJS.Signals,
  args: readonly string[],
  { reached, ...options }: RunOptions & { reached: Promise<unknown> },
): Promise<Outcome> {
  let pid = 0;
  const running = program.run(args, { ...options, onStart: (child) => void (pid = child.pid ?? 0) });
  await reached;
  process.kill(pid, signal);
  return running;
}

/** Runs a command without a process until `reached`, then does what it does at Ctrl-C; what it ends with by itself. */
async function interrupted(
  args: readonly string[],
  { reached, ...options }: CallOptions & { reached: Promise<unknown> },
): Promise<Outcome> {
  let command: Command | undefined;
  const running = program.call(args, { ...options, onStart: (started) => void (command = started) });
  await reached;
  command?.kill("SIGINT");
  return running;
}

describe("a sign-in ends at once", AT_ONCE, () => {
  const args = (url: string) => ["login", "--no-browser", "--json", "--server", url];
  const env = () => ({ XDG_CONFIG_HOME: program.folder() });

  it.each(["SIGINT", "SIGTERM"] as const)("on %s while the browser is waited for", async (signal) => {
    const server = await authorizationServer();
    const reached = Promise.withResolvers<void>();
    // The listener below shows as a process what a closed terminal does.
    const asked = ["login", "--no-browser", "--server", server.url];
    const end = signal === "SIGTERM" ? ended.bind(null, signal) : interrupted;
    const outcome = await end(asked, {
      env: env(),
      reached: reached.promise,
      onOutput: ({ stderr }) => opened(stderr) !== null && reached.resolve(),
    });
    expect([outcome.code, outcome.stderr]).toEqual([130, expect.stringContaining("Interrupted.")]);
  });

  it("while the server's metadata is waited for", async () => {
    const reached = Promise.withResolvers<void>();
    const server = await answering(() => reached.resolve());
    const outcome = await interrupted(args(server.url), { env: env(), reached: reached.promise });
    expect(errorIn(outcome)).toMatchObject({ code: "interrupted", exit: 130 });
  });

  it("while half of the metadata is there", async () => {
    const reached = Promise.withResolvers<void>();
    const server = await answering((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).write('{"issuer":');
      reached.resolve();
    });
    const outcome = await interrupted(args(server.url), { env: env(), reached: reached.promise });
    expect(errorIn(outcome)).toMatchObject({ code: "interrupted", exit: 130 });
  });

  it("while the code is exchanged", async () => {
    const reached = Promise.withResolvers<null>();
    const server = await authorizationServer({
      token() {
        reached.resolve(null);
        return new Promise<null>(() => undefined);
      },
    });
    let begun = false;
    const outcome = await interrupted(["login", "--no-browser", "--server", server.url], {
      env: env(),
      reached: reached.promise,
      onOutput({ stderr }) {
        const shown = opened(stderr);
        if (shown === null || begun) return;
        begun = true;
        const state = shown.asked.get("state") ?? "";
        void shown.comeBack({ code: "the-code", state, iss: server.url }).catch(() => undefined);
      },
    });
    expect([outcome.code, outcome.stderr]).toEqual([130, expect.stringContaining("Interrupted.")]);
  });
});

describe("Ctrl-C", AT_ONCE, () => {
  const credentials = (url: string) => ({ EDGEPRESS_URL: url, EDGEPRESS_API_KEY: "k" });

  it.each([200, 500])("while half of an answer with %i is there is no failure of the server", async (status) => {
    const reached = Promise.withResolvers<void>();
    const server = await answering((_, response) => {
      response.writeHead(status, { "Content-Type": "application/json" }).write("[");
      reached.resolve();
    });
    // The client reads on a moment after the server has written.
    const half = reached.promise.then(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const outcome = await interrupted(["blogs", "list", "--json"], { env: credentials(server.url), reached: half });
    expect(errorIn(outcome)).toMatchObject({ code: "interrupted", exit: 130 });
    expect(server.asked).toHaveLength(1);
  });

  it("in a generation says that its article may be there, and how to look", async () => {
    const reached = Promise.withResolvers<void>();
    const server = await answering((_, response) => {
      response
        .writeHead(200, { "Content-Type": "text/event-stream" })
        .write('event: step\ndata: {"step":"checks"}\n\n');
      reached.resolve();
    });
    const args = ["articles", "generate", "--blog", BLOG, "--topic", "Ferries", "--json"];
    const outcome = await interrupted(args, { env: credentials(server.url), reached: reached.promise });
    const hint = expect.stringContaining(`edgepress articles list --drafts --blog ${BLOG}`);
    expect(errorIn(outcome)).toMatchObject({ code: "interrupted", exit: 130, hint });
  });
});

it("a listener whose terminal is closed unsubscribes", AT_ONCE, async () => {
  const server = await answering((_, response) => json(response, { _id: BLOG, secret: "whsec_of_the_test" }));
  let closed = false;
  const { code } = await program.run(["webhooks", "listen"], {
    env: { EDGEPRESS_URL: server.url, EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" },
    onOutput({ stderr }, child) {
      if (closed || !stderr.includes("Listening at")) return;
      closed = true;
      // The shell and the system tell of it, each of them.
      for (let times = 0; times < 2; times++) child.kill("SIGHUP");
    },
  });
  expect(code).toBe(130);
  expect(server.asked.map(({ method }) => method)).toEqual(["POST", "DELETE"]);
});

describe("the question before something is deleted", () => {
  it.each([
    ["n", { code: "declined", message: "Not deleted.", exit: 1 }],
    ["\u0003", { code: "interrupted", exit: 130 }],
  ])("answered with %j", async (key, expected) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
    const context = openContext({
      version: "1.0.0",
      env: { XDG_CONFIG_HOME: program.folder() },
      stdin: stdin as unknown as NodeJS.ReadStream,
      output: { interactive: true, warn: () => undefined } as unknown as Output,
      signal: new AbortController().signal,
      options: () => ({}),
    });
    const asked = context.confirm("Delete it for good?", false);
    const refused = expect(asked).rejects.toMatchObject(expected);
    // The question is there once somebody listens to keys.
    await vi.waitFor(() => expect(stdin.listenerCount("keypress")).toBeGreaterThan(0), WAIT);
    stdin.write(key);
    await refused;
  });
});
