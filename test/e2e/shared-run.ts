/** A run of `npm start` for all files of Node that only need a service, which starts once the first of them asks. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { startFeedServer } from "../helpers/feed-server/server.ts";
import { startModelServer } from "../helpers/model-server.ts";
import { prepareDatabase, storeOrganization } from "../../scripts/lib/organization.ts";
import { SCOPES } from "../../src/domain/principal.ts";
import { newSecret } from "../../src/domain/secrets.ts";
import { newId } from "../../src/lib/ids.ts";
import { cleanUp, freePort, newState, start, type Local } from "./local-run.ts";
import { oidcSettings } from "./provider.ts";

/** How many files can have an organization of their own. */
const ORGANIZATIONS = 20;

/**
 * Makes an organization with two keys and an operator token. Files that share one would soon have sent as many requests as it
 * may in a minute, and wait for the next.
 */
async function newOrganization(state: string): Promise<Credentials> {
  const [key, reading, token] = await Promise.all([newSecret("key"), newSecret("key"), newSecret("token")]);
  const credentials = [
    { name: "Test of the client", secret: key.secret, scopes: SCOPES },
    { name: "Reads", secret: reading.secret, scopes: SCOPES.filter((scope) => scope.endsWith(":read")) },
    { name: "Operator", secret: token.secret, scopes: [] },
  ];
  await storeOrganization({ folder: state }, { id: newId(), name: "Test of the client", credentials });
  return { apiKey: key.secret, readOnlyKey: reading.secret, operatorToken: token.secret };
}

/**
 * Who asks at `inject("sharedRun")` for it gets a {@link Shared}, and at `/organization` the {@link Credentials} of an organization
 * that nobody else gets; shared.ts does.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [models, feeds] = await Promise.all([startModelServer(), startFeedServer()]);
  const begin = async (): Promise<Shared> => {
    // A test asks nobody outside.
    const outside = { DNS_RESOLVER_URL: `${feeds.url}/dns-query`, OEMBED_URL: `${feeds.url}/oembed` };
    const model = { ...outside, AI_BASE_URL: `${models.url}/ok/shared/v1`, AI_MODEL: "of-the-test" };
    const state = newState();
    // Before the service runs: while this wrote, a write of the service would fail.
    await prepareDatabase({ folder: state });
    for (let n = 0; n < ORGANIZATIONS; n++) organizations.push(await newOrganization(state));
    const providerPort = await freePort();
    const run = await start(state, undefined, { ...model, ...oidcSettings(providerPort) });
    return { local: await run.ready(), state, models: models.url, feeds: feeds.url, providerPort };
  };
  const organizations: Credentials[] = [];
  let shared: Promise<Shared> | undefined;
  const server = createServer(({ url }, response) => {
    shared ??= begin();
    shared.then(
      (value) => response.end(JSON.stringify(url === "/organization" ? organizations.pop() : value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  project.provide("sharedRun", { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return async () => {
    server.close();
    server.closeAllConnections();
    await cleanUp();
    await Promise.all([models.close(), feeds.close()]);
  };
}

export type Credentials = Pick<Local, "apiKey" | "readOnlyKey" | "operatorToken">;

export type Shared = {
  /** What its local.json says. */
  readonly local: Local;
  /** Its state folder. */
  readonly state: string;
  /** The address of its model, which has the name `shared`. */
  readonly models: string;
  /** The address of its resolver of DNS. */
  readonly feeds: string;
  /** Where its OpenID provider would be: nobody listens there until a test does. */
  readonly providerPort: number;
};

declare module "vitest" {
  export interface ProvidedContext {
    sharedRun: { readonly url: string };
  }
}
