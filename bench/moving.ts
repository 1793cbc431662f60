/**
 * `npm run bench:moving`: an organization with 5,000 articles moves to another shard while 50 writes a second go on. Prints for how long its
 * writes were refused, and looks for writes and webhooks that were lost or came twice.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabase } from "../scripts/lib/local-database.ts";
import { newId } from "../src/lib/ids.ts";
import { build } from "./build.ts";
import { startReceiver, subscribe } from "./deliveries.ts";
import { fill, type Tenant } from "./filling.ts";
import type { Received } from "./receiver.ts";
import { machine } from "./report.ts";
import { PORTS, start, type Runtime } from "./runtime.ts";
import { prose } from "./seed.ts";
import { median, quantile } from "./statistics.ts";

const { values: options } = parseArgs({
  options: { articles: { type: "string", default: "5000" }, rate: { type: "string", default: "50" } },
});

/** A write that the service has answered: when it was sent first, when it was answered, and how often it was refused before. */
type Written = { readonly sent: number; readonly answered: number; readonly refusals: number };

const run = newId();
const authorize = ({ apiKey }: Tenant) => ({ Authorization: `Basic ${btoa(apiKey)}` });

const folder = await mkdtemp(join(tmpdir(), "edgepress-moving-"));
const receiver = await startReceiver();
try {
  console.log(machine());
  const { tenants } = await fill(folder, { shards: 2, organizations: 2, articles: Number(options.articles) * 2 });
  const scripts = { service: (await build(join(folder, "service"))).path };
  const runtime = await start(scripts, folder, { consumers: true });
  try {
    await measure(runtime, tenants.find(({ database }) => database === "DB_1") as Tenant);
    for (const trouble of new Set(runtime.troubles)) console.log(`In the log: ${trouble.slice(0, 300)}`);
  } finally {
    await runtime.stop();
  }
} finally {
  receiver.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(runtime: Runtime, tenant: Tenant): Promise<void> {
  await subscribe(await runtime.openShard("DB_1"), tenant, 1);
  const writer = startWriter(tenant);
  await sleep(5000);
  const began = Date.now();
  const time = new Date().toISOString();
  await runtime.db
    .prepare(
      "INSERT INTO moves (organization_id, source, target, creation_time, time) VALUES (?, 'DB_1', 'DB_2', ?, ?)",
    )
    .bind(tenant.organizationId, time, time)
    .run();
  // Miniflare's client blocks this process, which has to read workerd's log meanwhile: so the file is asked.
  const file = openDatabase(folder, true, "DB");
  const reached = new Map<string, number>();
  for (let swept = 0; !reached.has("switched"); await sleep(100)) {
    if (Date.now() - swept > 60_000) {
      swept = Date.now();
      void runtime.sweep();
    }
    const state = String(file.prepare("SELECT state FROM moves").get()?.["state"]);
    if (!reached.has(state)) reached.set(state, (Date.now() - began) / 1000);
    if (Date.now() - began > 900_000) throw new Error(`The move is still ${state}.`);
  }
  file.close();
  await sleep(5000);
  const { written, titles } = await writer.stop();
  console.log(Array.from(reached, ([state, seconds]) => `${state} after ${seconds.toFixed(1)} s`).join(", "));
  const at = (state: string) => began + (reached.get(state) ?? 0) * 1000 - performance.timeOrigin;
  describe(written, [at("switching") - 500, at("switched") + 1000]);
  await lookForLost(titles, tenant);
  await lookForWebhooks(written.length, runtime);
}

/** Starts to write articles at a steady rate, also while writes are refused; each is repeated until it is done. */
function startWriter(tenant: Tenant) {
  const written: Written[] = [];
  const titles = new Map<string, string>();
  const open = new Set<Promise<void>>();
  const free: string[] = [];
  const write = async (n: number) => {
    const title = `Written ${n}`;
    // Each article is changed once.
    const id = n % 2 === 1 ? free.shift() : undefined;
    const body = { blogId: tenant.blogId, title, content: prose(n, 60), ...(id !== undefined && { _id: id }) };
    const sent = performance.now();
    for (let refusals = 0; ; refusals++) {
      const { status, answer } = await post(tenant, body, `write-${n}`);
      if (status === 200) {
        written.push({ sent, answered: performance.now(), refusals });
        titles.set(String(answer["_id"]), title);
        if (id === undefined) free.push(String(answer["_id"]));
        return;
      }
      if (status !== 503) throw new Error(`${status}: ${JSON.stringify(answer)}`);
      await sleep(50);
    }
  };
  let n = 0;
  const timer = setInterval(
    () => {
      const work = write(n++).finally(() => open.delete(work));
      open.add(work);
    },
    1000 / Number(options.rate),
  );
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { written, titles };
    },
  };
}

async function post(tenant: Tenant, body: object, key: string) {
  const response = await fetch(`http://127.0.0.1:${PORTS.service}/api/articles`, {
    method: "POST",
    headers: { ...authorize(tenant), "Content-Type": "application/json", "Idempotency-Key": `${key}-${run}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

/** Prints how long writes took, and for how long none was answered: at all, and around the switch. */
function describe(written: readonly Written[], [from, to]: readonly [number, number]): void {
  const times = written.map(({ sent, answered }) => answered - sent);
  const ends = written.map(({ answered }) => answered).toSorted((one, other) => one - other);
  const gaps = ends.slice(1).map((end, n) => ({ end, ms: end - (ends[n] ?? end) }));
  const longest = (some: typeof gaps) => Math.max(...some.map(({ ms }) => ms)).toFixed(0);
  const refused = written.filter(({ refusals }) => refusals > 0).length;
  console.log(
    `${written.length} writes: p50 ${median(times).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms; ${refused} were refused at first`,
  );
  console.log(
    `The longest time in which none was answered: ${longest(gaps.filter(({ end }) => end > from && end < to))} ms around the switch, ${longest(gaps)} ms in all`,
  );
}

/** Reads each article that was written, and compares it with what the service last confirmed. */
async function lookForLost(titles: ReadonlyMap<string, string>, tenant: Tenant): Promise<void> {
  let lost = 0;
  for (const [id, title] of titles) {
    const response = await fetch(`http://127.0.0.1:${PORTS.service}/api/articles/${id}`, {
      headers: authorize(tenant),
    });
    const found = (await response.json()) as { title?: string };
    if (found.title !== title) lost++;
  }
  console.log(`${titles.size} articles: ${lost} are not as the service has confirmed them`);
}

/** Waits for a webhook of each write, and then for late ones. */
async function lookForWebhooks(expected: number, { sweep }: Runtime): Promise<void> {
  const received: Received[] = [];
  for (let turns = 0; turns < 120 && received.length < expected; turns++) {
    received.push(...(await receiver.take()));
    if (turns % 30 === 29) void sweep();
    await sleep(500);
  }
  await sleep(5000);
  received.push(...(await receiver.take()));
  const ids = new Set(received.map(({ id }) => id));
  console.log(
    `${expected} webhooks: ${Math.max(0, expected - ids.size)} are missing, ${received.length - ids.size} came twice`,
  );
}
