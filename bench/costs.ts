/**
 * `npm run costs`: prints what a million of the most frequent calls cost beyond what the paid plan includes, by the rows that
 * test/budgets/budgets.json allows. docs/operations.md has the same table: `npm run docs` compares them.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** US dollars a million, by Cloudflare's prices of 2026-11. A message of a queue is three operations. */
const PRICES = { requests: 0.3, lines: 0.6, messages: 3 * 0.4, rowsWritten: 1, rowsRead: 0.001 };

type Used = Readonly<Partial<Record<keyof typeof PRICES, number>>>;

const BUDGETS = Object.assign(
  {},
  ...Object.values(
    JSON.parse(readFileSync(path.resolve(import.meta.dirname, "../test/budgets/budgets.json"), "utf8")) as Readonly<
      Record<string, Readonly<Record<string, Used>>>
    >,
  ),
) as Readonly<Record<string, Used>>;

/** Returns the rows of a budget. */
function rowsOf(name: string): Used {
  const { rowsRead, rowsWritten } = BUDGETS[name] ?? {};
  if (rowsRead === undefined || rowsWritten === undefined) throw new Error(`budgets.json has no "${name}".`);
  return { rowsRead, rowsWritten };
}

/** Adds what is used, each so many times. */
function add(...parts: readonly (readonly [times: number, used: Used])[]): Used {
  const kinds = Object.keys(PRICES) as (keyof typeof PRICES)[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, parts.reduce((sum, [times, used]) => sum + times * (used[kind] ?? 0), 0)]),
  );
}

const ANSWERED: Used = { requests: 1, lines: 1 };
const MESSAGE: Used = { messages: 1 };

const [ONE, MANY, SUBSCRIPTIONS, IN_TURN] = [rowsOf("fan-out to 1"), rowsOf("fan-out to 500"), 500, 5];
const perDelivery = add([1 / (SUBSCRIPTIONS - 1), MANY], [-1 / (SUBSCRIPTIONS - 1), ONE]);
const delivery = add([1, perDelivery], [1 / IN_TURN, rowsOf("five deliveries in a turn")], [1 / IN_TURN, MESSAGE]);
const fanOut = add([1, ONE], [-1, perDelivery], [2, MESSAGE]);
const missed = add([1, ANSWERED], [1, rowsOf("article by slug")]);

const CALLS: readonly (readonly [name: string, used: Used])[] = [
  ["anonymous reads, 90 % of them answered by the edge", add([0.9, { requests: 1 }], [0.1, missed])],
  ["anonymous reads that all miss", missed],
  ["drafts created, without subscriptions", add([1, ANSWERED], [1, rowsOf("create a draft, without subscriptions")])],
  [
    "articles created, with 10 subscriptions",
    add([1, ANSWERED], [1, rowsOf("create with a slug")], [1, fanOut], [10, delivery]),
  ],
  ["deliveries", delivery],
];

/** Returns the table, in Markdown. */
export function formatCosts(): string {
  const rows = CALLS.map(([name, used]) => {
    const kinds = Object.entries(PRICES) as [keyof typeof PRICES, number][];
    const dollars = kinds.reduce((sum, [kind, price]) => sum + price * (used[kind] ?? 0), 0);
    return [name, dollars.toFixed(2), (used.rowsWritten ?? 0).toFixed(2)];
  });
  const head = ["a million", "US dollars", "of which rows written"];
  const widths = head.map((title, n) => Math.max(title.length, ...rows.map((row) => row[n]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(formatCosts());
