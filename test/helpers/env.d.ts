import type { D1Migration } from "cloudflare:test";

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[];
      TEST_DB_1: D1Database;
      TEST_DB_2: D1Database;
      AUTH_SECRET: string;
      RECEIVER: { url: string; refusing: string };
      MODELS: { url: string };
      FEEDS: { url: string };
    }
    interface GlobalProps {
      mainModule: typeof import("../../src/worker.ts");
    }
  }
}
