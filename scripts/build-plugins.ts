/** `npm run plugins`: updates the version and the copies in plugins/, or writes a marketplace for one deployment. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { CliError } from "../packages/cli/failure.ts";
import { DEFAULT_SERVER, isLoopback, parseServer } from "../packages/cli/server.ts";
import released from "../package.json" with { type: "json" };
import { BUNDLE } from "./build-cli.ts";
import { Failure, runScript } from "./lib/failure.ts";
import { listFiles, listSkills, makeServedSkills, PLUGIN, PLUGINS, SERVED_SKILLS } from "./lib/plugins.ts";
import { ROOT } from "./lib/wrangler.ts";

const USAGE = `Usage: npm run plugins [-- --url URL] [--out FOLDER]

  Without options: puts the version of package.json into the manifests, and copies plugins/shared into each skill.
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
  else if (url === undefined && out === undefined) update();
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

function update(): void {
  const version = `  "version": "${released.version}"`;
  for (const file of listFiles(PLUGINS).filter((each) => each.endsWith(".json"))) {
    const manifest = path.join(PLUGINS, file);
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/^ {2}"version": ".*"/m, version));
  }
  // A skill cannot refer to files outside of its folder.
  const shared = path.join(PLUGINS, "shared");
  const skills = path.join(PLUGINS, PLUGIN, "skills");
  for (const skill of listSkills()) cpSync(shared, path.join(skills, skill, "references"), { recursive: true });
  writeFileSync(SERVED_SKILLS, makeServedSkills());
}

/**
 * Writes a marketplace to `folder`, with the client if it has been built. Throws a `Failure` if `folder` is in plugins/, or
 * if it would replace a folder that is not a plugin.
 */
function pack(folder: string, url: string | undefined): void {
  const server = url === undefined ? undefined : parseOrigin(url);
  const plugin = path.join(folder, PLUGIN);
  if (!path.relative(PLUGINS, folder).startsWith("..")) throw new Failure(`${folder} contains the originals.`, 2);
  if (existsSync(plugin) && !existsSync(path.join(plugin, "plugin.json"))) {
    throw new Failure(`${plugin} exists and is not a plugin: name another folder.`, 2);
  }
  // Delete only the plugin: `folder` may be a Git repository with other files.
  rmSync(plugin, { recursive: true, force: true });
  for (const [file, text] of readFiles(server)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
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

/** Returns the files of a marketplace: content by path. The committed ones are for DEFAULT_SERVER. */
function readFiles(server = DEFAULT_SERVER): readonly (readonly [file: string, text: string])[] {
  const files = listFiles(PLUGINS).filter((file) => !file.startsWith(`shared${path.sep}`));
  return files.map((file) => {
    const text = readFileSync(path.join(PLUGINS, file), "utf8");
    return [file, file === "server.json" ? register(text, server) : text.replaceAll(DEFAULT_SERVER, server)];
  });
}

/**
 * Puts the address of a public server into the MCP registry's server.json, with the namespace of its host. For a local one,
 * the namespace is an example, and the host is a variable.
 */
function register(text: string, server: string): string {
  if (isLoopback(server)) return text;
  const namespace = new URL(server).hostname.split(".").toReversed().join(".");
  const remotes = [{ type: "streamable-http", url: `${server}/mcp` }];
  return `${JSON.stringify({ ...JSON.parse(text), name: `${namespace}/${PLUGIN}`, remotes }, null, 2)}\n`;
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
