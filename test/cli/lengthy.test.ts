/** Commands that take their time: what they tell meanwhile, and what Ctrl-C leaves. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { cleanUp, receive, WAIT } from "../e2e/local-run.ts";
import { sharedRun } from "../e2e/shared.ts";
import type { Seen } from "../helpers/model-server.ts";
import { interruptOnce } from "./ctrl-c.ts";
import { errorIn, resultIn, useProgram, type CallOptions, type RunOptions } from "./program.ts";

const program = useProgram();
const { local, models } = await sharedRun();
/** The file's own, in which nobody else writes. */
const BLOG = "lengthy";

beforeAll(async () => {
  expect((await edgepress(["blogs", "create", "Lengthy", "--vanity-id", BLOG])).code).toBe(0);
});
afterAll(cleanUp);

const env = { EDGEPRESS_URL: local.baseUrl, EDGEPRESS_API_KEY: local.apiKey };
const edgepress = (args: string[], options: CallOptions = {}) =>
  program.call(args, { ...options, env: { ...env, ...options.env } });
/** As a process of its own: for signals and pipes. */
const start = (args: string[], options: RunOptions = {}) =>
  program.run(args, { ...options, env: { ...env, ...options.env } });

const articles = async () =>
  resultIn(await edgepress(["articles", "list", "--blog", BLOG, "--all", "--json"])) as object[];

/** Keeps the model from answering; again, it answers what it was kept from, and nothing after that. */
const hold = () => fetch(`${models}/_hold/shared`, { method: "POST" });
const release = () => fetch(`${models}/_release/shared`, { method: "POST" });
const TOPIC = "Ferries at night";
/** What this file has asked of the model: others share it. */
const asked = async () =>
  ((await (await fetch(`${models}/_seen/shared`)).json()) as Seen[]).filter(({ body }) => body.includes(TOPIC));

const GENERATE = ["articles", "generate", "--blog", BLOG, "--topic", TOPIC, "--words", "300"];

describe("articles generate", () => {
  it("reports its steps on standard error, and answers with a draft", async () => {
    const { code, stdout, stderr } = await edgepress([...GENERATE]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/Writing .*outline[^]*section 1 of \d[^]*description[^]*checks/);
    expect(stderr).not.toContain("\u001b");
    expect(stdout).toMatch(/^Wrote “.*”[^]*draft, \d+ words by of-the-test\./);
  });

  it("tells nothing with --quiet, and one JSON value with --json", async () => {
    expect((await edgepress([...GENERATE, "--quiet"])).stderr).toBe("");
    const outcome = await edgepress([...GENERATE, "--json", "--published"]);
    expect(outcome.stderr).toBe("");
    expect(resultIn(outcome)).toMatchObject({ article: { published: true }, metadata: { model: "of-the-test" } });
  });

  it("ends with 130 on Ctrl-C, and nothing is stored", async () => {
    const before = { articles: await articles(), asked: (await asked()).length };
    const since = async () => (await asked()).slice(before.asked);
    onTestFinished(async () => void (await release()));
    await hold();
    const running = start([...GENERATE], { onOutput: interruptOnce(({ stderr }) => stderr.includes("section 1")) });
    await vi.waitFor(async () => expect(await since()).toHaveLength(1), WAIT);
    await hold();
    const outcome = await running;
    expect(outcome.code).toBe(130);
    expect(outcome.stderr).toContain("Interrupted.");
    // The service has given up what was under way: the next one begins at once, and is the only one that is stored.
    await vi.waitFor(async () => expect((await since()).at(-1)).toMatchObject({ answered: false, gone: true }), WAIT);
    await release();
    expect((await edgepress([...GENERATE])).code).toBe(0);
    expect(await articles()).toHaveLength(before.articles.length + 1);
  });

  it("of something that is not there is refused before it begins", async () => {
    const missing = ["articles", "generate", "--topic-id", "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", "--json"];
    expect(errorIn(await edgepress(missing))).toMatchObject({ code: "not_found", exit: 5 });
  });
});

describe("topics refresh", () => {
  it("waits until all sources are read, and says what came of it", async () => {
    const { code, stdout, stderr } = await edgepress(["topics", "refresh", "--blog", "field-notes"]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain("Reading sources");
    expect(stdout).toMatch(/^SOURCE +STATE[^]*read[^]*new ideas? from 1 source\.\n$/);
  });

  it("does not wait with --no-wait", async () => {
    const begun = await edgepress(["topics", "refresh", "--blog", "field-notes", "--no-wait", "--json"]);
    expect(resultIn(begun)).toMatchObject({ _id: expect.any(String), state: expect.any(String) });
  });

  it("says how a blog comes to have sources", async () => {
    const outcome = await edgepress(["topics", "refresh", "--blog", "edge-engineering", "--json"]);
    expect(errorIn(outcome)).toMatchObject({
      code: "no_topic_sources",
      exit: 6,
      hint: expect.stringContaining("--topic-sources"),
    });
  });
});

/** Posts as the service does; the answer's status. */
async function deliver(url: string, body: string, signature: string | undefined): Promise<number> {
  const headers = { "X-Service-Event": "article.created", ...(signature && { "X-Service-Signature": signature }) };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

describe("webhooks listen", () => {
  /** Returns those to articles alone: other files subscribe to other events meanwhile. */
  const subscriptions = async () => {
    const headers = { Authorization: `Token ${local.operatorToken}` };
    const response = await fetch(`${local.baseUrl}/api/webhooksubscriptions`, { headers });
    const all = (await response.json()) as { url: string; events: string[] }[];
    return all.filter(({ events }) => events.join() === "article.created");
  };

  it("subscribes, verifies, prints, passes on, and unsubscribes on Ctrl-C", async () => {
    const target = await receive();
    const before = (await subscriptions()).length;
    let isListening = false;
    const interrupt = interruptOnce(({ stdout }) => stdout.includes("article.created"));
    const { code, stdout, stderr } = await start(
      ["webhooks", "listen", "--blog", BLOG, "--events", "article.created", "--forward", target.url],
      {
        env: { EDGEPRESS_OPERATOR_TOKEN: local.operatorToken },
        onOutput(said, child) {
          if (!isListening && said.stderr.includes("Listening at")) {
            isListening = true;
            void edgepress(["articles", "create", "--blog", BLOG, "--title", "Heard"]);
          }
          interrupt(said, child);
        },
      },
    );
    expect(code).toBe(130);
    expect(stdout).toMatch(/✓ {2}article\.created {2}Heard.*→ 204/);
    expect(stderr).toContain("Unsubscribed.");
    expect(target.received).toHaveLength(1);
    expect(target.received[0]?.signature).toMatch(/^t=\d+,v1=[\da-f]{64}$/);
    await vi.waitFor(async () => expect(await subscriptions()).toHaveLength(before), WAIT);
  });

  it("takes no delivery that is unsigned, wrongly signed or stale, and passes none of them on", async () => {
    const target = await receive();
    const secret = "whsec_of_the_test";
    const now = Math.floor(Date.now() / 1000);
    const body = JSON.stringify({ event: "article.created", timestamp: now, data: { title: "T" } });
    const sign = (key: string, time: number) =>
      `t=${time},v1=${createHmac("sha256", key).update(`${time}.${body}`).digest("hex")}`;
    const signatures = [undefined, sign("other", now), sign(secret, now - 301), sign(secret, now)];
    const statuses: number[] = [];
    let url: string | undefined;
    const { stdout } = await edgepress(["webhooks", "listen", "--json", "--forward", target.url], {
      env: { EDGEPRESS_WEBHOOK_SECRET: secret },
      async onOutput({ stdout }, child) {
        if (url !== undefined) return;
        url = (JSON.parse(stdout) as { listening: string }).listening;
        for (const signature of signatures) statuses.push(await deliver(url, body, signature));
        child.kill("SIGINT");
      },
    });
    expect(statuses).toEqual([401, 401, 401, 204]);
    const lines = stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ verdict }) => verdict)).toEqual(["wrong", "wrong", "stale", "genuine"]);
    expect(lines.map(({ payload }) => payload !== null)).toEqual([false, false, false, true]);
    expect(target.received).toHaveLength(1);
  });
});

describe("webhooks dead and retry", () => {
  const env = () => ({ EDGEPRESS_OPERATOR_TOKEN: local.operatorToken });

  it("list what could not be sent, and have only that tried again", async () => {
    expect(resultIn(await edgepress(["webhooks", "dead", "--json"], { env: env() }))).toEqual([]);
    const missing = ["webhooks", "retry", "019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e", "--json"];
    expect(errorIn(await edgepress(missing, { env: env() }))).toMatchObject({ code: "not_found" });
    for (const command of ["dead", "listen"]) {
      const without = await edgepress(["webhooks", command, "--json"]);
      expect(errorIn(without)).toMatchObject({
        code: "not_signed_in",
        exit: 4,
        hint: expect.stringContaining("TOKEN"),
      });
    }
  });
});
