/**
 * `npm run storage`: writes articles through the service, with ten subscriptions each, and prints how many bytes of the
 * database they take, and when they fill D1's 10 GB. The figures are the same on every machine.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../scripts/lib/local-database.ts";
import { LIMITS } from "../src/domain/limits.ts";
import { build } from "./build.ts";
import { startReceiver, subscribed, told } from "./deliveries.ts";
import { migrate, start, type Scripts } from "./runtime.ts";
import { wordsLikeProse } from "./seed.ts";

const ARTICLES = 400;
const SUBSCRIPTIONS = 10;
const DATABASE_BYTES = 10e9;

/** The tables and indexes that grow with articles, by the beginnings of their names, and how many days rows stay. */
const PARTS = [
  { name: "article", begins: ["articles", "sqlite_autoindex_articles"], days: null },
  { name: "rendering", begins: ["article_renderings", "sqlite_autoindex_article_renderings"], days: null },
  { name: "search index", begins: ["article_text", "article_search"], days: null },
  { name: "audit log", begins: ["audit", "sqlite_autoindex_audit"], days: LIMITS.keptDays.audit },
  { name: "event", begins: ["events"], days: LIMITS.keptDays.events },
  {
    name: `${SUBSCRIPTIONS} deliveries`,
    begins: ["deliveries", "sqlite_autoindex_deliveries"],
    days: LIMITS.keptDays.deliveries,
  },
] as const;

const folder = await mkdtemp(join(tmpdir(), "edgepress-storage-"));
try {
  const scripts = { service: (await build(join(folder, "service"))).path };
  const before = await sizesAfter(scripts, 0);
  const after = await sizesAfter(scripts, ARTICLES);
  const bytes = PARTS.map((part) => (sizeOf(after, part.begins) - sizeOf(before, part.begins)) / ARTICLES);
  console.log(`Bytes of the database for an article of 6,000 characters, of ${ARTICLES}:\n`);
  for (const [n, { name, days }] of PARTS.entries()) {
    console.log(`${name.padEnd(14)} ${Math.round(bytes[n] ?? 0)}${days === null ? "" : `, for ${days} days`}`);
  }
  const begins: readonly string[] = PARTS.flatMap((part) => part.begins);
  for (const [name, size] of after) {
    const each = (size - (before.get(name) ?? 0)) / ARTICLES;
    if (each >= 10 && !begins.some((begin) => name.startsWith(begin))) console.log(`not counted: ${name}, ${each}`);
  }
  for (const aSecond of [0.01, 0.25]) console.log(`\n${aSecond} articles a second: ${growth(bytes, aSecond)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Returns what a rate of new articles fills: what the logs take once they have their full age, and the days until 10 GB. */
function growth(bytes: readonly number[], aSecond: number): string {
  const aDay = aSecond * 86_400;
  const parts = PARTS.map(({ days }, n) => ({ days, aDay: aDay * (bytes[n] ?? 0) }));
  const logs = parts.reduce((sum, part) => sum + (part.days === null ? 0 : part.aDay * part.days), 0);
  const total = (after: number) =>
    parts.reduce((sum, part) => sum + part.aDay * Math.min(part.days ?? after, after), 0);
  let full = 1;
  while (total(full) < DATABASE_BYTES) full += 1;
  return `logs ${(logs / 1e9).toFixed(2)} GB, 10 GB after ${full} days`;
}

/** Returns the bytes of each table and index after `articles` were written and all their deliveries have arrived. */
async function sizesAfter(scripts: Scripts, articles: number): Promise<Map<string, number>> {
  const state = join(folder, `state-${articles}`);
  const runtime = await start(scripts, state, { consumers: true });
  const receiver = await startReceiver();
  try {
    await migrate(runtime.db);
    const organization = await subscribed(runtime.db, SUBSCRIPTIONS);
    const contentOf = (nth: number) => wordsLikeProse(nth, 6000);
    await told(receiver, organization, articles, { expected: articles * SUBSCRIPTIONS, atOnce: 4, contentOf });
  } finally {
    receiver.stop();
    await runtime.stop();
  }
  return sizes(state);
}

function sizes(state: string): Map<string, number> {
  const database = openDatabase(state, true);
  const rows = database.prepare("select name, sum(pgsize) as bytes from dbstat group by name").all();
  database.close();
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

function sizeOf(found: ReadonlyMap<string, number>, begins: readonly string[]): number {
  const names = [...found.keys()].filter((name) => begins.some((begin) => name.startsWith(begin)));
  return names.reduce((sum, name) => sum + (found.get(name) ?? 0), 0);
}
