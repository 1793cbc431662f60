/**
 * Makes `npx wrangler dev` work without setup. Before the first build, it migrates wrangler's state, adds the demo's
 * organization and the settings of a local run, and prints where to look. companion.ts does the rest. It does nothing for a
 * run with its own state or settings.
 */
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { makeDevBanner } from "./banner.ts";
import { makeLocalSettings, OWNER_EMAIL, prepareDemo } from "./demo-access.ts";
import { holdState } from "./hold.ts";
import { parsePort } from "./port.ts";
import { openState } from "./state.ts";
import { ROOT } from "./wrangler.ts";

const COMPANION = fileURLToPath(new URL("companion.ts", import.meta.url));

/** `pid` is the process id of wrangler. Throws a `Failure` if another run uses wrangler's state. */
export async function prepareWranglerDev(pid: string): Promise<void> {
  const args = readCommandLine(pid);
  if (/ --(?:persist-to|env-file)\b/.test(args)) return;
  const state = openState(path.join(ROOT, ".wrangler/state"));
  if (state.wranglerPid() === pid) return;
  await holdState(state.folder);
  const credentials = await state.credentials();
  await prepareDemo(state, credentials);
  addSettings({ SIGN_UP: "open", BASE_URL: "", ...makeLocalSettings(credentials) });
  const { organizationId: _, authSecret: __, ...shown } = credentials;
  const blogId = state.local()?.blogId ?? "";
  const baseUrl = `http://127.0.0.1:${parsePort(/ --port[ =](\d+)/.exec(args)?.[1])}`;
  const local = { baseUrl, blogId, ...shown, email: OWNER_EMAIL, feedUrl: "", model: "" };
  state.publish(local);
  state.keepWranglerPid(pid);
  const log = openSync(state.wranglerLog, "a", 0o600);
  const program = ["--disable-warning=ExperimentalWarning", COMPANION, pid, state.folder];
  spawn(process.execPath, program, { detached: true, stdio: ["ignore", log, log] }).unref();
  console.log(makeDevBanner(local));
}

/** Returns the command line of a process; "" if it is unknown. */
function readCommandLine(pid: string): string {
  try {
    return execFileSync("ps", ["-ww", "-o", "args=", "-p", pid], { encoding: "utf8", stdio: "pipe" });
  } catch {
    return "";
  }
}

/** Adds settings to the file from which wrangler reads them. Does not change those that are there. */
function addSettings(settings: Readonly<Record<string, string>>): void {
  // Wrangler reads .env only if there is no .dev.vars.
  const names = [".dev.vars", ".env"].map((name) => path.join(ROOT, name));
  const file = names.find((name) => existsSync(name)) ?? names[0] ?? "";
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const known = parseEnv(text);
  const missing = Object.entries(settings).filter(([name]) => !(name in known));
  if (missing.length === 0) return;
  const lines = [
    "",
    "# For local runs only: added by wrangler dev (wrangler.toml, [build]).",
    ...missing.map((pair) => pair.join("=")),
  ];
  appendFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 });
}
