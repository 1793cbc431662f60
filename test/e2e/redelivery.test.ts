/** A receiver that was down, and meanwhile the service was, too, is brought up to date by one command. */
import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { useProgram } from "../cli/program.ts";
import { cleanUp, freePort, newState, start, WAIT, type Local, type Run } from "./local-run.ts";

const program = useProgram();
const state = newState();
let run: Run;
let local: Local;

beforeAll(async () => {
  run = await start(state);
  local = await run.ready();
});

afterAll(cleanUp);

/** A receiver that can go away and come back on its port. */
async function startReceiver(port: number) {
  const seen: { id: string; kind: string; slug: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await buffer(request)).toString("utf8")) as { event: string; data: { slug: string } };
    seen.push({ id: String(request.headers["webhook-id"]), kind: body.event, slug: body.data.slug });
    response.writeHead(204).end();
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    seen,
    async goAway() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

const operator = () => ({ Authorization: `Token ${local.operatorToken}`, "Content-Type": "application/json" });

async function api<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(`${local.baseUrl}${path}`, {
    headers:
      path === "/api/articles" ? { ...operator(), Authorization: `Basic ${btoa(`${local.apiKey}:`)}` } : operator(),
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as T;
}

let written = 0;

async function write(count: number): Promise<string[]> {
  const slugs: string[] = [];
  for (let n = 0; n < count; n++) {
    const slug = `written-${++written}`;
    await api("/api/articles", { blogId: local.blogId, title: "Written", slug, locale: "en", published: true });
    slugs.push(slug);
  }
  return slugs;
}

it("brings a receiver up to date that was away, with a crash of the service and the deactivation between", async () => {
  const port = await freePort();
  const before = await startReceiver(port);
  const { _id } = await api<{ _id: string }>("/api/webhooksubscriptions", {
    url: `http://127.0.0.1:${port}/hook`,
    events: ["article.created"],
  });
  const path = `/api/webhooksubscriptions/${_id}`;
  const first = await write(6);
  await vi.waitFor(() => expect(before.seen.map(({ slug }) => slug).sort()).toEqual(first), WAIT);
  await vi.waitFor(async () => {
    const log = await api<{ state: string }[]>(`${path}/deliveries`);
    expect(log.filter((each) => each.state === "succeeded")).toHaveLength(6);
  }, WAIT);

  await before.goAway();
  const missed = await write(4);
  await run.killGroup();
  run = await start(state, run.port);
  local = await run.ready();
  missed.push(...(await write(LIMITS.failureStreak)));
  const active = async () => (await api<{ active: boolean }>(path)).active;
  await vi.waitFor(async () => expect(await active()).toBe(false), WAIT);
  // While it is inactive, nothing gets a delivery.
  missed.push(...(await write(5)));

  // What the crash may have left becomes unknown.
  await vi.waitFor(async () => expect(await api(`${path}/deliveries?state=claimed`)).toEqual([]), WAIT);

  const after = await startReceiver(port);
  const env = { EDGEPRESS_URL: local.baseUrl, EDGEPRESS_OPERATOR_TOKEN: local.operatorToken };
  const told = await program.call(["webhooks", "redeliver", _id, "--activate"], { env });
  expect(told).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+ deliveries are on their way/) });
  const last = await write(1);
  await vi.waitFor(
    () => expect([...new Set(after.seen.map(({ slug }) => slug))].sort()).toEqual([...missed, ...last].sort()),
    WAIT,
  );
  const ids = after.seen.map(({ id }) => id);
  const earlier = new Set(before.seen.map(({ id }) => id));
  expect(ids.filter((id) => earlier.has(id))).toEqual([]);
  expect(new Set([...ids, ...earlier]).size).toBe(6 + missed.length + last.length);
  expect(await active()).toBe(true);
  await after.goAway();
});
