/** Headless Chromium, for the tests and the screenshots of the console. */
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Debian's builds. The first has no window, and takes two thirds of the time. */
const [SHELL, WHOLE] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

export const CHROMIUM = process.env["CHROMIUM_PATH"] || (existsSync(SHELL) ? SHELL : WHOLE);

export const hasChromium = (): boolean => existsSync(CHROMIUM);

/** Without background requests, so that the browser sends only those of its pages. */
const OPTIONS = {
  executablePath: CHROMIUM,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // All pages of a context in one process: it keeps what it has compiled.
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
  ],
};

export const launchChromium = (): Promise<Browser> => chromium.launch(OPTIONS);
