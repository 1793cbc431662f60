import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { quiet } from "./test/helpers/quiet.ts";

quiet();

/** What needs workerd runs in it, with real D1 and queues; what tests a process from outside runs in Node. */
export default defineConfig({
  test: {
    silent: "passed-only",
    projects: [
      {
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            main: "./src/worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                ENVIRONMENT: "local",
                ALLOW_LOOPBACK_WEBHOOKS: "true",
                MIGRATIONS: await readD1Migrations("migrations"),
                RECEIVER: inject("receiver"),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          globalSetup: ["test/helpers/receiver.ts"],
          setupFiles: ["test/helpers/setup.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "node",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
