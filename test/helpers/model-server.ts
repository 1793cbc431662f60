/**
 * A real server that speaks OpenAI's chat completions and image generations, in Node beside the Worker under
 * test. Its base URL names how it behaves and the test: `/<behaviour>/<name>/v1`. Behaviours are joined by `+`,
 * as in `/slow-200+fenced/<name>/v1`; `-once` and `-3-times` hold for the first requests of that name only.
 * `/_seen/<name>` tells what it saw; `POST /_script/<name>` lays answers ready (call.ts). Between
 * `POST /_hold/<name>` and `POST /_release/<name>` its requests are seen and get no answer.
 */
import type { TestProject } from "vitest/node";
import { startModelServer } from "./model-server/server.ts";

export { startModelServer };
export type { Script, Seen } from "./model-server/call.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startModelServer();
  project.provide("models", { url: server.url });
  return server.close;
}

declare module "vitest" {
  export interface ProvidedContext {
    models: { url: string };
  }
}
