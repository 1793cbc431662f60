import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type Plugin } from "vitest/config";
import { makeConfig } from "./scripts/lib/deployment.ts";
import { quiet } from "./test/helpers/quiet.ts";
import { keepTemporaryFilesInMemory } from "./test/helpers/temporary.ts";

quiet();
keepTemporaryFilesInMemory();

/** Returns the seed of the properties. Throws for what is no integer: a misspelled seed would silently be another one. */
function seedOf(given = "1"): number {
  if (!/^-?\d{1,10}$/.test(given)) throw new Error(`SEED must be an integer, not "${given}".`);
  return Number(given);
}

/** Whether the tests try all cases of their tables, and only those do that have more than they try every day. */
const exhaustive = process.env["EXHAUSTIVE"] === "1";

/** The queues of two deployments, which scripts name. */
const queues = [makeConfig("production", {}), makeConfig("staging", {})].flatMap(
  (config) => config.queues?.consumers?.map(({ queue }) => queue) ?? [],
);

const files = (include: readonly string[], exclude: readonly string[] = []) => ({
  include: exhaustive
    ? globSync(include, { exclude }).filter((file) => HAS_MORE.test(readFileSync(file, "utf8")))
    : [...include],
  exclude: [...exclude],
});

const HAS_MORE = /inject\("exhaustive"\)|\/(?:sample|fast-check|audit)\.ts"/;

/** For a busy machine: how long a poll waits for a delivery, a process or a page, and how often it looks, in milliseconds. */
const POLL = { timeout: 45_000, interval: 50 };

/**
 * Packages of many modules that `src` imports. Vite makes one module of each, once for all runs (node_modules/.vite): a workerd
 * would otherwise ask for about a thousand modules before its first test. A package that shares state with one of them must be
 * here, too, or it is loaded twice.
 */
const BUNDLED = [
  ["@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/openai-compatible", "ai", "workers-ai-provider"],
  ["better-auth/adapters/drizzle", "better-auth/api", "better-auth/minimal", "better-auth/plugins"],
  ["@better-auth/core/async_hooks", "@cloudflare/workers-oauth-provider", "@modelcontextprotocol/server"],
  ["drizzle-orm", "drizzle-orm/d1", "drizzle-orm/sqlite-core", "zod", "@hono/zod-openapi"],
  ["hono", "hono/body-limit", "hono/cookie", "hono/cors", "hono/csrf", "hono/factory", "hono/html", "hono/jsx"],
  ["hono/jsx/jsx-dev-runtime", "hono/jsx/jsx-runtime", "hono/jwt", "hono/secure-headers"],
  ["hono/utils/accept", "hono/utils/buffer", "feedsmith", "htmlparser2", "temporal-polyfill"],
  ["markdown-it", "markdown-it-cjk-friendly", "entities", "highlight.js/lib/core", "highlight.js/lib/languages/*"],
  ["@remix-run/multipart-parser", "@sindresorhus/slugify", "@zip.js/zip.js", "@zip.js/zip.js/lib/zip-core-native.js"],
  [
    "diff",
    "entities/decode",
    "franc-min",
    "hast-util-from-parse5",
    "hast-util-to-mdast",
    "jose",
    "normalize-url",
    "parse5",
  ],
  ["smol-toml", "unist-util-visit", "uuid", "yaml", "@modelcontextprotocol/client", "fast-check", "oauth4webapi"],
  ["@extractus/feed-extractor", "exifreader", "saxes", "stripe"],
].flat();

/** Files that replace modules (`vi.mock`). They share no modules with other files. */
const MOCKING = ["test/cli/{connection-client,listen,lock}.test.ts"];

/** Leaves out the source maps of {@link BUNDLED}, which are twice as large as the code that each workerd is sent. */
const withoutMapsOfPackages: Plugin = {
  name: "without-maps-of-packages",
  transform: {
    filter: { id: /\/deps_ssr\// },
    order: "post",
    handler: (code) => ({ code, map: { mappings: "" } }),
  },
};

/** `worker` runs in workerd, with real D1 and queues, `node` and `mocking` in Node; the other two are described below. */
export default defineConfig({
  test: {
    silent: "passed-only",
    // One file more than there are cores: many wait for a page, a process or a time limit.
    maxWorkers: availableParallelism() + 1,
    provide: { seed: seedOf(process.env["SEED"]), exhaustive, queues },
    projects: [
      {
        plugins: [
          withoutMapsOfPackages,
          cloudflareTest(async ({ inject }) => ({
            main: "./src/worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              d1Databases: { TEST_DB_1: "test-db-1", TEST_DB_2: "test-db-2" },
              bindings: {
                ENVIRONMENT: "local",
                ALLOW_LOOPBACK_WEBHOOKS: "true",
                SIGN_UP: "open",
                AUTH_SECRET: "only-for-tests-only-for-tests-only-for-tests",
                MIGRATIONS: await readD1Migrations("migrations"),
                RECEIVER: inject("receiver"),
                MODELS: inject("models"),
                FEEDS: inject("feeds"),
                DNS_RESOLVER_URL: `${inject("feeds").url}/dns-query`,
                OEMBED_URL: `${inject("feeds").url}/oembed`,
                AI_BASE_URL: `${inject("models").url}/ok/default/v1`,
                AI_MODEL: "test",
                AI_GENERATIONS_PER_MINUTE: "1000",
                AI_GENERATIONS_PER_DAY: "1000",
              },
            },
          })),
        ],
        test: {
          name: "worker",
          deps: {
            optimizer: {
              ssr: { enabled: true, include: BUNDLED, rolldownOptions: { external: [/^node:/, /^cloudflare:/] } },
            },
          },
          // Files share a workerd and its modules: to start one takes seconds. helpers/setup.ts empties its storage.
          isolate: false,
          ...files(["test/**/*.test.ts"], ["test/{e2e,cli,docs,plugins,browser,editor}/**"]),
          globalSetup: ["test/helpers/receiver.ts", "test/helpers/model-server.ts", "test/helpers/feed-server.ts"],
          setupFiles: ["test/helpers/setup.ts"],
          // Style sheets are empty in tests, but for the one whose colours are measured.
          css: { include: [/palette\.css/] },
          // For a busy machine: a poll for a queue, a delivery or a model gives up before its test does.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: POLL },
        },
      },
      {
        test: {
          name: "node",
          // Files share a process and its modules: to load zod, esbuild and the client anew for each takes a second.
          isolate: false,
          ...files(["test/{e2e,cli,docs,plugins}/**/*.test.ts"], MOCKING),
          globalSetup: ["test/e2e/shared-run.ts", "test/cli/bundle.ts"],
          setupFiles: ["test/helpers/new-connections.ts"],
          // node:sqlite, with which tests look into a local run's database.
          execArgv: ["--disable-warning=ExperimentalWarning"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: POLL },
        },
      },
      {
        test: { name: "mocking", ...files(MOCKING), testTimeout: 300_000, expect: { poll: POLL } },
      },
      {
        // The parts of the editor that need neither a browser nor a service.
        // Files share a process and its modules, among them the Markdown parser.
        test: {
          name: "editor",
          isolate: false,
          ...files(["test/editor/**/*.test.ts"]),
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "browser",
          // Files share a process, its modules and its browser.
          isolate: false,
          ...files(["test/browser/**/*.test.ts"]),
          globalSetup: ["test/browser/service.ts", "test/cli/bundle.ts"],
          setupFiles: ["test/helpers/new-connections.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: POLL },
        },
      },
    ],
  },
});
