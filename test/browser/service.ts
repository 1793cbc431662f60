/** One service for all tests in a browser: `npm start` with a state of its own. */
import type { TestProject } from "vitest/node";
import { CHROMIUM, hasChromium } from "../../scripts/lib/browser.ts";
import { cleanUp, newState, start, type Local } from "../e2e/local-run.ts";

/** Starts it where there is a Chromium to open it with. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!hasChromium()) {
    const missing = `there is no Chromium at ${CHROMIUM} (Debian: apt-get install chromium; elsewhere: set CHROMIUM_PATH)`;
    if (process.env["EDGEPRESS_REQUIRE_BROWSER"] === "1") throw new Error(missing);
    console.warn(`The tests of the console in a browser are skipped: ${missing}.`);
    project.provide("service", null);
    return async () => undefined;
  }
  try {
    const run = await start(newState());
    project.provide("service", await run.ready());
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return cleanUp;
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Null where there is no browser to open it with. */
    service: Local | null;
  }
}
