/**
 * The service with databases that can be held. The local runtime answers all databases by one thread; here, one can take its time for each
 * query, one after the other, as a database of D1 does, or hang, or fail. `POST /held` says how: `{"DB_1": {"milliseconds": 20}}`.
 */
import worker from "../../src/worker.ts";
import type { Held } from "../fixture.ts";

let held: Readonly<Record<string, Held>> = {};
/** When a database has answered all that it was asked. */
const free = new Map<string, number>();

/** Milliseconds after which D1 gives a query up. */
const LONGEST_MS = 30_000;

async function hold(name: string): Promise<void> {
  const { milliseconds = 0, how = "works" } = held[name] ?? {};
  if (how === "hangs") await scheduler.wait(LONGEST_MS);
  if (how !== "works") throw new Error(`D1_ERROR: ${name} ${how}`);
  if (milliseconds === 0) return;
  const now = Date.now();
  const end = Math.max(now, free.get(name) ?? 0) + milliseconds;
  free.set(name, end);
  await scheduler.wait(end - now);
}

class Statement {
  readonly own: D1PreparedStatement;
  readonly #name: string;

  constructor(name: string, own: D1PreparedStatement) {
    this.#name = name;
    this.own = own;
  }

  bind = (...values: unknown[]) => new Statement(this.#name, this.own.bind(...values));
  all = () => hold(this.#name).then(() => this.own.all());
  run = () => hold(this.#name).then(() => this.own.run());
  raw = () => hold(this.#name).then(() => this.own.raw());
}

const wrap = (name: string, db: Pick<D1Database, "prepare" | "batch">) => ({
  prepare: (text: string) => new Statement(name, db.prepare(text)),
  batch: (statements: readonly Statement[]) => hold(name).then(() => db.batch(statements.map(({ own }) => own))),
});

let wrapped: Env | undefined;

function wrapAll(env: Env): Env {
  const databases = Object.entries(env).filter(([name]) => /^DB(?:_\d+)?$/.test(name)) as [string, D1Database][];
  const each = databases.map(([name, db]) => {
    const withSession = (at: D1SessionBookmark) => wrap(name, db.withSession(at));
    return [name, { ...wrap(name, db), withSession }];
  });
  return { ...env, ...(Object.fromEntries(each) as object) };
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === "/held") {
      held = await request.json();
      return new Response();
    }
    return worker.fetch(request, (wrapped ??= wrapAll(env)), context);
  },
};
