/** `npm run plugins`: generates the manifests in plugins/, or writes a complete marketplace for one deployment. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { CliError } from "../packages/cli/failure.ts";
import { parseServer } from "../packages/cli/server.ts";
import { BUNDLE } from "./build-cli.ts";
import { Failure, runScript } from "./lib/failure.ts";
import { generateFiles, PLUGINS, readSource } from "./lib/plugins.ts";
import { ROOT } from "./lib/wrangler.ts";

const USAGE = `Usage: npm run plugins [-- --url URL] [--out FOLDER]

  Without options: writes the generated files in plugins/, from plugins/source.json, plugins/shared and package.json.
  With options: writes a marketplace for distribution to another folder, and leaves plugins/ as it is.

  --url URL     the service it is for ("http://127.0.0.1:8787")
  --out FOLDER  the target ("dist/plugins"); the plugin in it is replaced
  --help        show this help

  npm run plugins:pack does the same, with the command-line client in it.`;

/**
 * Launchers of the client for Unix and Windows: content by file name. The bundle itself cannot be the command
 * `edgepress`: some releases of Node treat a file without the ending .mjs as CommonJS. `server` becomes the default of
 * EDGEPRESS_URL.
 */
const makeLaunchers = (server: string | undefined): Readonly<Record<string, string>> => ({
  edgepress: [
    "#!/bin/sh",
    ...(server === undefined ? [] : [`export EDGEPRESS_URL="\${EDGEPRESS_URL:-${server}}"`]),
    'exec node "$(dirname "$0")/edgepress.mjs" "$@"\n',
  ].join("\n"),
  "edgepress.cmd": [
    ...(server === undefined ? [] : ["@setlocal", `@if not defined EDGEPRESS_URL set "EDGEPRESS_URL=${server}"`]),
    '@node "%~dp0edgepress.mjs" %*\r\n',
  ].join("\r\n"),
});

await runScript(main);

async function main(): Promise<number> {
  const { url, out, help } = parse();
  if (help === true) console.log(USAGE);
  else if (url === undefined && out === undefined) rewrite();
  else pack(path.resolve(out ?? path.join(ROOT, "dist/plugins")), url);
  return 0;
}

function parse() {
  const options = { url: { type: "string" }, out: { type: "string" }, help: { type: "boolean" } } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Failure(`${(error as Error).message}\n\n${USAGE}`, 2);
  }
}

/** Writes the generated files to plugins/ and formats them. They are committed, so `npm run format` must accept them. */
function rewrite(): void {
  write(PLUGINS, undefined);
  execFileSync(path.join(ROOT, "node_modules/.bin/oxfmt"), [PLUGINS]);
}

/**
 * Writes a marketplace to `folder`, with the client if it has been built. Throws a `Failure` if `folder` is in plugins/, or
 * if it would replace a folder that is not a plugin.
 */
function pack(folder: string, url: string | undefined): void {
  const server = url === undefined ? undefined : parseOrigin(url);
  const { name } = readSource();
  const plugin = path.join(folder, name);
  if (!path.relative(PLUGINS, folder).startsWith("..")) throw new Failure(`${folder} contains the originals.`, 2);
  if (existsSync(plugin) && !existsSync(path.join(plugin, "plugin.json"))) {
    throw new Failure(`${plugin} exists and is not a plugin: name another folder.`, 2);
  }
  // Delete only the plugin: `folder` may be a Git repository with other files.
  rmSync(plugin, { recursive: true, force: true });
  cpSync(path.join(PLUGINS, name), plugin, { recursive: true });
  write(folder, server);
  if (!existsSync(BUNDLE)) return console.log(`${folder} is done, without the client (npm run plugins:pack has it).`);
  addClient(path.join(plugin, "bin"), server);
  console.log(`${folder} is done, with the client.`);
}

/**
 * Adds the client and its launchers to `bin`. Claude Code puts this folder on the PATH; in other programs, the skills
 * call the client by its path. Without `server`, the client uses the server where its user has signed in.
 */
function addClient(bin: string, server: string | undefined): void {
  mkdirSync(bin);
  cpSync(BUNDLE, path.join(bin, "edgepress.mjs"));
  for (const [file, text] of Object.entries(makeLaunchers(server))) {
    writeFileSync(path.join(bin, file), text);
    chmodSync(path.join(bin, file), 0o755);
  }
}

function write(folder: string, server: string | undefined): void {
  for (const [file, content] of generateFiles(server)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

/** Throws a `Failure` for unusual characters: the origin is put into shell scripts, where these could become commands. */
function parseOrigin(url: string): string {
  try {
    const server = parseServer(url);
    if (!/^https?:\/\/[\w.:[\]-]+$/.test(server)) throw new Failure(`${url} is not a server's address.`, 2);
    return server;
  } catch (error) {
    if (error instanceof CliError) throw new Failure(error.message, 2);
    throw error;
  }
}
