/** Runs the client's commands in the process of the test, with the arguments that a shell reads from them: to start a Node for each takes longer. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { runInside } from "../cli/inside.ts";

type Ended = { readonly code: number; readonly said: string };

/** A function in the place of the program: it prints the arguments that it is given, with NUL behind each. */
const PRINT_ARGUMENTS = `edgepress() { printf '%s\\0' "$@"; }`;

/** Runs a text that is one call of `edgepress`. Throws if it is anything else, which only a shell could run. */
export async function runCommand(text: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  if (!/^edgepress [^\n|;&]+$/.test(text)) throw new Error(`not one call of edgepress: ${text}`);
  const script = `${PRINT_ARGUMENTS}\n${text}`;
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", script], { env });
  const { code, stdout: printed, stderr } = await runInside(stdout.split("\0").slice(0, -1), env);
  return { code, said: `${printed}${stderr}` };
}
