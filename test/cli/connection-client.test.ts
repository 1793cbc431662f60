/** How long the client tries: credentials that end meanwhile, and calls that are still running. */
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient, type ClientOptions } from "../../packages/cli/client.ts";
import { addGenerate } from "../../packages/cli/commands/generate.ts";
import type { Context } from "../../packages/cli/context.ts";
import type { CliError } from "../../packages/cli/failure.ts";
import { refresh } from "../../packages/cli/sign-in/oauth.ts";
import { authorizationServer } from "./authorization-server.ts";
import { answering, json, refuse, type Handler } from "./scripted-server.ts";

/** Pauses take no time here, and the clock goes on by them. */
const paused = vi.hoisted(() => vi.fn<(seconds: number) => void>());
vi.mock("node:timers/promises", () => ({
  async setTimeout(ms: number, _: unknown, { signal }: { signal: AbortSignal }) {
    paused(ms / 1000);
    vi.setSystemTime(Date.now() + ms);
    signal.throwIfAborted();
  },
}));

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  paused.mockReset();
});

const SIGN_IN = { accessToken: "a", refreshToken: "refresh-1", expires: null, scopes: [], since: "2026-01-01" };

/** Credentials that give another header each time they are asked. */
function changing(renewed: string | null = null) {
  let serial = 0;
  return { header: vi.fn(async () => `Bearer ${++serial}`), renew: vi.fn(async () => renewed) };
}

async function client(handler: Handler, options: Partial<ClientOptions> = {}) {
  const server = await answering(handler);
  const onWait = vi.fn();
  const open = (more: Partial<ClientOptions> = {}) => {
    const { signal } = new AbortController();
    const fixed = { server: server.url, version: "1.0.0", onWait };
    return createClient({ ...fixed, authorizer: changing(), signal, ...options, ...more });
  };
  const opened = open();
  const write = (idempotencyKey?: string) => opened.request("POST /api/articles", { body: {}, idempotencyKey });
  const failed = () =>
    write().then(
      () => null,
      (error: CliError) => error,
    );
  const headers = () => server.asked.map((each) => each.headers.authorization);
  return { ...server, open, write, failed, headers, onWait };
}

type Service = Awaited<ReturnType<typeof client>>;

/** A service whose earlier call under the key runs for so many seconds. */
function runningFor(seconds: number, answer: Handler): Handler {
  const end = Date.now() + seconds * 1000;
  return (asked, response) =>
    Date.now() < end
      ? refuse(response, 409, "idempotency_in_progress", { "Retry-After": "1" })
      : answer(asked, response);
}

describe("a token that ends", () => {
  const unauthorized: Handler = (_, response) => refuse(response, 401, "credentials_invalid");

  it.each<[string, Handler]>([
    ["the connection broke", (_, response) => void response.destroy()],
    ["the service was busy", (_, response) => refuse(response, 503, "not_ready", { "Retry-After": "1" })],
  ])("is renewed also after %s", async (_, first) => {
    const answers: Handler[] = [first, unauthorized, (__, response) => json(response, {})];
    const { write, headers } = await client((asked, response) => answers.shift()?.(asked, response), {
      authorizer: changing("Bearer renewed"),
    });
    await write();
    expect(headers()).toEqual(["Bearer 1", "Bearer 2", "Bearer renewed"]);
  });

  it("is renewed once for a call, and refused after that", async () => {
    const authorizer = changing("Bearer renewed");
    const { failed, headers } = await client(unauthorized, { authorizer });
    expect(await failed()).toMatchObject({ code: "credentials_invalid", exit: 4 });
    expect(headers()).toEqual(["Bearer 1", "Bearer renewed"]);
  });

  it("that lacks a scope is told how to get it", async () => {
    const problem = { status: 403, code: "scope_missing", detail: "This needs the scope contacts:read." };
    const lacking: Handler = (_, response) =>
      json(response, problem, 403, { "Content-Type": "application/problem+json" });
    const { failed } = await client(lacking, { authorizer: changing() });
    const hint = expect.stringContaining("edgepress login --scopes contacts:read,");
    expect(await failed()).toMatchObject({ code: "scope_missing", details: { hint } });
  });

  it("does not end a call where it cannot be renewed in a pause: what the service says of it counts", async () => {
    const authorizer = changing();
    const answers = [503, 200];
    const { write, headers } = await client(
      (_, response) => {
        authorizer.header.mockRejectedValue(new Error("away"));
        const status = answers.shift() ?? 200;
        json(response, {}, status, { "Retry-After": "1" });
      },
      { authorizer },
    );
    await write();
    expect(headers()).toEqual(["Bearer 1", "Bearer 1"]);
  });

  it("is renewed by requests that take less together than others wait for the lock, and believe it", async () => {
    const server = await authorizationServer();
    server.state.refreshToken = SIGN_IN.refreshToken;
    const granted: number[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      granted.push(ms);
      return new AbortController().signal;
    });
    expect(await refresh(server.url, SIGN_IN, new Date())).toMatchObject({ refreshToken: "refresh-1" });
    expect(granted).toHaveLength(2);
    expect(granted.reduce((sum, ms) => sum + ms)).toBeLessThan(45_000);
  });
});

describe("a call whose key is still held by an earlier one", () => {
  it("is repeated until that one has ended, or has been dead for a minute", async () => {
    const once = runningFor(61, (_, response) => json(response, { title: "Once" }));
    const { write, asked, onWait } = await client(once);
    expect((await write()).value).toEqual({ title: "Once" });
    expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    const told = paused.mock.calls.flat();
    expect([told[0], Math.max(...told), told.toSorted((one, other) => one - other)]).toEqual([1, 5, told]);
    expect(onWait.mock.calls).toEqual([[5, "This is idempotency_in_progress."]]);
  });

  it("is given up where that one runs for longer", async () => {
    const began = Date.now();
    const { failed } = await client(runningFor(600, (_, response) => json(response, {})));
    expect(await failed()).toMatchObject({ code: "idempotency_in_progress", exit: 6 });
    expect(Date.now() - began).toBeGreaterThan(65_000);
    expect(Date.now() - began).toBeLessThan(90_000);
  });

  it("is given up on Ctrl-C", async () => {
    const controller = new AbortController();
    paused.mockImplementation(() => void (paused.mock.calls.length === 3 && controller.abort()));
    const { failed, asked } = await client(
      (_, response) => refuse(response, 409, "idempotency_in_progress", { "Retry-After": "1" }),
      // Also where the answer of what is sent would be waited for.
      { signal: controller.signal, finishes: true },
    );
    expect(await failed()).toMatchObject({ code: "interrupted" });
    expect(asked).toHaveLength(3);
  });

  it("still counts its other failures", async () => {
    const { failed, asked } = await client((_, response) => void response.destroy());
    expect(await failed()).toMatchObject({ code: "unreachable" });
    expect(asked).toHaveLength(6);
  });
});

describe("an address that takes no connection", () => {
  /** As Node's fetch fails after ten seconds of connecting. */
  const unconnected = () =>
    Promise.reject(
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("Connect Timeout Error"), { code: "UND_ERR_CONNECT_TIMEOUT" }),
      }),
    );

  it("is tried twice, and the person hears of it after the first try", async () => {
    const { failed, url, onWait } = await client((_, response) => json(response, {}));
    const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(unconnected);
    const message = `${url} cannot be reached: it does not answer.`;
    expect(await failed()).toMatchObject({ code: "unreachable", exit: 1, message });
    expect(fetching).toHaveBeenCalledTimes(2);
    expect(onWait.mock.calls).toEqual([[0.25, message]]);
  });

  it("is tried again under the same key", async () => {
    const { write, asked, onWait } = await client((_, response) => json(response, { title: "Once" }));
    const fetching = vi.spyOn(globalThis, "fetch").mockImplementationOnce(unconnected);
    expect((await write("k")).value).toEqual({ title: "Once" });
    expect(fetching.mock.calls.map(([, init]) => new Headers(init?.headers).get("Idempotency-Key"))).toEqual([
      "k",
      "k",
    ]);
    expect([asked.length, onWait.mock.calls.length]).toEqual([1, 1]);
  });

  it("ends a generation, which has not begun", async () => {
    const service = await client((_, response) => json(response, {}));
    const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(unconnected);
    const said: string[] = [];
    expect(await generated(service, { note: (text: string) => said.push(text) })).toMatchObject({
      code: "unreachable",
    });
    expect([fetching.mock.calls.length, said]).toEqual([2, []]);
  });
});

/** Runs `generate`; what it fails with. */
async function generated(service: Service, output: object, advance: () => void = () => undefined): Promise<unknown> {
  const progress = { say: () => undefined, advance, end: () => undefined };
  const context = {
    output: { progress: () => progress, ...output },
    client: async (options: Partial<ClientOptions>) => service.open(options),
    server: async () => service.url,
    signal: new AbortController().signal,
    blog: async () => "b",
  };
  const program = new Command();
  addGenerate(program, context as unknown as Context);
  return program.parseAsync(["articles", "generate", "--topic", "Ferries"], { from: "user" }).then(
    () => null,
    (error: unknown) => error,
  );
}

it("a generation that goes on after its connection broke is waited for as long as one may take", async () => {
  const result = { article: { title: "Ferries", slug: "f", locale: "en", _id: "1", published: false } };
  const metadata = { wordCount: 1, model: "m", checks: [], degradations: [] };
  const goesOn = runningFor(600, (_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(`event: result\ndata: ${JSON.stringify({ ...result, metadata })}\n\n`);
  });
  let begun = false;
  const service = await client((asked, response) => {
    if (begun) return goesOn(asked, response);
    begun = true;
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write('event: step\ndata: {"step":"outline"}\n\n');
    setTimeout(() => response.destroy(), 50);
  });
  const shown: unknown[] = [];
  const output = { note: () => undefined, result: (value: unknown) => shown.push(value) };
  expect(await generated(service, output)).toBeNull();
  expect(shown).toMatchObject([result]);
});

it("a generation counts what the service counts, in whole calls of the model", async () => {
  const steps = [
    { step: "outline", done: 0, total: 5 },
    { step: "section", section: 1, of: 2, done: 1, total: 6 },
    { step: "section", section: 1, of: 2, done: 1.4, total: 6 },
    { step: "section", section: 2, of: 2, done: 2, total: 6 },
    { step: "stored", done: 6, total: 6 },
  ];
  const events = steps.map((step) => `event: step\ndata: ${JSON.stringify(step)}\n\n`);
  const service = await client((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end(
      `${events.join("")}event: result\ndata: {"article":{},"metadata":{"checks":[],"degradations":[]}}\n\n`,
    );
  });
  const advance = vi.fn();
  expect(await generated(service, { result: () => undefined }, advance)).toBeNull();
  const counted = [
    [0, 5],
    [1, 6],
    [0, 6],
    [1, 6],
    [4, 6],
  ];
  expect(advance.mock.calls).toEqual(counted);
});

it.each([true, false])("a refusal says whether it is one that was given before: %s", async (replayed) => {
  const headers = replayed ? { "Idempotent-Replayed": "true" } : undefined;
  const { failed } = await client((_, response) => refuse(response, 409, "slug_taken", headers));
  expect(await failed()).toMatchObject({ code: "slug_taken", details: { replayed } });
});
