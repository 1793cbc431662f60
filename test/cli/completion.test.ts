import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, inject, it, vi } from "vitest";
import { NODE, ROOT } from "../e2e/local-run.ts";
import { useProgram } from "./program.ts";

const program = useProgram();

/** Runs a command that ends well; what it prints, which the package for completion writes to the console. */
async function printed(...args: string[]): Promise<string> {
  const log = vi.spyOn(console, "log").mockReturnValue();
  try {
    expect(await program.call(args)).toEqual({ code: 0, stdout: "", stderr: "" });
    return log.mock.calls.map((said) => `${said.join(" ")}\n`).join("");
  } finally {
    log.mockRestore();
  }
}

const suggested = (...words: string[]) => printed("complete", "--", ...words);

describe("completion", () => {
  it.each(["zsh", "fish", "powershell"])("prints a script for %s", async (shell) => {
    expect(await printed("completion", shell)).toContain("edgepress");
  });

  /** What bash offers for a line, by the script and the program alone: without the package bash-completion. */
  function offered(completion: string, words: string[], cwd = program.folder()): string[] {
    const script = `
      edgepress() { "$NODE" "$BUNDLE" "$@"; }
      eval "$COMPLETION"
      complete -p edgepress > /dev/null || exit 1
      COMP_WORDS=(edgepress "$@"); COMP_CWORD=$#
      _edgepress edgepress; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: process.env["PATH"], NODE, BUNDLE: program.bundle, COMPLETION: completion };
    const said = execFileSync("bash", ["--norc", "-c", script, "bash", ...words], { encoding: "utf8", env, cwd });
    return said.trim().split("\n");
  }

  it("completes in bash, and runs nothing of the line", async () => {
    const { code, stdout: script } = await program.run(["completion", "bash"]);
    expect(code).toBe(0);
    expect(offered(script, ["articles", "ge"])).toEqual(["get", "generate"]);
    const folder = program.folder();
    expect(offered(script, ["blogs", "$(touch was-here)", ""], folder)).not.toContain("articles");
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

  it.runIf(inject("exhaustive"))(
    "is installed in an empty home by the lines in its help, which are those in the manual",
    async () => {
      const { stdout: help } = await program.call(["completion", "--help"]);
      const manual = readFileSync(path.join(ROOT, "docs/cli.md"), "utf8");
      const linesIn = (text: string) => /mkdir -p[^]*edgepress\.fish/.exec(text)?.[0].replaceAll(/\n +(?:\$ )?/g, "\n");
      const script = linesIn(help.slice(help.lastIndexOf("Examples:")));
      expect(script).toBeDefined();
      expect(script).toBe(linesIn(manual.slice(manual.lastIndexOf("## Completion"))));
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
    },
  );

  it("does not know a shell that nobody has", async () => {
    expect((await program.call(["completion", "tcsh"])).code).toBe(2);
  });
});
