/**
 * Runs both Workers in one workerd, each with its own socket. Miniflare provides D1, queues and rate limits as
 * `wrangler dev` does, but requests do not pass through its entry Worker or wrangler's proxies.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as optionsOf } from "wrangler";
import { listModules } from "../scripts/lib/build-worker.ts";
import { getDatabaseId, listLocalDatabases } from "../scripts/lib/local-database.ts";
import type { D1, Fixture } from "./fixture.ts";
import { measuredArticle } from "./seed.ts";

export const PORTS = { entry: 9180, service: 9181, bare: 9182, receiver: 9183 } as const;
/** Those of the Worker of another commit. */
export const FORMER_PORTS = { entry: 9190, service: 9191, bare: 9192 } as const;

export type Runtime = {
  readonly db: D1;
  readonly openShard: (name: string) => Promise<D1>;
  /** Runs what the cron runs each minute. */
  readonly sweep: () => Promise<void>;
  /** Warnings and errors from the log. There should be none. */
  readonly troubles: readonly string[];
  readonly stop: () => Promise<void>;
};
/** The paths of the bundles. */
export type Scripts = { readonly service: string; readonly bare?: string };

/** Effectively no limit, because the whole load comes from one caller. */
const UNLIMITED = { namespace_id: "1001", simple: { limit: 1e9, period: 60 } } as const;

export type Options = {
  readonly consumers: boolean;
  readonly fixture?: Fixture;
  /** The checkout that the service was built of, and its ports. */
  readonly root?: string;
  readonly ports?: Record<keyof typeof FORMER_PORTS, number>;
};

/** Starts workerd with the state in `folder`, whose shards are bindings. Without consumers, the queues accept messages and drop them. */
export async function start(
  scripts: Scripts,
  folder: string,
  { consumers, fixture, root = ".", ports = PORTS }: Options,
): Promise<Runtime> {
  const { workerOptions } = optionsOf(join(root, "wrangler.toml"));
  const { compatibilityDate, compatibilityFlags, queueProducers, queueConsumers, ratelimits } = workerOptions;
  const platform = {
    compatibilityDate,
    compatibilityFlags,
    d1Databases: Object.fromEntries(listLocalDatabases(folder).map((name) => [name, { id: getDatabaseId(name) }])),
    queueProducers,
    ratelimits: Object.fromEntries(Object.keys(ratelimits ?? {}).map((name) => [name, UNLIMITED])),
    cacheAPI: false,
  } as const;
  const troubles: string[] = [];
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: ports.entry,
      cf: false,
      logRequests: false,
      resourcePersistencePath: join(folder, "v3"),
      handleStructuredLogs({ level, message }) {
        if (level === "error" || level === "warn" || /"level":"(error|warn)"/.test(message)) troubles.push(message);
      },
      workers: [
        {
          ...platform,
          name: "edgepress",
          ...listModules(scripts.service),
          bindings: {
            ENVIRONMENT: "production",
            ALLOW_LOOPBACK_WEBHOOKS: "true",
            AUTH_SECRET: "of no use beyond this measurement",
            BASE_URL: `http://127.0.0.1:${ports.service}`,
          },
          queueConsumers: consumers ? queueConsumers : {},
          unsafeDirectSockets: [{ host: "127.0.0.1", port: ports.service }],
        },
        {
          ...platform,
          name: "bare",
          ...listModules(scripts.bare ?? scripts.service),
          bindings: {
            ORGANIZATION_ID: fixture?.organizationId ?? "",
            BLOG_ID: fixture?.blogId ?? "",
            KEY_ID: fixture?.keyId ?? "",
            ARTICLE: measuredArticle(),
          },
          unsafeDirectSockets: [{ host: "127.0.0.1", port: ports.bare }],
        },
      ].slice(0, scripts.bare === undefined ? 1 : 2),
    } as V4MiniflareOptions),
  );
  await miniflare.ready;
  return {
    db: await miniflare.getD1Database("DB", "edgepress"),
    openShard: (name) => miniflare.getD1Database(name, "edgepress"),
    sweep: async () => void (await (await miniflare.getWorker("edgepress")).scheduled({ cron: "* * * * *" })),
    troubles,
    stop: () => miniflare.dispose(),
  };
}

/** Applies all migrations of `root`, like `npm run migrate`. */
export async function migrate(db: D1, root = "."): Promise<void> {
  await db.exec("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)");
  const files = (await readdir(join(root, "migrations"))).filter((name) => name.endsWith(".sql")).sort();
  for (const file of files) {
    const statements = (await readFile(join(root, "migrations", file), "utf8")).split("--> statement-breakpoint");
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}
