import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NODE, ROOT } from "../e2e/local-run.ts";
import { useProgram } from "./program.ts";

const program = useProgram();
const suggested = async (...words: string[]) => (await program.run(["complete", "--", ...words])).stdout;

describe("completion", () => {
  it.each(["bash", "zsh", "fish", "powershell"])("prints a script for %s", async (shell) => {
    const { code, stdout } = await program.run(["completion", shell]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("edgepress")]);
  });

  /** What bash offers for a line, by the script and the program alone: without the package bash-completion. */
  function offered(words: string[], cwd = program.folder()): string[] {
    const script = `
      edgepress() { "$NODE" "$BUNDLE" "$@"; }
      eval "$(edgepress completion bash)"
      complete -p edgepress > /dev/null || exit 1
      COMP_WORDS=(edgepress "$@"); COMP_CWORD=$#
      _edgepress edgepress; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: process.env["PATH"], NODE, BUNDLE: program.bundle };
    const said = execFileSync("bash", ["--norc", "-c", script, "bash", ...words], { encoding: "utf8", env, cwd });
    return said.trim().split("\n");
  }

  it("completes in bash, and runs nothing of the line", () => {
    expect(offered(["art"])).toEqual(["articles"]);
    expect(offered(["articles", "ge"])).toEqual(["get", "generate"]);
    expect(offered(["articles", "list", "--dr"])).toEqual(["--drafts"]);
    const folder = program.folder();
    expect(offered(["blogs", "$(touch was-here)", ""], folder)).not.toContain("articles");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("knows commands, their own commands and options, and the values of options", async () => {
    expect(await suggested("")).toMatch(/^articles\t/m);
    expect(await suggested("articles", "")).toMatch(/^generate\t/m);
    const options = await suggested("articles", "list", "--");
    for (const option of ["drafts", "json", "server", "quiet"]) {
      expect(options).toMatch(new RegExp(`^--${option}\\t`, "m"));
    }
    expect(await suggested("articles", "list", "--server", "x", "--dr")).toMatch(/^--drafts\t/);
    expect(await suggested("topics", "list", "--status", "")).toMatch(/^dismissed/m);
  });

  it("leaves the names of files to the shell where nothing else fits", async () => {
    expect(await suggested("import", "")).toBe(":0\n");
    expect(await suggested("articles", "")).toMatch(/^:4$/m);
  });

  it.each(["its help", "the manual"])("is installed in an empty home by the lines in %s", async (where) => {
    const manual = path.join(ROOT, "docs/cli.md");
    const text =
      where === "its help" ? (await program.run(["completion", "--help"])).stdout : readFileSync(manual, "utf8");
    const lines = text.slice(text.lastIndexOf(where === "its help" ? "Examples:" : "## Completion"));
    const [script = ""] = /mkdir -p[^]*edgepress\.fish/.exec(lines.replaceAll("  $ ", "")) ?? [];
    const home = program.folder();
    const prelude = `set -e; fpath=([1]="$HOME/functions"); edgepress() { "$NODE" "$BUNDLE" "$@"; }`;
    const env = { PATH: process.env["PATH"], HOME: home, NODE, BUNDLE: program.bundle };
    execFileSync("bash", ["--norc", "-c", `${prelude}\n${script}`], { env });
    for (const file of [
      ".local/share/bash-completion/completions/edgepress",
      "functions/_edgepress",
      ".config/fish/completions/edgepress.fish",
    ]) {
      expect(readFileSync(path.join(home, file), "utf8")).toContain("edgepress complete");
    }
  });

  it("does not know a shell that nobody has", async () => {
    expect((await program.run(["completion", "tcsh"])).code).toBe(2);
  });
});
