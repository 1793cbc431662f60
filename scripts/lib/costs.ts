/** Renders the table of costs in docs/operations.md from the budgets of the tests. */
import { replaceSection } from "./section.ts";

type Budget = { readonly rowsRead: number; readonly rowsWritten: number };
type Budgets = {
  readonly routes: Readonly<Record<string, Budget>>;
  readonly webhooks: Readonly<Record<string, Budget>>;
};

/** US dollars a million, beyond what the paid plan includes (Cloudflare's prices of 2026-11). */
const PRICES = { requests: 0.3, queueOperations: 0.4, rowsWritten: 1, rowsRead: 0.001, logLines: 0.6 };

/** How much of each one thing uses. */
type Use = Partial<Record<keyof typeof PRICES, number>>;

/** Returns the document with a new table. Throws if it lacks the marker lines, or the budgets lack a row. */
export function withCosts(document: string, budgets: Budgets): string {
  const head = ["a million", "US dollars", "of which rows written"];
  const rows = Object.entries(usesOf(budgets)).map(([name, use]) => [
    name,
    dollars(costOf(use)),
    dollars(costOf({ rowsWritten: use.rowsWritten ?? 0 })),
  ]);
  return replaceSection(document, "costs", tableOf([head, ...rows]));
}

/** A message is written, read and deleted. */
const MESSAGE: Use = { queueOperations: 3 };

function usesOf({ routes, webhooks }: Budgets): Readonly<Record<string, Use>> {
  const read = of(routes, "article by slug");
  const create = of(routes, "create with a slug");
  const fanOut = of(webhooks, "fan-out to nobody");
  const toOne = of(webhooks, "fan-out to 1");
  const toMany = of(webhooks, "fan-out to 500");
  const turn = of(webhooks, "five deliveries in a turn");
  const made = { rowsWritten: (toMany.rowsWritten - toOne.rowsWritten) / 499 };
  // A fan-out counts its deliveries once, however many there are.
  const counted = { rowsWritten: toOne.rowsWritten - fanOut.rowsWritten - made.rowsWritten };
  const delivery = plus(times(turn, 1 / 5), made, times(MESSAGE, 1 / 5));
  const article = plus(create, fanOut, times(MESSAGE, 2), { requests: 1, logLines: 1 });
  const miss = plus(read, { logLines: 1 });
  return {
    "anonymous reads, 90 % of them answered by the edge": plus({ requests: 1 }, times(miss, 0.1)),
    "anonymous reads that all miss": plus({ requests: 1 }, miss),
    "articles created, without subscriptions": article,
    "articles created, with 10 subscriptions": plus(article, counted, times(delivery, 10)),
    deliveries: delivery,
  };
}

function of(budgets: Readonly<Record<string, Budget>>, name: string): Required<Pick<Use, "rowsRead" | "rowsWritten">> {
  const found = budgets[name];
  if (found === undefined) throw new Error(`There is no budget "${name}".`);
  return { rowsRead: found.rowsRead, rowsWritten: found.rowsWritten };
}

const KEYS = Object.keys(PRICES) as (keyof typeof PRICES)[];

const plus = (...uses: readonly Use[]): Use =>
  Object.fromEntries(KEYS.map((key) => [key, uses.reduce((sum, use) => sum + (use[key] ?? 0), 0)]));

const times = (use: Use, factor: number): Use => Object.fromEntries(KEYS.map((key) => [key, (use[key] ?? 0) * factor]));

const costOf = (use: Use): number => KEYS.reduce((sum, key) => sum + (use[key] ?? 0) * PRICES[key], 0);

const dollars = (amount: number): string => amount.toFixed(2);

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |\n`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("");
}
