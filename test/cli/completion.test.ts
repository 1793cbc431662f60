import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NODE } from "../e2e/local-run.ts";
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
    expect(await suggested("articles", "list", "--")).toMatch(/^--drafts\t/m);
    expect(await suggested("topics", "list", "--status", "")).toMatch(/^dismissed/m);
  });

  it("leaves the names of files to the shell where nothing else fits", async () => {
    expect(await suggested("import", "")).toBe(":0\n");
    expect(await suggested("articles", "")).toMatch(/^:4$/m);
  });

  it("does not know a shell that nobody has", async () => {
    expect((await program.run(["completion", "tcsh"])).code).toBe(2);
  });
});
