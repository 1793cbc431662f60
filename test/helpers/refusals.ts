/** Checks that an error response has the right form, and that a refused request stored nothing. */
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { PATIENCE } from "./webhooks.ts";

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  requestId: string;
  errors?: { path: string; message: string }[];
};

/** Matches details of the implementation, which no response may contain: stack traces, SQL, names of libraries. */
const LEAK =
  /\bat .*\.(?:ts|js):\d+|node_modules|SQLITE|D1_|ZodError|TypeError|RangeError|\b(?:insert into|update .* set|delete from)\b|drizzle/i;

/**
 * Reads an error response, checks everything that all of them have in common, and that its code is one of `codes`. Plain
 * comparisons, with one `expect` for those that fail: some ten thousand responses come this way, and an `expect` for each
 * of their members took longer than the requests.
 */
export async function refusalOf(response: Response, ...codes: readonly ErrorCode[]): Promise<Problem> {
  const text = await response.text();
  const problem = parse(text, response.status);
  if (!codes.includes(problem.code)) expect(codes, text.slice(0, 500)).toContain(problem.code);
  const wrong = wrongWith(response, problem, text);
  if (wrong.length > 0) expect(wrong, text.slice(0, 500)).toEqual([]);
  return problem;
}

/** What is not as it is in every error response. */
function wrongWith({ status, headers }: Response, problem: Problem, text: string): string[] {
  const known = ERRORS[problem.code];
  const members = Object.keys(problem).join();
  const isRight = {
    status: status === known.status && problem.status === status,
    "Content-Type": headers.get("Content-Type") === "application/json",
    "Cache-Control": headers.get("Cache-Control") === "no-store",
    members: members === MEMBERS || members === `${MEMBERS},errors`,
    type: problem.type === `https://edgepress.test/docs/errors#${problem.code}`,
    title: problem.title === known.title,
    requestId: problem.requestId === headers.get("X-Request-Id"),
    detail: problem.detail !== "",
    "nothing of the implementation": !LEAK.test(text),
  };
  return Object.entries(isRight).flatMap(([name, right]) => (right ? [] : [`${name} is wrong`]));
}

/** The members of every error, in their order; those about a field have `errors`, too. */
const MEMBERS = "type,title,status,code,detail,requestId";

function parse(text: string, status: number): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    throw new Error(`${status} without JSON: ${text.slice(0, 500)}`);
  }
}

/** Returns the top-level fields that an error names. */
export const fieldsOf = (problem: Problem): string[] => [
  ...new Set((problem.errors ?? []).map(({ path }) => path.split(".")[0] ?? "")),
];

type Row = Record<string, unknown>;
type Dump = Record<string, Row[]>;

/** Columns that change independently of a request: by the relay, and by the time of a credential's last use. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  credentials: ["last_used_time"],
  events: ["fan_out_time"],
};

/** Tables that the consumer of purges and the sweep write to by themselves. */
const OF_THE_EDGE: ReadonlySet<string> = new Set(["purges", "last_times"]);

/** The names of all tables that the service writes to; those in which the full text index keeps itself are not its. */
export async function tables(): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*' and name not glob 'article_text_*' and name <> 'd1_migrations' order by name",
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** Returns every row of every table, without the columns of `BESIDE`. */
export function dump(): Promise<Dump> {
  return dumpOf((column) => `"${column}"`);
}

/** As {@link dump}; of what is long, its beginning, its length and its end: to read megabytes takes longer than most tests. */
const shortDump = (): Promise<Dump> =>
  dumpOf(
    (column) =>
      `iif(octet_length("${column}") > 20000, substr("${column}", 1, 999) || octet_length("${column}") || substr("${column}", -999), "${column}") as "${column}"`,
  );

async function dumpOf(selected: (column: string) => string): Promise<Dump> {
  const names = (await tables()).filter((name) => !OF_THE_EDGE.has(name));
  const { results } = await env.DB.prepare(
    "select t.value as name, c.name as column from json_each(?) t, pragma_table_info(t.value) c",
  )
    .bind(JSON.stringify(names))
    .all<{ name: string; column: string }>();
  const columns = Map.groupBy(
    results.filter(({ name, column }) => !BESIDE[name]?.includes(column)),
    ({ name }) => name,
  );
  const queries = names.map(
    (name) =>
      `select ${columns
        .get(name)
        ?.map(({ column }) => selected(column))
        .join()} from "${name}" order by 1`,
  );
  const found = await env.DB.batch<Row>(queries.map((query) => env.DB.prepare(query)));
  return Object.fromEntries(names.map((name, index) => [name, found[index]?.results ?? []]));
}

/** Waits until a query returns the count 0. */
const untilNone = (what: string, query: string): Promise<void> =>
  vi.waitFor(async () => expect(await env.DB.prepare(query).first("n"), what).toBe(0), PATIENCE);

/**
 * Waits until the queues have no work left, so that rows change only through requests. Set `refreshesHeld` in a test
 * file that holds the queue of refreshes, because the refreshes there never end.
 */
export async function quiet({ refreshesHeld = false } = {}): Promise<void> {
  await untilNone(
    "the relay does not come to rest",
    `select (select count(*) from events where fan_out_time is null)
       + (select count(*) from deliveries where state in ('open', 'claimed'))
       + (select count(*) from media where library = 1 and sizes is null) as n`,
  );
  if (refreshesHeld) return;
  const running = "select count(*) as n from topic_refreshes where state = 'running'";
  await untilNone("a refresh does not come to its end", running);
}

/** Runs requests and checks that no row of any table has changed. `rest` is passed to {@link quiet}. */
export async function storingNothing(work: () => Promise<void>, rest?: Parameters<typeof quiet>[0]): Promise<void> {
  const before = await restingRows(rest);
  await work();
  if ((await changes()) === before.changes) return;
  const after = await shortDump();
  const counts = (rows: Dump) => Object.fromEntries(Object.entries(rows).map(([name, { length }]) => [name, length]));
  // Compares the numbers of rows first, because a difference of them is easier to read.
  expect(counts(after)).toEqual(counts(before.dump));
  expect(after).toEqual(before.dump);
}

/** Returns what is another text after each change of any row: SQLite counts them. Each file of tests has its own database. */
export const changes = (): Promise<string | null> =>
  env.DB.prepare("select total_changes() || coalesce(min(id), '') as n from organizations").first<string>("n");

let last: { readonly changes: string | null; readonly dump: Dump } | undefined;

/**
 * Returns every row once the queues have no work left, and up to which change. Most refusals change none, so that the rows
 * are still those of the time before, and the queues at rest.
 */
async function restingRows(rest?: Parameters<typeof quiet>[0]) {
  if (last?.changes !== (await changes())) {
    await quiet(rest);
    last = { changes: await changes(), dump: await shortDump() };
  }
  return last;
}
