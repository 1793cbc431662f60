/** The way of a new version to everybody: step by step, watched by /healthz, and back to the former one if it fails. */
import { setTimeout as sleep } from "node:timers/promises";
import { VERSION } from "../../src/lib/version.ts";
import { parseJson } from "../../src/lib/json.ts";
import { fetchAnswer } from "./ask.ts";
import type { CallApi } from "./cloudflare.ts";
import { getBaseUrl, type Config } from "./deployment.ts";
import { Failure } from "./failure.ts";
import { runWrangler } from "./wrangler.ts";

/** Returns what is wrong with a deployment, or null. */
export type Check = () => Promise<string | null>;

type Health = { readonly version?: string; readonly missing?: readonly string[]; readonly detail?: string } | null;

/** Makes the check of /healthz. `headers` choose a version of the Worker. */
export function makeCheck(baseUrl: string, headers: Readonly<Record<string, string>> = {}): Check {
  const url = `${baseUrl}/healthz`;
  return async () => {
    try {
      const { ok, text } = await fetchAnswer(url, 10_000, headers);
      const health = parseJson(text) as Health;
      if (!ok) return `${url} is not ok: ${health?.detail ?? text.slice(0, 200)}`;
      if (health?.version !== VERSION) return `${url} is that of version ${health?.version}, not ${VERSION}.`;
      return health.missing ? `${url} says that settings are missing: ${health.missing.join(", ")}.` : null;
    } catch (error) {
      const { message, cause } = error as Error;
      return `${url} cannot be reached: ${cause instanceof Error ? cause.message : message}`;
    }
  };
}

/** How often a time is divided for checks. */
const CHECKS = 12;

/** Waits until a check finds nothing wrong, for at most some seconds. Returns what the last one found, or null. */
export async function waitUntilOk(check: Check, seconds: number): Promise<string | null> {
  let complaint = await check();
  for (let left = CHECKS; complaint !== null && left > 0; left--) {
    await sleep((seconds * 1000) / CHECKS);
    complaint = await check();
  }
  return complaint;
}

/** Returns what three checks in a row, or the last one, found wrong within some seconds, or null. */
async function watch(check: Check, seconds: number): Promise<string | null> {
  let failures = 0;
  let complaint: string | null = null;
  for (let left = CHECKS; failures < 3 && left > 0; left--) {
    await sleep((seconds * 1000) / CHECKS);
    complaint = await check();
    failures = complaint === null ? 0 : failures + 1;
  }
  return complaint;
}

export type Rollout = {
  readonly call: CallApi;
  /** The API's path of the Worker. */
  readonly script: string;
  readonly config: Config;
  /** The file of the configuration. */
  readonly file: string;
  /** The id of the version that everybody has now. */
  readonly stable: string;
  /** How long each step is watched. */
  readonly seconds: number;
};

/** Shares of requests, in percent. At 0, only the checks reach the version. */
const STEPS = [0, 10, 50, 100];

type Share = { readonly version_id: string; readonly percentage: number };

const share = ({ call, script }: Rollout, versions: readonly Share[], message: string, query = "") =>
  call(`${script}/deployments${query}`, {
    strategy: "percentage",
    versions: versions.filter(({ percentage }, index) => index === 0 || percentage > 0),
    annotations: { "workers/message": message },
  });

/** Gives a version to everybody in steps. Throws a `Failure` after it has rolled back. */
export async function rollOut(rollout: Rollout, version: string): Promise<void> {
  const { config, stable, seconds } = rollout;
  const headers = { "Cloudflare-Workers-Version-Overrides": `${config.name}="${version}"` };
  const check = makeCheck(getBaseUrl(config), headers);
  try {
    for (const percent of STEPS) {
      const shares = [
        { version_id: version, percentage: percent },
        { version_id: stable, percentage: 100 - percent },
      ];
      await share(rollout, shares, `${VERSION}, ${percent} %`);
      console.log(`At ${String(percent).padStart(3)} %        version ${version}`);
      const complaint = await watch(check, seconds);
      if (complaint !== null) throw new Failure(complaint);
    }
  } catch (error) {
    // Forced, in case a secret has changed since.
    await share(rollout, [{ version_id: stable, percentage: 100 }], `Rollback of ${VERSION}`, "?force=true");
    throw new Failure(`${(error as Error).message}\nRolled back to version ${stable}.`);
  }
  await complete(rollout, version);
}

/** Before the id of the version whose rollout was completed, in a tag of the Worker. */
const COMPLETED = "edgepress:completed=";

type Unversioned = Pick<Rollout, "call" | "script" | "config" | "file">;

const readTags = async ({ call, script }: Pick<Rollout, "call" | "script">): Promise<readonly string[]> =>
  (await call<{ tags?: readonly string[] | null }>(`${script}/script-settings`))?.tags ?? [];

/** Changes what belongs to no version: routes, cron triggers, consumers of queues, and settings. */
export async function complete(worker: Unversioned, version: string): Promise<void> {
  const { call, script, config, file } = worker;
  await runWrangler(["triggers", "deploy", "--config", file], null);
  const { observability, logpush, tail_consumers } = config;
  const others = (await readTags(worker)).filter((tag) => !tag.startsWith(COMPLETED));
  // The last call, because its tag tells later runs that all is done. No deployment tells that: it would be what
  // `wrangler rollback` goes back to.
  const tags = [...others, COMPLETED + version];
  await call(`${script}/script-settings`, { observability, logpush, tail_consumers, tags }, "PATCH");
}

/** Returns whether a version that everybody has came step by step, and `complete` has not ended since. `message` is its deployment's. */
export const isIncomplete = async (
  worker: Pick<Rollout, "call" | "script">,
  version: string,
  message = "",
): Promise<boolean> => message.endsWith(", 100 %") && !(await readTags(worker)).includes(COMPLETED + version);
