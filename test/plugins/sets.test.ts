/** `npm run plugins -- --url`: a marketplace of its own for a deployment. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUNDLE } from "../../scripts/build-cli.ts";
import { PLUGINS } from "../../scripts/lib/plugins.ts";
import { ROOT } from "../../scripts/lib/wrangler.ts";
import { sample } from "../helpers/sample.ts";

const SCRIPT = path.join(ROOT, "scripts/build-plugins.ts");
const folder = mkdtempSync(path.join(tmpdir(), "plugins-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script to its end: its exit code, and what it says. */
async function build(...args: string[]): Promise<{ code: number; said: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [SCRIPT, ...args]);
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

const read = (...place: string[]): string => readFileSync(path.join(...place), "utf8");

describe("contract 15.7: a set for a deployment", () => {
  const out = path.join(folder, "press");
  const original = read(PLUGINS, "edgepress/mcp.json");

  beforeAll(async () => {
    expect(await build("--url", "https://press.example.com", "--out", out)).toMatchObject({ code: 0 });
  });

  it("has its address in every manifest, and its namespace in the registry's", () => {
    const url = "https://press.example.com/mcp";
    const server = (file: string) => JSON.parse(read(out, file)).mcpServers.edgepress;
    expect(server("edgepress/mcp.json")).toEqual({ type: "streamable-http", url });
    expect(server("edgepress/.codex-plugin/plugin.json")).toEqual({ type: "http", url });
    expect(server("edgepress/gemini-extension.json").httpUrl).toBe("${EDGEPRESS_URL:-https://press.example.com}/mcp");
    expect(server("edgepress/.claude-plugin/plugin.json")).toEqual({ type: "http", url: "${user_config.server}/mcp" });
    const claude = JSON.parse(read(out, "edgepress/.claude-plugin/plugin.json"));
    expect(claude.userConfig.server.default).toBe("https://press.example.com");
    const registry = JSON.parse(read(out, "server.json"));
    expect(registry).toMatchObject({
      name: "com.example.press/edgepress",
      remotes: [{ type: "streamable-http", url }],
    });
    expect(read(PLUGINS, "edgepress/mcp.json")).toBe(original);
  });

  it("has the skills, but not the texts that are copied into them", () => {
    const skill = "edgepress/skills/write-article/SKILL.md";
    expect(read(out, skill)).toBe(read(PLUGINS, skill));
    expect(existsSync(path.join(out, "shared"))).toBe(false);
  });

  // `npm ci` builds the client; without it a set has none.
  it.runIf(existsSync(BUNDLE))("has a client that asks its server, unless told otherwise", async () => {
    const asked = async (set: string, env: Readonly<Record<string, string>>) => {
      const bin = path.join(set, "edgepress/bin/edgepress");
      const home = mkdtempSync(path.join(folder, "home-"));
      const options = { env: { PATH: process.env["PATH"], HOME: home, ...env } };
      const failed = await promisify(execFile)(bin, ["whoami", "--json"], options).catch((error: unknown) => error);
      return (failed as { stderr: string }).stderr;
    };
    // Nobody is signed in there, and nothing is asked before somebody is.
    expect(await asked(out, { EDGEPRESS_URL: "" })).toContain("https://press.example.com");
    expect(await asked(out, { EDGEPRESS_URL: "https://other.example.com" })).not.toContain("press.example.com");
    expect(read(out, "edgepress/bin/edgepress.cmd")).toContain('set "EDGEPRESS_URL=https://press.example.com"');
  });

  it("replaces the plugin of before, and nothing else", async () => {
    writeFileSync(path.join(out, "NOTES.md"), "mine");
    writeFileSync(path.join(out, "edgepress/old.txt"), "old");
    expect(await build("--out", out)).toMatchObject({ code: 0 });
    expect(read(out, "NOTES.md")).toBe("mine");
    expect(existsSync(path.join(out, "edgepress/old.txt"))).toBe(false);
    expect(read(out, "edgepress/mcp.json")).toContain("http://127.0.0.1:8787/mcp");
    if (existsSync(BUNDLE)) expect(read(out, "edgepress/bin/edgepress")).not.toContain("EDGEPRESS_URL");
  });

  const REFUSED = [
    ["no address", ["--url", "press"]],
    ["another machine without https", ["--url", "http://press.example.com"]],
    ["a path", ["--url", "https://press.example.com/mcp"]],
    ["what a shell would take for a command", ["--url", "https://$(id).example.com"]],
    ["credentials", ["--url", "https://ada:secret@press.example.com"]],
    ["an unknown option", ["--server", "https://press.example.com"]],
  ] as const;

  it.each(sample(REFUSED, 0, 2))("refuses %s", async (_, args) => {
    const target = path.join(folder, "refused");
    expect(await build(...args, "--out", target)).toMatchObject({ code: 2 });
    expect(existsSync(target)).toBe(false);
  });

  it("does not overwrite its originals, nor what is no plugin", async () => {
    expect(await build("--out", PLUGINS)).toMatchObject({ code: 2 });
    expect(await build("--out", path.join(PLUGINS, "edgepress"))).toMatchObject({ code: 2 });
    const other = path.join(folder, "other");
    mkdirSync(path.join(other, "edgepress"), { recursive: true });
    cpSync(path.join(ROOT, "LICENSE"), path.join(other, "edgepress/LICENSE"));
    expect(await build("--out", other)).toMatchObject({ code: 2 });
    expect(existsSync(path.join(other, "edgepress/LICENSE"))).toBe(true);
  });
});
