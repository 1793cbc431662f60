import type { D1Migration } from "cloudflare:test";

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[];
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
