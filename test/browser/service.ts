/** One service for all tests in a browser: `npm start` with a state of its own, a model, and feeds beside it. */
import type { TestProject } from "vitest/node";
import { CHROMIUM, hasChromium } from "../../scripts/lib/browser.ts";
import { startFeedServer } from "../helpers/feed-server.ts";
import { startModelServer } from "../helpers/model-server.ts";
import { cleanUp, newState, start, type Local } from "../e2e/local-run.ts";

/** Starts it where there is a Chromium to open it with. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!hasChromium()) {
    const missing = `there is no Chromium at ${CHROMIUM} (Debian: apt-get install chromium-headless-shell; elsewhere: set CHROMIUM_PATH)`;
    if (process.env["EDGEPRESS_REQUIRE_BROWSER"] === "1") throw new Error(missing);
    console.warn(`The tests of the console in a browser are skipped: ${missing}.`);
    project.provide("service", null);
    project.provide("session", []);
    project.provide("feeds", { url: "" });
    return async () => undefined;
  }
  const [models, feeds] = await Promise.all([startModelServer(), startFeedServer()]);
  const end = async () => {
    await cleanUp();
    await Promise.all([models.close(), feeds.close()]);
  };
  try {
    const outside = { DNS_RESOLVER_URL: `${feeds.url}/dns-query`, OEMBED_URL: `${feeds.url}/oembed` };
    const model = { ...outside, AI_BASE_URL: `${models.url}/ok/browser/v1`, AI_MODEL: "test" };
    const run = await start(newState(), undefined, model);
    const local = await run.ready();
    project.provide("service", local);
    project.provide("session", await signIn(local));
    project.provide("feeds", { url: feeds.url });
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

type Cookie = { readonly name: string; readonly value: string; readonly url: string };

/** Signs the demo's owner in; returns the cookies. */
async function signIn({ baseUrl, email, password }: Local): Promise<Cookie[]> {
  const response = await fetch(`${baseUrl}/console/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: baseUrl },
    body: new URLSearchParams({ email, password }),
  });
  if (response.status !== 303) throw new Error(`signing in was answered with ${response.status}`);
  return response.headers.getSetCookie().map((cookie) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    return { name, value, url: baseUrl };
  });
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Null where there is no browser to open it with. */
    service: Local | null;
    /**
     * The cookies of the demo's owner, for tests that are not about signing in: of one address, the service takes ten
     * attempts a minute.
     */
    session: readonly Cookie[];
  }
}
