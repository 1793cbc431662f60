/** `npm start` from outside: a new machine, and a second start. */
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import * as z from "zod";
import { holdState } from "../../scripts/lib/hold.ts";
import { executeLocally, findDemo, openDatabase } from "../../scripts/lib/local-database.ts";
import { article, articles, basic, blogs, everything, fieldNotes, get, names, token, whole } from "./demo.ts";
import {
  cleanUp,
  environment,
  LAST_LINE,
  newState,
  NODE,
  processesOn,
  receive,
  ROOT,
  start,
  startDev,
  WAIT,
  type Local,
  type Run,
} from "./local-run.ts";

async function send(url: string, body: object, headers: Record<string, string>): Promise<Response> {
  const json = { "Content-Type": "application/json" };
  return fetch(url, { method: "POST", headers: { ...headers, ...json }, body: JSON.stringify(body) });
}

const published = names(fieldNotes.articles.filter((each) => each.published));
const draft = fieldNotes.articles.find((each) => !each.published);

/** In milliseconds. */
const POLL = { timeout: 30_000, interval: 100 };

afterAll(cleanUp);

describe("a first start", () => {
  const state = newState();
  let run: Run;
  let local: Local;
  /** What a receiver was told of an article with a short life. */
  let told: () => { kind: string; signature: string; body: string }[];

  beforeAll(async () => {
    run = await start(state);
    local = await run.ready();
  });

  it("says where everything is, in a file for its owner only", () => {
    expect(local.baseUrl).toBe(run.baseUrl);
    expect(statSync(path.join(state, "local.json")).mode & 0o777).toBe(0o600);
    const { apiKey, readOnlyKey, operatorToken, email, password } = local;
    const places = [`${run.baseUrl}/docs`, `${run.baseUrl}/console`];
    for (const said of [apiKey, readOnlyKey, operatorToken, email, password, ...places]) {
      expect(run.output()).toContain(said);
    }
  });

  it("shows one verified delivery, and no warnings or stacks", async () => {
    const delivery = /^\n {2}article\.updated +verified {2}Arriving by ferry\n$/;
    await vi.waitFor(() => expect(run.output().split(LAST_LINE)[1]).toMatch(delivery), WAIT);
    expect(run.output()).not.toMatch(/warn|error|NOT VERIFIED/i);
    expect(run.output()).not.toMatch(/^\s+at .+:\d+/m);
  });

  it("gives anonymous readers the published articles of the demo blog", async () => {
    const list = await get(`${run.baseUrl}/api/articles?blogId=${local.blogId}`, articles);
    expect(names(list)).toEqual(published);
    const [first] = list;
    expect(await get(`${run.baseUrl}/api/articles/${first?.slug}?locale=${first?.locale}`, article)).toEqual(first);
  });

  it("has topic ideas, found in the feed that local.json names", async () => {
    const topics = z.array(z.object({ title: z.string(), status: z.string(), source: z.object({ name: z.string() }) }));
    const found = await get(`${run.baseUrl}/api/topics?blogId=${local.blogId}`, topics, basic(local.apiKey));
    expect(found.length).toBeGreaterThan(2);
    expect(new Set(found.map(({ source }) => source.name))).toEqual(new Set(["Coast and Rail (demo feed)"]));
    expect((await fetch(local.feedUrl)).headers.get("Content-Type")).toContain("rss");
  });

  it("says what to set where no model is configured", async () => {
    expect(local.model).toBe("");
    expect(run.output()).toMatch(/Generation +no model: set AI_BASE_URL and AI_MODEL/);
    const response = await fetch(`${run.baseUrl}/api/articles/generate`, {
      method: "POST",
      headers: { ...basic(local.apiKey), "Content-Type": "application/json" },
      body: JSON.stringify({ blogId: local.blogId, topic: "Ferries" }),
    });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: "ai_not_configured",
      detail: expect.stringContaining("AI_MODEL"),
    });
  });

  it("lets the demo owner into the console", async () => {
    const page = (path: string, init: RequestInit) => fetch(`${run.baseUrl}${path}`, { redirect: "manual", ...init });
    const body = new URLSearchParams({ email: local.email, password: local.password });
    const answer = await page("/console/sign-in", { method: "POST", body, headers: { Origin: run.baseUrl } });
    expect(answer.status).toBe(303);
    const cookie = answer.headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
    const overview = await page("/console", { headers: { Cookie: cookie } });
    expect(overview.status).toBe(200);
    expect(await overview.text()).toContain(fieldNotes.name);
  });

  it("prints mails to the terminal, not to the log", async () => {
    const invitation = { email: "guest@example.com", role: "reader" };
    const invited = await send(`${run.baseUrl}/api/invitations`, invitation, token(local.operatorToken));
    expect(invited.status).toBe(200);
    const mail = /Mail to guest@example\.com: You have been invited [\s\S]+?(http:\S+\/console\/invitations\/\w{40})/;
    await vi.waitFor(() => expect(run.output()).toMatch(mail), WAIT);
    const [, link = ""] = mail.exec(run.output()) ?? [];
    expect((await fetch(link)).status).toBe(200);
    expect(readFileSync(path.join(state, "edgepress.log"), "utf8")).not.toContain(link);
  });

  it("hides drafts from anonymous readers only", async () => {
    const url = `${run.baseUrl}/api/articles/${draft?.slug}?blogId=${local.blogId}&locale=${draft?.locale}`;
    expect((await fetch(url)).status).toBe(404);
    expect(await get(url, article, basic(local.readOnlyKey))).toMatchObject({ slug: draft?.slug, published: false });
    expect(names((await everything(local)).articles)).toEqual(whole);
  });

  it("lets the API key write and the read-only key not", async () => {
    const body = { blogId: local.blogId, title: "Written from outside" };
    expect((await send(`${run.baseUrl}/api/articles`, body, basic(local.readOnlyKey))).status).toBe(403);
    const created = await send(`${run.baseUrl}/api/articles`, body, basic(local.apiKey));
    expect(created.status).toBe(200);
    expect(await created.json()).toMatchObject({ ...body, slug: "written-from-outside", published: false });
  });

  it("tells another receiver of each change exactly once, signed", async () => {
    const receiver = await receive();
    const hook = { url: receiver.url, blogId: local.blogId };
    const subscribed = await send(`${run.baseUrl}/api/webhooksubscriptions`, hook, token(local.operatorToken));
    const { secret } = z.object({ secret: z.string() }).parse(await subscribed.json());

    const key = basic(local.apiKey);
    const made = await send(`${run.baseUrl}/api/articles`, { blogId: local.blogId, title: "Short life" }, key);
    const { _id } = article.parse(await made.json());
    await send(`${run.baseUrl}/api/articles`, { _id, published: true }, key);
    await fetch(`${run.baseUrl}/api/articles/${_id}`, { method: "DELETE", headers: key });

    told = () => receiver.received.filter(({ body }) => body.includes(_id));
    await vi.waitFor(() => expect(told()).toHaveLength(3), WAIT);
    expect(
      told()
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(["article.created", "article.deleted", "article.updated"]);
    for (const { kind, signature, body } of told()) {
      const content = z.object({ event: z.string(), timestamp: z.int(), data: article }).parse(JSON.parse(body));
      expect(content).toMatchObject({ event: kind, data: { _id } });
      const hmac = createHmac("sha256", secret).update(`${content.timestamp}.${body}`).digest("hex");
      expect(signature).toBe(`t=${content.timestamp},v1=${hmac}`);
    }
  });

  it("prints requests that work when pasted", async () => {
    const lines = run
      .output()
      .split("\n")
      .map((line) => line.trim());
    const commands = lines.filter((line) => line.startsWith("curl "));
    expect(commands).toHaveLength(4);
    const answers: unknown[] = [];
    for (const command of commands) {
      const { stdout } = await promisify(execFile)("bash", ["-c", command]);
      answers.push(JSON.parse(stdout));
    }
    expect(answers).toMatchObject([
      expect.arrayContaining([expect.objectContaining({ slug: "arriving-by-ferry" })]),
      { slug: "arriving-by-ferry", published: true },
      { title: "Hello from the edge", published: true },
      [{ status: "new" }, { status: "new" }, { status: "new" }],
    ]);
    await vi.waitFor(() => expect(run.output()).toMatch(/article\.created +verified {2}Hello from the edge\n/), WAIT);
  });

  it("lets the command-line client in, by the variables of a shell alone", async () => {
    const commands = 'eval "$(npm run -s variables)" && node "$0" blogs list --json && node "$0" webhooks dead --json';
    const { stdout } = await promisify(execFile)("bash", ["-c", commands, inject("bundle")], {
      cwd: ROOT,
      env: { ...environment(state), XDG_CONFIG_HOME: state },
    });
    expect(stdout).toContain(`"_id": "${local.blogId}"`);
    expect(stdout).toMatch(/\n\[\]\n$/);
  });

  it("makes another organization on request", async () => {
    const admin = (...args: string[]) =>
      promisify(execFile)(NODE, ["scripts/admin.ts", ...args], { cwd: ROOT, env: environment(state) });
    const { stdout } = await admin("create-organization", `O'Brien; DROP TABLE blogs; --`);
    const [secret = ""] = /ept_\w+/.exec(stdout.split("Operator token")[1] ?? "") ?? [];
    expect(await get(`${run.baseUrl}/api/blogs`, blogs, token(secret))).toEqual([]);
    for (const args of [["create-organization"], ["create-organization", "Acme", "--console", "https://a.example"]])
      await expect(admin(...args)).rejects.toMatchObject({ code: 2 });
  });

  it("refuses a second one on its port in one line", async () => {
    const second = await start(newState(), run.port);
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/^Port \d+ is in use.*\n$/);
  });

  it("keeps another one away from its state, until it has ended", async () => {
    // That waits for four seconds, which are over at once.
    vi.spyOn(Date, "now").mockReturnValueOnce(0);
    await expect(holdState(state)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Another local run uses the state in [^\n]*EDGEPRESS_STATE=…$/),
    });
    vi.restoreAllMocks();
  });

  it("ends without leftovers, and starts again with all it had", async () => {
    // What would come twice has come by now.
    expect(told()).toHaveLength(3);
    const before = await everything(local);
    expect(await run.stop()).toBe(0);
    await vi.waitFor(async () => expect(await processesOn(state)).toEqual([]), WAIT);
    await expect(fetch(`${run.baseUrl}/healthz`)).rejects.toThrow("fetch failed");

    // As if it had ended in the midst of a delivery's fan-out.
    const waiting = "UPDATE deliveries SET state = 'open', token = NULL, settle_time = NULL";
    executeLocally(
      state,
      `${waiting} WHERE event_id IN (SELECT id FROM events WHERE data LIKE '%Hello from the edge%')`,
    );
    const again = await start(state);
    const { feedUrl, ...rest } = await again.ready();
    expect({ ...rest, feedUrl: local.feedUrl }).toEqual({ ...local, baseUrl: again.baseUrl });
    // The demo's feed stands beside the receiver, and the blog's source follows it.
    const blog = await get(
      `${again.baseUrl}/api/blogs/${local.blogId}`,
      z.object({ topicSources: z.array(z.looseObject({})) }),
      basic(local.apiKey),
    );
    expect(blog.topicSources).toMatchObject([{ kind: "feed", url: feedUrl }]);
    expect(await everything({ ...local, baseUrl: again.baseUrl })).toEqual(before);
    // Sooner than in a minute, when the cron runs again.
    const late = /article\.created +verified {2}Hello from the edge\n/;
    await vi.waitFor(() => expect(again.output()).toMatch(late), POLL);
    // Another port, another receiver: its subscription has to follow.
    const body = { blogId: local.blogId, title: "After the restart" };
    await send(`${again.baseUrl}/api/articles`, body, basic(local.apiKey));
    await vi.waitFor(() => expect(again.output()).toMatch(/article\.created +verified {2}After the restart\n/), WAIT);
    // The next start loads no demo in place of one that was deleted.
    const deleted = { method: "DELETE", headers: token(local.operatorToken) };
    expect((await fetch(`${again.baseUrl}/api/blogs/${local.blogId}`, deleted)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  });

  it("starts with its organization suspended, blogs and audit log gone for good, and leaves the demo as it is", async () => {
    const { organizationId } = z
      .object({ organizationId: z.string() })
      .parse(JSON.parse(readFileSync(path.join(state, "credentials.json"), "utf8")));
    expect(findDemo(state, organizationId)).toEqual({ isLoaded: true, state: "active" });
    const database = openDatabase(state, false);
    database.exec(`PRAGMA foreign_keys = OFF; DELETE FROM audit; DELETE FROM blogs;
      INSERT INTO suspensions (organization_id, reason, creation_time)
      VALUES ('${organizationId}', 'A trial', '2026-01-01T00:00:00.000Z')`);
    database.close();
    const run = await start(state);
    await run.ready();
    expect(run.output()).toContain("is suspended: the demo stays as it is.");
    expect(run.output()).not.toContain("Loading the demo");
    expect(await run.stop()).toBe(0);
    executeLocally(state, "DELETE FROM suspensions");
    expect(findDemo(state, organizationId)).toEqual({ isLoaded: true, state: "active" });
  });

  it.runIf(inject("exhaustive"))(
    "may go on as `npm run dev`, which answers everybody else when clients leave in the middle of a request",
    async () => {
      const run = await startDev(state);
      const dev = await run.ready();
      for (let round = 0; round < 10; round++) {
        await Promise.all(Array.from({ length: 20 }, (_, index) => leaveAnUpload(dev, index * 3)));
        // Its proxy may answer once with 500 in place of a connection that is gone.
        await expect.poll(async () => (await fetch(`${dev.baseUrl}/healthz`)).status, POLL).toBe(200);
      }
      expect(dev.blogId).toBe(local.blogId);
      const gone = await fetch(`${dev.baseUrl}/api/blogs/${dev.blogId}`, { headers: basic(dev.apiKey) });
      expect(gone.status).toBe(404);
      await run.stop();
    },
  );

  it("starts without a demo once its organization was deleted for good", async () => {
    const database = openDatabase(state, false);
    database.exec("PRAGMA foreign_keys = OFF; DELETE FROM credentials; DELETE FROM members; DELETE FROM organizations");
    database.close();
    const run = await start(state);
    await run.ready();
    expect(run.output()).toContain("was deleted for good, and no demo is loaded again.");
    expect(await run.stop()).toBe(0);
  });
});

/** Begins an upload, and cuts the connection after so many milliseconds, as browsers do. */
async function leaveAnUpload({ baseUrl, apiKey }: Local, after: number): Promise<void> {
  const { host, hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const credential = `Authorization: Basic ${btoa(`${apiKey}:`)}`;
  const head = ["POST /api/blogs HTTP/1.1", `Host: ${host}`, credential, "Content-Type: application/json"];
  socket.write(`${[...head, "Content-Length: 100000"].join("\r\n")}\r\n\r\n{"name":`);
  await sleep(after);
  socket.resetAndDestroy();
}
