/** Runs before each file of the project "worker": loads src/, empties the storage, makes the tables. */
import { applyD1Migrations, env, reset } from "cloudflare:test";
import { WorkerEntrypoint } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

declare global {
  interface ImportMeta {
    /** Vite replaces a call by an object: the path of each file that matches, and a function that imports it. */
    glob(patterns: readonly string[]): Record<string, () => Promise<unknown>>;
    /** With these options: the texts of the files. */
    glob(pattern: string, options: { query: "?raw"; import: "default"; eager: true }): Record<string, string>;
  }
}

// What src loads on first use is loaded before the first test. Otherwise a queue consumer might load a module while a file
// ends and vitest's connection closes: the failure stays in the module cache, and later files fail.
// Once is enough for all files of a workerd: to ask for hundreds of modules again takes seconds.
const workerd = globalThis as { isLoaded?: boolean; schema?: readonly string[] };
if (workerd.isLoaded !== true) {
  keepOneProxy();
  knowLoadedModules();
  const loadable = import.meta.glob(["../../src/**/*.{ts,tsx}", "!../../src/**/*.d.ts"]);
  const packages = [import("bowser"), import("diff"), import("temporal-polyfill")];
  await Promise.all([...Object.values(loadable).map((load) => load()), ...packages]);
  // Rows of the ledger would appear in between.
  (await import("../../src/meter.ts")).flushing.until = Infinity;
  workerd.isLoaded = true;
}

/**
 * Wraps the prototype of the Worker's class in one proxy only. The test pool adds one for each message of a queue, and each
 * lookup of a handler goes through all of them (perhaps cloudflare/workers-sdk, issue 15446): after some hundred files, this
 * took most of the time.
 */
function keepOneProxy(): void {
  const Native = Proxy;
  const kept = new WeakSet();
  globalThis.Proxy = new Native(Native, {
    construct(_, [target, handler]: [object, ProxyHandler<object>]) {
      if (kept.has(target)) return target;
      const made = new Native(target, handler);
      if (target instanceof WorkerEntrypoint) kept.add(made);
      return made;
    },
  });
}

/** The part of vitest's module runner that {@link knowLoadedModules} changes. */
type ModuleRunner = { transport: { invoke(method: string, parameters: readonly unknown[]): Promise<unknown> } };

/**
 * Answers `import()` of a loaded module without asking the module runner's transport. The test pool wraps that once more for
 * each file, in a request to the Durable Object that runs the tests: after 300 files, one `import()` took 300 requests, one
 * within the other. (What `vi.mock` replaces would have to be asked for; no
 * test of this project uses it.)
 */
function knowLoadedModules(): void {
  const { __vitest_mocker__: mocker } = globalThis as unknown as { __vitest_mocker__: { moduleRunner: ModuleRunner } };
  const { transport } = mocker.moduleRunner;
  const ask = transport.invoke.bind(transport);
  const invoke: typeof ask = async (method, parameters) => {
    const { cached = false } = (parameters[2] ?? {}) as { cached?: boolean };
    return method === "fetchModule" && cached ? { cache: true } : ask(method, parameters);
  };
  Object.defineProperty(transport, "invoke", {
    get: () => invoke,
    set() {
      // The wrapper of a later file.
    },
  });
}

// The files share workerd and its modules, but not rows, stored files and messages.
beforeAll(async () => {
  // `reset` empties only a database that is loaded, and one that nobody uses is unloaded: so use it first.
  const databases = [env.DB, env.TEST_DB_1, env.TEST_DB_2];
  for (const db of databases) await db.prepare("select 1").run();
  await reset();
  for (const db of databases) {
    const { results } = await db.prepare("select 1 from sqlite_schema where name = 'organizations'").all();
    if (results.length > 0) throw new Error("A database still has the rows of another file.");
  }
  if (workerd.schema === undefined) {
    await applyD1Migrations(env.DB, env.MIGRATIONS);
    workerd.schema = await schemaOf(env.DB);
  } else {
    await env.DB.batch(workerd.schema.map((statement) => env.DB.prepare(statement)));
  }
});

/**
 * Returns the statements that make the tables of a new database, and its list of migrations: to run them takes a tenth of
 * the time of the migrations. Those that FTS5 makes for itself are left out.
 */
async function schemaOf(db: D1Database): Promise<string[]> {
  const { results: made } = await db
    .prepare(
      `select sql from sqlite_schema where sql is not null and name not like 'sqlite!_%' escape '!'
        and name not like '!_cf!_%' escape '!' and name not like 'article!_text!_%' escape '!'
        or name = 'article_text_terms' order by rowid`,
    )
    .all<{ sql: string }>();
  const { results: migrations } = await db
    .prepare("select name from d1_migrations order by id")
    .all<{ name: string }>();
  return [
    ...made.map(({ sql }) => sql),
    ...migrations.map(({ name }) => `insert into d1_migrations (name) values ('${name}')`),
  ];
}

// The log of a test is shown if the test fails. Vitest does that, too, but it sends each line to another process first.
const show = console.log;
let lines: unknown[][] = [];
console.log = (...line) => void lines.push(line);
beforeEach(() => {
  lines = [];
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") for (const line of lines) show(...line);
});
afterAll(() => {
  console.log = show;
});
