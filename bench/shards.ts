/**
 * `npm run bench:shards`: what reads cost with several databases beside one with 5,000 articles, how many writes the shards take
 * together, and what a hot or dead shard does to the others. The defaults are small, to try it; docs/operations.md, "Shards", has
 * figures of a large run. `--state FOLDER` keeps what was filled, and `--fill` only fills it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDatabase } from "../scripts/lib/local-database.ts";
import { listShardNames } from "../scripts/lib/shards.ts";
import { build } from "./build.ts";
import { workerdClock, type Clock } from "./cpu.ts";
import { countEach, fill, slugOf, type Store, type Tenant } from "./filling.ts";
import type { Held } from "./fixture.ts";
import type { Load, Loaded } from "./load.ts";
import { loadGenerator, request, STRANGER } from "./rates.ts";
import { machine } from "./report.ts";
import { FORMER_PORTS, PORTS, start, type Scripts } from "./runtime.ts";
import { wordsLikeProse } from "./seed.ts";
import { median, quantile } from "./statistics.ts";

const { values: options } = parseArgs({
  options: {
    shards: { type: "string", default: "8" },
    organizations: { type: "string", default: "200" },
    articles: { type: "string", default: "5000" },
    rounds: { type: "string", default: "1" },
    state: { type: "string" },
    fill: { type: "boolean", default: false },
  },
});
const [shards, rounds] = [Number(options.shards), Number(options.rounds)];
const size = { shards, organizations: Number(options.organizations), articles: Number(options.articles) };

/** The milliseconds of a side in a round, and of a query of a database that is paced (worker/held.ts). */
const [SLICE_MS, PACED_MS] = [1000, 40];
/** Connections that read, that write to each shard, and that ask the other shards beside a busy one. */
const [READERS, WRITERS, OTHER_CLIENTS] = [4, 4, 6];
/** The organizations of a small store, as many of the large one that are asked for again and again, and those of a shard that write. */
const [FEW, WRITING] = [50, 8];
const [HOT, ...OTHERS] = listShardNames(shards) as [string, ...string[]];

const [loads, others] = [loadGenerator(), loadGenerator()];
const folder = options.state ?? (await mkdtemp(join(tmpdir(), "edgepress-shards-")));
/** Returns what a store with shards takes. */
function describe({ folder: state, articles }: Store): string {
  const ask = (database: string, sql: string): number => {
    const file = openDatabase(state, true, database);
    const found = file.prepare(sql).get();
    file.close();
    return Number(found?.["n"]);
  };
  const SIZE = "SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()";
  const bytes = [HOT, ...OTHERS].reduce((sum, name) => sum + ask(name, SIZE), 0);
  const entries = ask("DB", "SELECT count(*) AS n FROM directory");
  const listed = ask("DB", "SELECT sum(pgsize) AS n FROM dbstat WHERE name = 'directory'");
  const each = (value: number) => (value / articles).toFixed(value < 100 * articles ? 2 : 0);
  return `For each article ${each(bytes)} bytes in its shard; in the directory ${each(entries)} rows and ${each(listed)} bytes`;
}

async function measure(many: Store, few: Store, spread: Store): Promise<void> {
  const service = { service: (await build(join(folder, "service"))).path };
  const held = { service: (await build(join(folder, "held"), "bench/worker/held.ts")).path };
  const sides = [
    ["writes to one shard", `to all ${shards} at once`],
    ["the others, in quiet", "while one shard is not"],
  ] as const;
  await running(service, many, async (clock) => {
    const some = many.tenants.slice(0, FEW);
    for (const [base, what, all] of [
      [few, "one database", [some, many.tenants]],
      [spread, `${shards} shards`, [some]],
    ] as const) {
      const other = await start(service, base.folder, { consumers: false, ports: FORMER_PORTS });
      const rows = await compareReads([base, workerdClock(true)], [many, clock], all).finally(() => other.stop());
      print([`reads of 5000 articles in ${what}`, `of ${many.articles} in ${shards} shards`], rows);
    }
    print(sides[0], [await compareWrites("as fast as this machine can", many, clock)]);
    print(sides[1], [await compareOthers("hot", many, clock)]);
  });
  await running(held, many, async (clock) => {
    print(sides[0], [await compareWrites(`a query takes ${PACED_MS} ms`, many, clock, PACED)]);
    const rows = [await compareOthers(`hot, a query takes ${PACED_MS} ms`, many, clock, PACED)];
    for (const how of ["hangs", "fails"] as const) rows.push(await compareOthers(how, many, clock, PACED, how));
    print(sides[1], rows);
  });
}

/** Starts the service on a store, and says how many warnings and errors it had: there should be none but of a dead shard. */
async function running(scripts: Scripts, store: Store, work: (clock: Clock) => Promise<void>): Promise<void> {
  const { stop, troubles } = await start(scripts, store.folder, { consumers: false });
  await work(workerdClock(true)).finally(stop);
  if (troubles.length > 0)
    console.log(`\n${troubles.length} warnings or errors in the log, such as: ${troubles[0]?.slice(0, 200)}`);
}

type HeldDatabases = Readonly<Record<string, Held>>;
const PACED: HeldDatabases = Object.fromEntries(
  ["DB", HOT, ...OTHERS].map((name) => [name, { milliseconds: PACED_MS }]),
);

const hold = (held: HeldDatabases): Promise<unknown> =>
  fetch(`http://127.0.0.1:${PORTS.service}/held`, { method: "POST", body: JSON.stringify(held) });

/** What was measured in a round. `thread` is the CPU time of workerd's main thread in each second, 1 at most. */
type Slice = Loaded & { readonly thread: number };
type Row = readonly [name: string, base: readonly Slice[], compared: readonly Slice[]];
type Side = { readonly clock: Clock; readonly run: () => Promise<Loaded> };

/** Measures two sides in rounds, alternately. The first round is a warm-up. */
async function compare(name: string, base: Side, compared: Side): Promise<Row> {
  const slices: [Slice[], Slice[]] = [[], []];
  for (let round = -1; round < rounds; round++)
    for (const n of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { clock, run } = n === 0 ? base : compared;
      const [began, before] = [performance.now(), clock?.() ?? Number.NaN];
      const loaded = await run();
      const thread = ((clock?.() ?? Number.NaN) - before) / 1000 / (performance.now() - began);
      if (round >= 0) slices[n].push({ ...loaded, thread });
    }
  return [name, ...slices];
}

/** Prints rows as Markdown. The ratios of rates and p50 are medians of all rounds, that of p99 is of all requests. */
function print([base, compared]: readonly [string, string], rows: readonly Row[]): void {
  const all = (slices: readonly Slice[]) => slices.flatMap(({ latencies }) => latencies);
  const figures = (slices: readonly Slice[]) =>
    [
      median(slices.map(({ perSecond }) => perSecond)).toFixed(0),
      ...[0.5, 0.99].map((part) => quantile(all(slices), part).toFixed(1)),
      median(slices.map(({ thread }) => thread)).toFixed(2),
    ].join(", ");
  const lines = rows.map(([name, one, other]) => {
    const ratio = (of: (slice: Slice) => number) =>
      median(other.map((slice, round) => of(slice) / of(one[round] as Slice))).toFixed(2);
    const p99 = quantile(all(other), 0.99) / quantile(all(one), 0.99);
    const ratios = [ratio(({ perSecond }) => perSecond), ratio(({ latencies }) => median(latencies)), p99.toFixed(2)];
    return [name, figures(one), figures(other), ...ratios];
  });
  const head = ["a second, p50 ms, p99 ms, thread", base, compared, "rate", "p50", "p99"];
  const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
  console.log(`\n${table.join("\n")}\n`);
}

const load = (requests: readonly string[], more: Partial<Load> = {}): Promise<Loaded> =>
  loads.run({ port: PORTS.service, requests, connections: READERS, milliseconds: SLICE_MS, status: 200, ...more });

const draw = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, () => all[Math.floor(Math.random() * all.length)] as T);

const authorize = (apiKey: string): string => `Authorization: Basic ${btoa(apiKey)}`;

type Read = (tenant: Tenant, slug: string) => readonly [path: string, header: string];
/** What readers ask for. */
const READS: Readonly<Record<string, Read>> = {
  "article by blog and slug": ({ blogId }, slug) => [`/${slug}?blogId=${blogId}`, STRANGER],
  "article by slug": (_, slug) => [`/${slug}`, STRANGER],
  "list of 20, with a key": ({ blogId, apiKey }) => [`?blogId=${blogId}&limit=20`, authorize(apiKey)],
};

/** Returns reads of random articles of some organizations of a store. */
const makeReads = (read: Read, store: Store, some = store.tenants, port: number = PORTS.service): string[] =>
  draw(some, 1000).map((tenant) => {
    const [path, header] = read(tenant, slugOf(tenant, Math.floor(Math.random() * countEach(store))));
    return request(port, `GET /api/articles${path}`, [header]);
  });

/** Compares reads of a small store with those of the large one, of each of these lists of organizations. */
async function compareReads(
  [few, clockOfFew]: readonly [Store, Clock],
  [many, clock]: readonly [Store, Clock],
  groups: readonly (readonly Tenant[])[],
): Promise<Row[]> {
  const port = FORMER_PORTS.service;
  const rows: Row[] = [];
  for (const [kind, read] of Object.entries(READS))
    for (const tenants of groups) {
      const base = { clock: clockOfFew, run: () => load(makeReads(read, few, few.tenants, port), { port }) };
      const compared = { clock, run: () => load(makeReads(read, many, tenants)) };
      rows.push(await compare(`${kind}, ${tenants.length} organizations`, base, compared));
    }
  return rows;
}

/** Returns updates of articles of a database, by a few of its organizations. */
function makeWrites({ folder: state, tenants }: Store, database: string): string[] {
  const file = openDatabase(state, true, database);
  const articles = file.prepare("SELECT id FROM articles WHERE blog_id = ? LIMIT 40");
  const writing = tenants.filter((tenant) => tenant.database === database).slice(0, WRITING);
  const requests = writing.map(({ blogId, apiKey }) =>
    articles.all(blogId).map(({ id }, n) => {
      const texts = { title: wordsLikeProse(n, 40), description: "", content: `Edited {n}. ${wordsLikeProse(n, 400)}` };
      return request(PORTS.service, "POST /api/articles", [authorize(apiKey)], JSON.stringify({ _id: id, ...texts }));
    }),
  );
  file.close();
  return interleave(requests);
}

/** Returns the requests of several lists in turn. */
const interleave = (lists: readonly (readonly string[])[]): string[] =>
  (lists[0] ?? []).flatMap((_, n) => lists.flatMap((list) => list[n] ?? []));

/** Compares writes to one shard with writes to all, by as many connections to each. */
async function compareWrites(name: string, store: Store, clock: Clock, held?: HeldDatabases): Promise<Row> {
  if (held !== undefined) await hold(held);
  const each = [HOT, ...OTHERS].map((database) => makeWrites(store, database));
  const to = (lists: readonly (readonly string[])[]): Side => {
    const requests = interleave(lists);
    return { clock, run: () => load(requests, { connections: WRITERS * lists.length }) };
  };
  return compare(name, to(each.slice(0, 1)), to(each));
}

/** Compares slow reads and writes of the other shards in quiet with those while one has many clients, and perhaps does not answer. */
async function compareOthers(
  name: string,
  store: Store,
  clock: Clock,
  held: HeldDatabases = {},
  how: Held["how"] = "works",
): Promise<Row> {
  const [hot = [], ...each] = [HOT, ...OTHERS].map((database) => makeWrites(store, database));
  const tenants = store.tenants.filter(({ database }) => database !== HOT).slice(0, FEW);
  const disturbing = { ...held, [HOT]: { ...held[HOT], how } };
  const quiet = async (state = held) => {
    if (held[HOT] !== undefined) await hold(state);
    const reads = Object.values(READS).map((read) => makeReads(read, store, tenants));
    return load(interleave([interleave(each), ...reads]), { connections: OTHER_CLIENTS, pause: 50 });
  };
  const answered: number[] = [];
  const disturbed = async () => {
    const loaded = quiet(disturbing);
    const clients = { port: PORTS.service, connections: 4 * WRITERS, milliseconds: SLICE_MS };
    // Who gets no answer waits before the next request.
    const patience = how === "works" ? { status: 200 } : { status: null, pause: 250 };
    const busy = await others.run({ ...clients, ...patience, requests: hot });
    answered.push(busy.perSecond);
    return loaded;
  };
  const row = await compare(name, { clock, run: quiet }, { clock, run: disturbed });
  if (how !== "works") await hold(disturbing);
  const health = (await (await fetch(`http://127.0.0.1:${PORTS.service}/healthz`)).json()) as { late: string[] };
  // No sweep runs here.
  const late = health.late.filter((part) => !part.endsWith("sweep"));
  console.log(
    `${name}: ${HOT} answers ${median(answered).toFixed(0)} a second. /healthz: late ${late.join(", ") || "none"}`,
  );
  return row;
}

try {
  console.log(`${machine()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB of memory`);
  const many = await fill(join(folder, "many"), size);
  const few = await fill(join(folder, "few"), { shards: 0, organizations: FEW, articles: 5000 });
  const spread = await fill(join(folder, "spread"), { shards, organizations: FEW, articles: 5000 });
  console.log(describe(many));
  if (!options.fill) await measure(many, few, spread);
} finally {
  loads.stop();
  others.stop();
  if (options.state === undefined) await rm(folder, { recursive: true, force: true });
}
