/**
 * Runs a Worker that was built before, by Miniflare: as `wrangler dev` would run it, but without wrangler's proxies, which
 * lose answers when a client breaks a connection off (survive-lost-connections.ts).
 *
 * Usage: node built-worker.ts WORKER STATE_FOLDER PORT SETTINGS_FILE (wrangler.ts spawns it)
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as optionsOf } from "wrangler";

const [worker = "", state = "", port = "", settingsFile = ""] = process.argv.slice(2);

const { workerOptions } = optionsOf("wrangler.toml", undefined, { envFiles: [settingsFile] });

/** Returns the modules of a bundle: its script, and the WebAssembly that is beside it. */
function modulesOf(script: string) {
  const folder = path.dirname(script);
  const wasm = readdirSync(folder).filter((name) => name.endsWith(".wasm"));
  const modules = wasm.map((name) => ({ type: "CompiledWasm", path: path.join(folder, name) }) as const);
  return { modulesRoot: folder, modules: [{ type: "ESModule", path: script } as const, ...modules] };
}

const options = {
  host: "127.0.0.1",
  port: Number(port),
  cf: false,
  logRequests: false,
  log: new Log(LogLevel.WARN, { prefix: "wrangler" }),
  // /cdn-cgi/local/scheduled, which start.ts calls.
  unsafeTriggerHandlers: true,
  resourcePersistencePath: path.join(state, "v3"),
  // What is not the Worker's own JSON comes from workerd.
  handleStructuredLogs: ({ level, message }: { level: string; message: string }) =>
    console.log(level === "error" && !message.startsWith("{") ? `[wrangler:error] ${message}` : message),
  workers: [{ ...workerOptions, name: "edgepress", ...modulesOf(worker) }],
};
await new Miniflare(convertV4MiniflareOptions(options)).ready;
