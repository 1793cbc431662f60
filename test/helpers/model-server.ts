/**
 * A real server for OpenAI's chat completions and image generations, in Node outside of the Worker under test. The base
 * URL is `/<behaviour>/<name>/v1`: how the server behaves, and the name of the test. Other APIs, and Gemini's base URL
 * (`v1beta/openai`), have only recorded responses.
 * - Behaviours are joined by `+`, as in `/slow-200+fenced/<name>/v1`. With `-once` or `-3-times` at its end, a
 *   behaviour applies only to the first requests of this name.
 * - `/_seen/<name>` returns the requests of a name.
 * - `POST /_script/<name>` sets the next responses (call.ts).
 * - `POST /_hold/<name>` makes the server hold its responses until `POST /_release/<name>`.
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
