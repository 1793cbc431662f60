/** What every refusal looks like, and that it stored nothing. */
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/errors.ts";
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

/** What tells of the inside: traces, SQL, names of libraries. */
const LEAK =
  /\bat .*\.(?:ts|js):\d+|node_modules|SQLITE|D1_|ZodError|TypeError|RangeError|\b(?:insert into|update .* set|delete from)\b|drizzle/i;

/** Reads a refusal and checks all that any refusal has; of several codes, one has to be it. */
export async function refusalOf(response: Response, ...codes: readonly ErrorCode[]): Promise<Problem> {
  const text = await response.text();
  const problem = parse(text, response.status);
  expect(codes, text.slice(0, 500)).toContain(problem.code);
  const { status, title } = ERRORS[problem.code];
  expect({ status: response.status, type: response.headers.get("Content-Type") }).toEqual({
    status,
    type: "application/json",
  });
  expect(problem).toMatchObject({ status, title, requestId: response.headers.get("X-Request-Id") });
  expect(problem.type).toMatch(new RegExp(`^https://edgepress\\.test/docs/errors#${problem.code}$`));
  expect(problem.detail).not.toBe("");
  const members = ["type", "title", "status", "code", "detail", "requestId"];
  expect(Object.keys(problem)).toEqual(problem.errors === undefined ? members : [...members, "errors"]);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(text).not.toMatch(LEAK);
  return problem;
}

function parse(text: string, status: number): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    throw new Error(`${status} without JSON: ${text.slice(0, 500)}`);
  }
}

/** The fields that a refusal names, without the places inside of them. */
export const fieldsOf = (problem: Problem): string[] => [
  ...new Set((problem.errors ?? []).map(({ path }) => path.split(".")[0] ?? "")),
];

type Row = Record<string, unknown>;
type Dump = Record<string, Row[]>;

/** What the relay and the time of a credential's last use write beside any request. */
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

/** Every row of every table, without what is written beside any request. */
export async function dump(): Promise<Dump> {
  const names = (await tables()).filter((name) => !OF_THE_EDGE.has(name));
  const found = await env.DB.batch<Row>(names.map((name) => env.DB.prepare(`select * from "${name}" order by 1`)));
  return Object.fromEntries(
    names.map((name, index) => [name, (found[index]?.results ?? []).map((row) => without(row, BESIDE[name] ?? []))]),
  );
}

const without = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));

/** Waits until a query counts nothing any more. */
const untilNone = (what: string, query: string): Promise<void> =>
  vi.waitFor(async () => expect(await env.DB.prepare(query).first("n"), what).toBe(0), PATIENCE);

/**
 * Waits until the queues have nothing left to do, so that no row changes by itself. `refreshesHeld`: tests of this
 * file hold the queue of refreshes, and what they have begun does not end.
 */
export async function quiet({ refreshesHeld = false } = {}): Promise<void> {
  await untilNone(
    "the relay does not come to rest",
    `select (select count(*) from events where fan_out_time is null)
       + (select count(*) from deliveries where state in ('open', 'claimed')) as n`,
  );
  if (refreshesHeld) return;
  const running = "select count(*) as n from topic_refreshes where state = 'running'";
  await untilNone("a refresh does not come to its end", running);
}

/** Runs requests and checks that they left every row of every table as it was; the option is that of {@link quiet}. */
export async function storingNothing(work: () => Promise<void>, rest?: Parameters<typeof quiet>[0]): Promise<void> {
  await quiet(rest);
  const before = await dump();
  await work();
  const after = await dump();
  const counts = (rows: Dump) => Object.fromEntries(Object.entries(rows).map(([name, { length }]) => [name, length]));
  // Counts first: their difference reads better than that of the rows.
  expect(counts(after)).toEqual(counts(before));
  expect(after).toEqual(before);
}
