/** Chromium without a screen: for the tests of the console, and for its screenshots. */
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Where Chromium is expected. */
export const CHROMIUM = process.env["CHROMIUM_PATH"] || "/usr/bin/chromium";

export const hasChromium = (): boolean => existsSync(CHROMIUM);

/** Starts Chromium. It asks for nothing but what its pages ask for. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
