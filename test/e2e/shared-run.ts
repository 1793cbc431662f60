/** A run of `npm start` for all files of Node that only need a service, which starts once the first of them asks. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { startModelServer } from "../helpers/model-server.ts";
import { cleanUp, newState, start, type Local } from "./local-run.ts";

/** Who asks at `inject("sharedRun")` for it gets a {@link Shared}; shared.ts does. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const models = await startModelServer();
  const begin = async (): Promise<Shared> => {
    // It answers no DNS: a test must not ask a resolver outside.
    const dns = { DNS_RESOLVER_URL: `${models.url}/no-dns` };
    const model = { ...dns, AI_BASE_URL: `${models.url}/ok/shared/v1`, AI_MODEL: "of-the-test" };
    const run = await start(newState(), undefined, model);
    return { local: await run.ready(), models: models.url };
  };
  let shared: Promise<Shared> | undefined;
  const server = createServer((_, response) => {
    shared ??= begin();
    shared.then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("sharedRun", { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return async () => {
    server.close();
    server.closeAllConnections();
    await cleanUp();
    await models.close();
  };
}

/** What its local.json says, and the address of its model, which has the name `shared`. */
export type Shared = { readonly local: Local; readonly models: string };

declare module "vitest" {
  export interface ProvidedContext {
    sharedRun: { readonly url: string };
  }
}
