/**
 * `npm run bench`: builds the Worker, runs it in workerd on this machine, and prints measurements.
 * `npm run bench -- --quick` is shorter and less exact. The ratios are the result; other numbers depend on the machine.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, startupCpu } from "./build.ts";
import { deliveries } from "./deliveries.ts";
import { firstUses } from "./first-use.ts";
import * as rates from "./rates.ts";
import * as report from "./report.ts";
import { migrate, PORTS, start, type Runtime, type Scripts } from "./runtime.ts";
import { seed } from "./seed.ts";
import type { Comparison, Side } from "./rates.ts";

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false } } });

const size = options.quick
  ? { startups: 1, rounds: 3, milliseconds: 250, changes: 50 }
  : { startups: 5, rounds: 15, milliseconds: 350, changes: 300 };

const folder = await mkdtemp(join(tmpdir(), "edgepress-bench-"));
try {
  console.log(report.machine());
  const service = await build(join(folder, "service"));
  const bare = await build(join(folder, "bare"), "bench/worker/bare.ts");
  console.log(`\n${report.sizes(service, await startupCpu(folder, size.startups))}`);
  const scripts = { service: service.path, bare: bare.path };
  const state = join(folder, "state");
  console.log(`\n${report.rates(await measureRoutes(scripts, state))}`);
  console.log(`\n${report.deliveryRates(await measureDeliveries(scripts, state))}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs without queue consumers. In production they run elsewhere; here they would use CPU that the routes need. */
async function measureRoutes(scripts: Scripts, state: string): Promise<rates.Rated[]> {
  const seeding = await start(scripts, state, { consumers: false });
  await migrate(seeding.db);
  const fixture = await seed(seeding.db, 10_000);
  await seeding.stop();
  const runtime = await start(scripts, state, { consumers: false, fixture });
  try {
    const etags = new Map<string, string>();
    for (const slug of fixture.slugs.slice(0, 50)) {
      const { headers } = await fetch(`http://127.0.0.1:${PORTS.service}/api/articles/${slug}`);
      etags.set(slug, headers.get("ETag") ?? "");
    }
    const comparisons = rates.comparisons(fixture, etags);
    await assertSameAnswers(comparisons);
    return await rates.rate(comparisons, size.rounds, size.milliseconds);
  } finally {
    tellTroubles(runtime);
    await runtime.stop();
  }
}

async function measureDeliveries(scripts: Scripts, state: string) {
  const runtime = await start(scripts, state, { consumers: true });
  try {
    // Measured on a new runtime. In `measureRoutes` it would load parts that readers of articles do not load.
    console.log(`\n${report.firstUses(await firstUses())}`);
    return await deliveries(runtime.db, { changes: size.changes, subscriptions: 1000 });
  } finally {
    tellTroubles(runtime);
    await runtime.stop();
  }
}

/** Prints the number of warnings and errors in the log. Measurements of failing requests are worthless. */
function tellTroubles({ troubles }: Runtime): void {
  if (troubles.length > 0) console.log(`\n${troubles.length} warnings or errors in the log, such as: ${troubles[0]}`);
}

/** How many requests of each route are compared. */
const TRIED = 5;

/** Throws if the two sides of a comparison do not return the same bytes. */
async function assertSameAnswers(comparisons: readonly Comparison[]): Promise<void> {
  for (const { name, service, bare } of comparisons) {
    if (service === null) continue;
    for (let n = 0; n < TRIED; n++) {
      const [ours, theirs] = [await answerOf(service, n), await answerOf(bare, n)];
      if (ours !== theirs) throw new Error(`${name}: the answers differ\n${difference(ours, theirs)}`);
    }
  }
}

/** Sends one request and returns its body. Throws for another status. Masks values that are new with each write. */
async function answerOf({ port, requests, status }: Side, n: number): Promise<string> {
  const { path, ...init } = parsed((requests[n % requests.length] ?? "").replace("{n}", `9999999${n}`));
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const body = await response.text();
  if (response.status !== status) throw new Error(`${path}: ${response.status}, not ${status}\n${body}`);
  return init.method === "POST" ? masked(body) : body;
}

/** Returns the text around the first difference, from both sides. */
function difference(ours: string, theirs: string): string {
  const from = Math.max(Array.from(ours).findIndex((character, index) => character !== theirs[index]) - 40, 0);
  return `service: …${ours.slice(from, from + 120)}\nbare:    …${theirs.slice(from, from + 120)}`;
}

/** Parses a request in the form in which the load sends it. */
function parsed(request: string) {
  const [head = "", body] = request.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = fields
    .map((field) => field.split(": ", 2) as [string, string])
    .filter(([name]) => name !== "Host" && name !== "Content-Length");
  return { method, path, headers, ...(body !== "" && { body }) };
}

/** Matches identifiers, times and slugs that are new with each write. */
const NEW = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}|\d{4}-\d\d-\d\dT[\d:.]{12}Z|(?:service|bare)-\d{8}/g;

/** Returns the body without such values. */
const masked = (body: string): string => body.replaceAll(NEW, "new");
