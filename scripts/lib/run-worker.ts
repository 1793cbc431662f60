/**
 * Runs a built Worker in workerd by Miniflare. `wrangler dev` adds a proxy, which answers with 500 when another connection
 * breaks (cloudflare/workers-sdk, issues 15203, 15317 and 15451).
 *
 * Usage: node run-worker.ts WORKER STATE_FOLDER PORT SETTINGS_FILE (wrangler.ts spawns it)
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";
import { parseEnv } from "node:util";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from "miniflare";
import type { unstable_getMiniflareWorkerOptions } from "wrangler";
import { keepWorker, listModules } from "./build-worker.ts";
import { getDatabaseId, listLocalDatabases } from "./local-database.ts";

const [worker = "", state = "", port = "", settingsFile = ""] = process.argv.slice(2);

let sourceMap: SourceMap | undefined;

/** Replaces positions in the built Worker with those in its source. */
function mapToSources(line: string): string {
  return line.replaceAll(/[^\s()]*\bworker\.js:(\d+):(\d+)/g, (place, row: string, column: string) => {
    // Loaded when needed: the map is large, and most runs log no stack.
    sourceMap ??= new SourceMap(JSON.parse(readFileSync(`${worker}.map`, "utf8")));
    const origin = sourceMap.findOrigin(Number(row), Number(column));
    if (!("fileName" in origin)) return place;
    return `${origin.fileName.replace(/^(\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

/** Writes a line of the Worker's log (JSON), or a message of workerd. */
function write({ level, message }: { level: string; message: string }): void {
  const line = mapToSources(message);
  console.log(level === "error" && !line.startsWith("{") ? `[wrangler:error] ${line}` : line);
}

/**
 * Ends this process if workerd has ended for good, so that start.ts starts it again. Miniflare restarts a workerd that ends,
 * but not one that ends while it starts.
 */
class RunLog extends Log {
  override error(error: Error): void {
    super.error(error);
    if ((error as { code?: unknown }).code === "ERR_RUNTIME_FAILURE") process.exit(1);
  }
}

/**
 * Returns the Worker's options, from wrangler.toml. They are cached beside the built Worker, whose folder changes with its
 * sources (build-worker.ts), because loading wrangler takes longer than everything else here.
 */
async function loadOptions(file: string): Promise<Options> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Options;
  const { unstable_getMiniflareWorkerOptions } = await import("wrangler");
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml");
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(workerOptions), { mode: 0o600 });
  renameSync(draft, file);
  return workerOptions;
}

type Options = ReturnType<typeof unstable_getMiniflareWorkerOptions>["workerOptions"];

keepWorker(worker);
const workerOptions = await loadOptions(path.join(path.dirname(worker), "options.json"));
const settings = parseEnv(readFileSync(settingsFile, "utf8"));
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: Number(port),
    cf: false,
    logRequests: false,
    log: new RunLog(LogLevel.WARN, { prefix: "wrangler" }),
    // /cdn-cgi/local/scheduled, which runs the cron.
    unsafeTriggerHandlers: true,
    resourcePersistencePath: path.join(state, "v3"),
    handleStructuredLogs: write,
    workers: [
      {
        ...workerOptions,
        name: "edgepress",
        ...listModules(worker),
        bindings: Object.assign({}, workerOptions.bindings, settings),
        d1Databases: Object.fromEntries(listLocalDatabases(state).map((name) => [name, { id: getDatabaseId(name) }])),
      },
    ],
  } as V4MiniflareOptions),
);
await miniflare.ready;
