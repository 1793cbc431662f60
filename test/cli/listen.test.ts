/** `webhooks listen`: its subscription where the service is slow or busy, and what it forwards. */
import { createHmac } from "node:crypto";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient, type ClientOptions } from "../../packages/cli/client.ts";
import { addWebhookCommands } from "../../packages/cli/commands/webhooks.ts";
import type { Context } from "../../packages/cli/context.ts";
import { interruptedError } from "../../packages/cli/failure.ts";
import { answering, json, refuse, type Handler } from "./scripted-server.ts";

/** Pauses take no time here, and timeouts end by them. */
const clock = vi.hoisted(() => {
  let timeouts: { left: number; end: () => void }[] = [];
  return {
    duringPause: () => {},
    timeout(ms: number): AbortSignal {
      const controller = new AbortController();
      const end = () => controller.abort(new DOMException("Too late.", "TimeoutError"));
      timeouts.push({ left: ms, end });
      return controller.signal;
    },
    advance(ms: number): void {
      for (const timeout of timeouts) timeout.left -= ms;
      for (const { left, end } of timeouts) if (left <= 0) end();
    },
    clear: () => void (timeouts = []),
  };
});

vi.mock("node:timers/promises", () => ({
  async setTimeout(ms: number, _: unknown, { signal }: { signal: AbortSignal }) {
    clock.duringPause();
    signal.throwIfAborted();
    clock.advance(ms);
  },
}));

beforeEach(() => void vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => clock.timeout(ms)));
afterEach(() => {
  clock.duringPause = () => {};
  clock.clear();
  vi.restoreAllMocks();
});

const ID = "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";
const SECRET = "whsec_of_the_test";
const TOKEN = { EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" };
const OWN_SECRET = { EDGEPRESS_WEBHOOK_SECRET: SECRET };

/** Listens; `ended` is what it ends with, `listening` where it does, as soon as it does. */
function listen(server: string, env: Record<string, string>, ...args: string[]) {
  const controller = new AbortController();
  const listening = Promise.withResolvers<string>();
  const said: string[] = [];
  const shown: string[] = [];
  const output = {
    json: true,
    line(value: { listening?: string; event?: string }, text: () => string) {
      if (value.listening !== undefined) listening.resolve(value.listening);
      else shown.push(`${value.event}: ${text()}`);
    },
    note: (text: string) => said.push(text),
    warn: (text: string) => said.push(text),
    paint: (_: string, text: string) => text,
  };
  const context = {
    output,
    env,
    signal: controller.signal,
    version: "1.0.0",
    now: () => new Date(),
    onWait: (seconds: number) => said.push(`waits ${seconds}`),
    server: async () => server,
    client: async (more: Pick<ClientOptions, "authorizer">) =>
      createClient({
        server,
        version: "1.0.0",
        signal: controller.signal,
        onWait: (seconds) => said.push(`waits ${seconds}`),
        ...more,
      }),
  } as unknown as Context;
  const program = new Command().exitOverride();
  addWebhookCommands(program, context);
  const ended = program.parseAsync(["webhooks", "listen", ...args], { from: "user" }).then(
    () => null,
    (error: unknown) => error,
  );
  return { ended, listening: listening.promise, said, shown, interrupt: () => controller.abort(interruptedError()) };
}

const busy: Handler = (_, response) => refuse(response, 429, "rate_limited", { "Retry-After": "60" });
const subscribed: Handler = (_, response) => json(response, { _id: ID, secret: SECRET });
const broken: Handler = (_, response) => void response.destroy();

/** A service that answers so, one request after another. */
const inTurn = (...handlers: readonly Handler[]) => {
  const rest = [...handlers];
  return answering((asked, response) => rest.shift()?.(asked, response));
};

describe("a subscription", () => {
  it("that the service never answers is a timeout: nobody has interrupted it", async () => {
    const { url } = await answering(() => clock.advance(60_000));
    const { ended, said } = listen(url, TOKEN);
    expect(await ended).toMatchObject({ code: "timeout", exit: 1 });
    expect(said).toEqual(["waits 0.25"]);
  });

  it("is waited for, and its end too, for as long as a busy service asks", async () => {
    const { url, asked } = await inTurn(busy, subscribed, busy, subscribed);
    const { ended, listening, said, interrupt } = listen(url, TOKEN);
    await listening;
    interrupt();
    expect(await ended).toMatchObject({ code: "interrupted", exit: 130 });
    expect(asked.map(({ method }) => method)).toEqual(["POST", "POST", "DELETE", "DELETE"]);
    expect(said).toEqual(["waits 60", "waits 60", "Unsubscribed."]);
  });

  it("that cannot be ended is named, with the reason", async () => {
    const { url } = await inTurn(subscribed, (_, response) => refuse(response, 500, "internal"));
    const { ended, listening, said, interrupt } = listen(url, TOKEN);
    await listening;
    interrupt();
    await ended;
    expect(said).toEqual([`The subscription ${ID} could not be deleted: This is internal.`]);
  });

  it("does not stay behind where Ctrl-C comes after its answer was lost", async () => {
    const { url, asked } = await inTurn(broken, subscribed, subscribed);
    const { ended, interrupt } = listen(url, TOKEN);
    clock.duringPause = interrupt;
    expect(await ended).toMatchObject({ code: "interrupted", exit: 130 });
    expect(asked.map(({ method }) => method)).toEqual(["POST", "POST", "DELETE"]);
    expect(new Set(asked.slice(0, 2).map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it("is given up on Ctrl-C where the service has no time for it", async () => {
    const { url, asked } = await inTurn(busy, busy, subscribed);
    const { ended, interrupt } = listen(url, TOKEN);
    clock.duringPause = interrupt;
    expect(await ended).toMatchObject({ code: "interrupted", exit: 130 });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["--blog, --events", OWN_SECRET, ["--blog", "b", "--events", "article.created"], "unset EDGEPRESS_WEBHOOK_SECRET"],
    ["--url", TOKEN, ["--url", "https://x.example/webhooks", "--secret", SECRET], "leave out --secret"],
  ])("is not asked for with %s where there is one", async (named, env, args, remedy) => {
    const { ended } = listen("http://127.0.0.1:1", env, ...args);
    expect(await ended).toMatchObject({
      code: "usage",
      exit: 2,
      message: expect.stringContaining(named),
      details: { hint: expect.stringContaining(remedy) },
    });
  });
});

describe("a delivery that is forwarded", () => {
  const BODY = '{"event":"article.created"}';

  /** What arrives at the address to forward to, given what the service sends. */
  async function arriving(given: Record<string, string>) {
    const target = await answering((_, response) => void response.writeHead(204).end());
    const { listening, interrupt, ended, shown } = listen("http://127.0.0.1:1", OWN_SECRET, "--forward", target.url);
    const time = Math.floor(Date.now() / 1000);
    const signature = `t=${time},v1=${createHmac("sha256", SECRET).update(`${time}.${BODY}`).digest("hex")}`;
    const headers = { ...given, "X-Service-Signature": signature };
    const response = await fetch(await listening, { method: "POST", headers, body: BODY });
    interrupt();
    await ended;
    expect(response.status).toBe(204);
    const [arrived] = target.asked;
    return { arrived: arrived?.headers, body: arrived?.body, signature, shown };
  }

  it("has all headers that the service has given it, and no others", async () => {
    const { arrived, body, signature } = await arriving({
      "Content-Type": "application/json",
      "X-Service-Event": "article.created",
      "X-Service-Delivery": "d1",
      "X-Service-Later": "of a newer service",
      "X-Forwarded-For": "192.0.2.1",
    });
    expect(arrived).toMatchObject({
      "content-type": "application/json",
      "x-service-event": "article.created",
      "x-service-delivery": "d1",
      "x-service-later": "of a newer service",
      "x-service-signature": signature,
    });
    expect(arrived).not.toHaveProperty("x-forwarded-for");
    expect(body).toBe(BODY);
  });

  it("has none that is not there", async () => {
    expect((await arriving({})).arrived).not.toHaveProperty("x-service-event");
  });

  it("is of the event that is signed, whatever a header says that somebody else has added", async () => {
    const { arrived, shown } = await arriving({ "X-Service-Event": "contact.created", "X-Service-Delivery": "d1" });
    expect(arrived).toMatchObject({ "x-service-delivery": "d1" });
    expect(arrived).not.toHaveProperty("x-service-event");
    expect(shown).toEqual([expect.stringMatching(/^article\.created: .* article\.created /)]);
    expect(shown.join()).not.toContain("contact.created");
  });
});
