/**
 * `npm run bench`: builds the Worker, runs it in workerd on this machine, and prints measurements.
 * `npm run bench -- --quick` is shorter and less exact. The ratios are the result; other numbers depend on the machine.
 * `npm run bench -- --against <commit or checkout>` pairs the reads with those of another commit instead.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { etagsOf, pairReads, seeded } from "./against.ts";
import { assertSameAnswers } from "./agreement.ts";
import { build, startupCpu } from "./build.ts";
import { workerdClock } from "./cpu.ts";
import { deliveries } from "./deliveries.ts";
import { firstUses } from "./first-use.ts";
import * as rates from "./rates.ts";
import * as report from "./report.ts";
import { PORTS, start, type Runtime, type Scripts } from "./runtime.ts";

const { values: options } = parseArgs({
  options: { quick: { type: "boolean", default: false }, against: { type: "string" } },
});

const size = options.quick
  ? { startups: 1, rounds: 3, milliseconds: 250, changes: 50 }
  : { startups: 5, rounds: 15, milliseconds: 350, changes: 300 };

const folder = await mkdtemp(join(tmpdir(), "edgepress-bench-"));
try {
  console.log(report.machine());
  const service = await build(join(folder, "service"));
  const bare = await build(join(folder, "bare"), "bench/worker/bare.ts");
  const scripts = { service: service.path, bare: bare.path };
  if (options.against !== undefined) {
    const rounds = { rounds: options.quick ? 40 : 200, milliseconds: 60 };
    console.log(`\n${report.rates(await pairReads(options.against, scripts, folder, rounds), options.against)}`);
  } else {
    console.log(`\n${report.sizes(service, await startupCpu(folder, size.startups))}`);
    const state = join(folder, "state");
    console.log(`\n${report.rates(await measureRoutes(scripts, state))}`);
    console.log(`\n${report.deliveryRates(await measureDeliveries(scripts, state))}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs without queue consumers. In production they run elsewhere; here they would use CPU that the routes need. */
async function measureRoutes(scripts: Scripts, state: string): Promise<rates.Rated[]> {
  const fixture = await seeded(scripts, state);
  const runtime = await start(scripts, state, { consumers: false, fixture });
  try {
    const comparisons = rates.comparisons(fixture, await etagsOf(fixture, PORTS.service));
    await assertSameAnswers(comparisons);
    const clock = workerdClock();
    return await rates.rate(comparisons, size, () => clock);
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
