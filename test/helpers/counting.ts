/** Counts what requests do in D1: statements, round trips, rows. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createApp } from "../../src/surfaces/app.ts";
import { RENDERER } from "../../src/domain/rendering.ts";
import { newId } from "../../src/lib/ids.ts";
import { makeRendering } from "../../src/store/articles/renderings.ts";
import { UNLIMITED } from "./limiter.ts";
import { HeldQueue } from "./relay.ts";
import { authorization, ORIGIN, type Send } from "./requests.ts";
import type { Tenant } from "./tenant.ts";

/** The cost of some work. Rows are counted as D1 bills them. */
export type Counts = { roundTrips: number; queries: number; rowsRead: number; rowsWritten: number };

/** A statement that was run, with the numbers of rows that it read and wrote. */
export type Ran = {
  readonly text: string;
  readonly params: readonly unknown[];
  readonly rowsRead: number;
  readonly rowsWritten: number;
};

export type Counter = { readonly db: D1Database; readonly counts: Counts; readonly ran: Ran[] };

/** Returns the real database in a wrapper that counts. `counts` and `ran` grow with each statement. */
export function countingDatabase(): Counter {
  const counts: Counts = { roundTrips: 0, queries: 0, rowsRead: 0, rowsWritten: 0 };
  const ran: Ran[] = [];
  const count = (statements: readonly Counted[], results: readonly D1Result[]) => {
    counts.roundTrips += 1;
    for (const [index, { text, params }] of statements.entries()) {
      const { rows_read: rowsRead = 0, rows_written: rowsWritten = 0 } = results[index]?.meta ?? {};
      counts.queries += 1;
      counts.rowsRead += rowsRead;
      counts.rowsWritten += rowsWritten;
      ran.push({ text, params, rowsRead, rowsWritten });
    }
  };
  return { db: wrapped(env.DB, count), counts, ran };
}

type Counted = Pick<Ran, "text" | "params"> & { readonly real: D1PreparedStatement };

/** Wraps only the methods that the stores use. Others are missing, so that no statement can stay uncounted. */
function wrapped(
  real: Pick<D1Database, "prepare" | "batch">,
  count: (statements: readonly Counted[], results: readonly D1Result[]) => void,
): D1Database {
  const statement = (text: string, params: readonly unknown[], prepared: D1PreparedStatement) => {
    const run = async () => {
      const result = await prepared.all<object>();
      count([counted], [result]);
      return result;
    };
    const bind = (...values: unknown[]): unknown => statement(text, values, prepared.bind(...values));
    // Drizzle calls `raw`, whose result has no row counts. So it runs `all`, and the rows are converted.
    const raw = async () => (await run()).results.map((row) => Object.values(row));
    const counted = { text, params, real: prepared, bind, all: run, run, raw };
    return counted;
  };
  const database: unknown = {
    prepare: (text: string) => statement(text, [], real.prepare(text)),
    async batch(statements: readonly Counted[]) {
      const results = await real.batch(statements.map((each) => each.real));
      count(statements, results);
      return results;
    },
    withSession: (constraint: D1SessionConstraint) => wrapped(env.DB.withSession(constraint), count),
  };
  return database as D1Database;
}

const app = createApp([
  {
    path: "/previews",
    load: async () => (await import("../../src/surfaces/console/reader-pages/previews.tsx")).handle,
  },
]);

/** Sends one request, to the API or a preview, and counts its work. `events` holds what it sends to the events queue. */
export async function counted(
  path: string,
  { as = {}, method, body, headers }: Send = {},
): Promise<Counter & { readonly response: Response; readonly events: HeldQueue<unknown> }> {
  const counter = countingDatabase();
  const context = createExecutionContext();
  const events = new HeldQueue<unknown>();
  const bindings = { ...env, ...UNLIMITED, DB: counter.db, EVENTS: events } as unknown as Env;
  const request = new Request(new URL(path, ORIGIN), {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...authorization(as), ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    ...(body !== undefined && { body: body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const response = await app.fetch(request, bindings, context);
  await waitOnExecutionContext(context);
  return { ...counter, response, events };
}

/** Keeps credentials from storing the time of their use, which they do once a minute. Counts must not depend on it. */
export async function noteNoUse(): Promise<void> {
  await env.DB.prepare("update credentials set last_used_time = '9999-12-31T00:00:00.000Z'").run();
}

const LOCALES = ["en", "de", "fr"];

/** Fills a blog with rendered articles: every second one is a draft, the locales alternate. Returns the ids, oldest first. */
export async function seedArticles(tenant: Tenant, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: newId(),
    slug: `article-${n}`,
    locale: LOCALES[n % LOCALES.length],
    published: Math.floor(n / LOCALES.length) % 2,
    time: new Date(Date.parse("2024-01-01T00:00:00Z") + n * 60_000).toISOString(),
  }));
  for (let start = 0; start < count; start += 1000) {
    await env.DB.prepare(
      `insert into articles (id, organization_id, blog_id, title, description, slug, locale, cover_url, published,
         public_time, publish_time, version, creation_time, last_edit_time, content)
       select value ->> 'id', ?1, ?2, 'Title', '', value ->> 'slug', value ->> 'locale', '', value ->> 'published',
         iif(value ->> 'published', value ->> 'time', null), iif(value ->> 'published', value ->> 'time', null),
           value ->> 'id', value ->> 'time', value ->> 'time', 'Content'
       from json_each(?3)`,
    )
      .bind(tenant.organizationId, tenant.blogId, JSON.stringify(rows.slice(start, start + 1000)))
      .run();
  }
  const { packed, html } = await makeRendering("Content");
  await env.DB.batch([
    env.DB.prepare("update articles set packed = ? where organization_id = ?").bind(packed, tenant.organizationId),
    env.DB.prepare(
      `update article_renderings set renderer = ?2, state = 'done', reading_minutes = 1, excerpt = 'Content', html_bytes = ?3
       where organization_id = ?1`,
    ).bind(tenant.organizationId, RENDERER, html.length),
  ]);
  return rows.map(({ id }) => id);
}

/** Arguments that a function of SQL may have by D1's documentation. A local run takes more (test/budgets/ looks all the same). */
const MOST_ARGUMENTS = 32;

/** Returns the most arguments that one of SQL's JSON functions has in a statement. */
function mostArguments(text: string): number {
  const counts = Array.from(text.matchAll(/\bjson_\w+\(/g), ({ 0: { length }, index }) => {
    let [depth, found] = [1, 1];
    for (const [token] of text.slice(index + length).matchAll(/'[^']*'|"[^"]*"|[(),]/g)) {
      if (token === "(") depth++;
      else if (token === ")") depth--;
      else if (token === "," && depth === 1) found++;
      if (depth === 0) break;
    }
    return found;
  });
  return Math.max(0, ...counts);
}

/**
 * Throws if the work costs more than the table allows for `name`, or less, so that the table is kept up to date; and if D1
 * might refuse a statement of it.
 */
export function expectWithin(name: string, table: Readonly<Record<string, Counts>>, { counts, ran }: Counter): void {
  const refused = ran.find(({ text }) => mostArguments(text) > MOST_ARGUMENTS);
  if (refused !== undefined) throw new Error(`More than ${MOST_ARGUMENTS} arguments of a function: ${refused.text}`);
  const allowed = table[name];
  const line = `${JSON.stringify(name)}: ${JSON.stringify(counts)}`;
  if (allowed === undefined) throw new Error(`This has no budget yet. Add to budgets.json: ${line}`);
  const kinds = Object.keys(counts) as (keyof Counts)[];
  const more = kinds.filter((kind) => counts[kind] > allowed[kind]);
  if (more.length > 0) throw new Error(`Over its budget of ${JSON.stringify(allowed)} in ${more.join(", ")}: ${line}`);
  const fewer = kinds.filter((kind) => counts[kind] < allowed[kind]);
  if (fewer.length > 0) throw new Error(`Cheaper than its budget. Lower it in budgets.json: ${line}`);
}
