/** The inspector's command line, of which one process runs all commands: to load it takes longer than most of them do. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { NODE, ROOT } from "./local-run.ts";

export type Ended = { readonly code: number; readonly output: string };

const MANIFEST = fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector/package.json"));
const INSPECTOR = path.join(path.dirname(MANIFEST), "clients/cli/build/index.js");

/** Runs a command for each line of its input, which has the arguments; answers with what the command has printed. */
const SERVER = `
import { createInterface } from "node:readline";
import { inspect } from "node:util";
import { runCli } from ${JSON.stringify(INSPECTOR)};
const write = process.stdout.write.bind(process.stdout);
let output = "";
process.stdout.write = process.stderr.write = (chunk, ...rest) => {
  output += chunk;
  rest.at(-1)?.();
  return true;
};
for await (const line of createInterface({ input: process.stdin })) {
  output = "";
  const code = await runCli(["node", "inspector", ...JSON.parse(line)]).then(() => 0, (error) => ((output += inspect(error)), 1));
  write(JSON.stringify({ code, output }) + "\\n");
}
`;

/** Starts the process. Not in the environment of the tests: it may read what stands there. */
export function startInspector(home: string) {
  const compiled = path.join(ROOT, "node_modules/.cache/compiled");
  const env = { PATH: process.env["PATH"], HOME: home, NODE_COMPILE_CACHE: compiled };
  const child = spawn(NODE, ["--input-type=module", "-e", SERVER], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(args: readonly string[]): Promise<Ended> {
      child.stdin.write(`${JSON.stringify(args)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error("The inspector has ended.");
      return JSON.parse(value) as Ended;
    },
    stop: () => void child.kill(),
  };
}
