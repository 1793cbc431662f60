/**
 * `npm run plugins:validate`: tests the plugins with Claude Code, Codex, Gemini CLI and the reference library for skills.
 * Each has to accept the plugins and to refuse a broken copy. npx downloads the programs, because they are too large to be
 * dependencies. No account is needed.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { Failure, runScript } from "./lib/failure.ts";
import { listSkills, PLUGIN as name, PLUGINS } from "./lib/plugins.ts";
import { DEFAULT_SERVER } from "../packages/cli/server.ts";
import { ROOT } from "./lib/wrangler.ts";

const CLAUDE = ["@anthropic-ai/claude-code@2.1.329", "claude"] as const;
const CODEX = ["@openai/codex@0.169.0", "codex"] as const;
const GEMINI = ["@google/gemini-cli@0.61.0", "gemini"] as const;
const SKILLS = ["skills-ref@0.1.5", "skills-ref"] as const;

const MINUTES = 60_000;
const SCRATCH = mkdtempSync(path.join(tmpdir(), "plugins-validate-"));
const endpoint = `${DEFAULT_SERVER}/mcp`;

await runScript(main, async () => rmSync(SCRATCH, { recursive: true, force: true }));

async function main(): Promise<number> {
  const good = copyPlugins("good");
  const broken = makeBrokenCopy();
  for (const check of [claude, codex, gemini, skills]) check(good, broken);
  console.log("The plugins are valid.");
  return 0;
}

function copyPlugins(folder: string): string {
  const copy = path.join(SCRATCH, folder);
  cpSync(PLUGINS, copy, { recursive: true });
  return copy;
}

/** Makes a copy that each program should refuse: manifests lack a required field, and skills have a wrong name. */
function makeBrokenCopy(): string {
  const copy = copyPlugins("broken");
  const edit = (file: string, change: (text: string) => string) => {
    const target = path.join(copy, name, file);
    writeFileSync(target, change(readFileSync(target, "utf8")));
  };
  edit(".claude-plugin/plugin.json", removeField("name"));
  edit("plugin.json", removeField("name"));
  edit("gemini-extension.json", removeField("version"));
  for (const skill of listSkills()) edit(`skills/${skill}/SKILL.md`, (text) => text.replace(/^name: /m, "name: x-"));
  return copy;
}

function removeField(field: string): (text: string) => string {
  return (text) => JSON.stringify({ ...JSON.parse(text), [field]: undefined });
}

/** Validates and installs the plugin. Claude Code has to list all skills and the server. */
function claude(good: string, broken: string): void {
  expectAccepted(CLAUDE, validate(good, "--strict"));
  expectAccepted(CLAUDE, validate(path.join(good, name), "--strict"));
  expectAccepted(CLAUDE, validate(path.join(good, name), "--profile", "directory"));
  expectAccepted(CLAUDE, ["plugin", "marketplace", "add", good]);
  expectAccepted(CLAUDE, ["plugin", "install", `${name}@${name}`]);
  const details = expectAccepted(CLAUDE, ["plugin", "details", `${name}@${name}`]);
  for (const wanted of [...listSkills(), `MCP servers (1)  ${name}`]) expectMention(CLAUDE, details, wanted);
  expectRefused(CLAUDE, validate(path.join(broken, name)));
}

function validate(folder: string, ...args: string[]): string[] {
  return ["plugin", "validate", folder, ...args];
}

/**
 * Installs the plugin in Codex, which has no validator but has to list the server. Does so again without the files that
 * older releases do not know.
 */
function codex(good: string, broken: string): void {
  const older = copyPlugins("older");
  for (const file of ["plugin.json", "mcp.json"]) rmSync(path.join(older, name, file));
  for (const folder of [good, older]) {
    expectAccepted(CODEX, ["plugin", "marketplace", "add", folder]);
    expectAccepted(CODEX, ["plugin", "add", `${name}@${name}`]);
    expectMention(CODEX, expectAccepted(CODEX, ["mcp", "list", "--json"]), `"url": "${endpoint}"`);
    expectAccepted(CODEX, ["plugin", "remove", `${name}@${name}`]);
    expectAccepted(CODEX, ["plugin", "marketplace", "remove", name]);
  }
  expectAccepted(CODEX, ["plugin", "marketplace", "add", broken]);
  expectRefused(CODEX, ["plugin", "add", `${name}@${name}`]);
}

/** Validates and installs the plugin. Gemini CLI has to list all skills and the server. */
function gemini(good: string, broken: string): void {
  expectAccepted(GEMINI, ["extensions", "validate", path.join(good, name)]);
  // "y" answers its question whether the folder is trusted.
  expectAccepted(GEMINI, ["extensions", "install", path.join(good, name), "--consent", "--skip-settings"], "y\n");
  const list = expectAccepted(GEMINI, ["extensions", "list"]);
  for (const wanted of [...listSkills().map((skill) => `${skill}:`), `MCP servers:\n  ${name}`])
    expectMention(GEMINI, list, wanted);
  expectRefused(GEMINI, ["extensions", "validate", path.join(broken, name)]);
}

function skills(good: string, broken: string): void {
  for (const skill of listSkills()) {
    expectAccepted(SKILLS, ["validate", path.join(good, name, "skills", skill)]);
    expectRefused(SKILLS, ["validate", path.join(broken, name, "skills", skill)]);
  }
}

type Program = readonly [pkg: string, command: string];

/** Runs a program and returns its output. Throws a `Failure` unless it exits with 0. */
function expectAccepted(program: Program, args: readonly string[], input = ""): string {
  const { status, said } = run(program, args, input);
  const line = formatCommand(program, args);
  if (status !== 0) throw new Failure(`${line} ended with ${status}:\n${said}`);
  console.log(`ok       ${line}`);
  return said;
}

/** Throws a `Failure` unless the program exits with 1. */
function expectRefused(program: Program, args: readonly string[]): void {
  const { status, said } = run(program, args, "");
  const line = formatCommand(program, args);
  // Other codes mean, for example, that the program did not start.
  if (status !== 1) throw new Failure(`${line} exited with ${status} for a broken copy:\n${said}`);
  console.log(`refused  ${line}`);
}

function expectMention([, command]: Program, said: string, wanted: string): void {
  if (!said.includes(wanted)) throw new Failure(`${command} does not mention "${wanted}":\n${said}`);
}

/** Returns a command line to print, without the path of the temporary folder. */
function formatCommand([pkg, command]: Program, args: readonly string[]): string {
  return `${[command, ...args].join(" ").replaceAll(`${SCRATCH}${path.sep}`, "")} (${pkg})`;
}

/** Runs a program with a temporary home folder, so that it does not touch the user's files. */
function run([pkg, command]: Program, args: readonly string[], input: string): { status: number | null; said: string } {
  const home = path.join(SCRATCH, "home");
  mkdirSync(path.join(home, ".codex"), { recursive: true });
  const own = { HOME: home, CODEX_HOME: path.join(home, ".codex"), NO_COLOR: "1", DISABLE_TELEMETRY: "1" };
  // npm still uses the user's own settings and cache.
  const npm = { npm_config_userconfig: path.join(homedir(), ".npmrc"), npm_config_cache: path.join(homedir(), ".npm") };
  const env = { ...npm, ...process.env, ...own };
  const { status, stdout, stderr, error } = spawnSync("npx", ["--yes", `--package=${pkg}`, "--", command, ...args], {
    cwd: ROOT,
    env,
    input,
    encoding: "utf8",
    timeout: 10 * MINUTES,
  });
  if (error !== undefined) throw error;
  return { status, said: `${stdout}${stderr}` };
}
