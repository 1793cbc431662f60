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
export function updateCosts(document: string, budgets: Budgets): string {
  const head = ["a million", "US dollars", "of which rows written"];
  const rows = Object.entries(computeUses(budgets)).map(([name, use]) => [
    name,
    formatDollars(computeCost(use)),
    formatDollars(computeCost({ rowsWritten: use.rowsWritten ?? 0 })),
  ]);
  return replaceSection(document, "costs", renderTable([head, ...rows]));
}

/** A message is written, read and deleted. */
const MESSAGE: Use = { queueOperations: 3 };

function computeUses({ routes, webhooks }: Budgets): Readonly<Record<string, Use>> {
  const read = getBudget(routes, "article by slug");
  const create = getBudget(routes, "create with a slug");
  const fanOut = getBudget(webhooks, "fan-out to nobody");
  const toOne = getBudget(webhooks, "fan-out to 1");
  const toMany = getBudget(webhooks, "fan-out to 500");
  const turn = getBudget(webhooks, "five deliveries in a turn");
  const made = { rowsWritten: (toMany.rowsWritten - toOne.rowsWritten) / 499 };
  // A fan-out counts its deliveries once, however many there are.
  const counted = { rowsWritten: toOne.rowsWritten - fanOut.rowsWritten - made.rowsWritten };
  const delivery = addUses(multiplyUse(turn, 1 / 5), made, multiplyUse(MESSAGE, 1 / 5));
  const article = addUses(create, fanOut, multiplyUse(MESSAGE, 2), { requests: 1, logLines: 1 });
  const miss = addUses(read, { logLines: 1 });
  return {
    "anonymous reads, 90 % of them answered by the edge": addUses({ requests: 1 }, multiplyUse(miss, 0.1)),
    "anonymous reads that all miss": addUses({ requests: 1 }, miss),
    "articles created, without subscriptions": article,
    "articles created, with 10 subscriptions": addUses(article, counted, multiplyUse(delivery, 10)),
    deliveries: delivery,
  };
}

function getBudget(
  budgets: Readonly<Record<string, Budget>>,
  name: string,
): Required<Pick<Use, "rowsRead" | "rowsWritten">> {
  const found = budgets[name];
  if (found === undefined) throw new Error(`There is no budget "${name}".`);
  return { rowsRead: found.rowsRead, rowsWritten: found.rowsWritten };
}

const KEYS = Object.keys(PRICES) as (keyof typeof PRICES)[];

const addUses = (...uses: readonly Use[]): Use =>
  Object.fromEntries(KEYS.map((key) => [key, uses.reduce((sum, use) => sum + (use[key] ?? 0), 0)]));

const multiplyUse = (use: Use, factor: number): Use =>
  Object.fromEntries(KEYS.map((key) => [key, (use[key] ?? 0) * factor]));

const computeCost = (use: Use): number => KEYS.reduce((sum, key) => sum + (use[key] ?? 0) * PRICES[key], 0);

const formatDollars = (amount: number): string => amount.toFixed(2);

function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(" | ")} |\n`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("");
}
