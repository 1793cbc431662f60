/** Runs and checks texts in TypeScript as somebody has them who has installed `@edgepress/client`: one process for all. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { NODE, ROOT } from "../e2e/local-run.ts";

type Ended = { readonly code: number; readonly said: string };

const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc");

/** Imports the files that it is told, one after another; says how each of them ended. */
const SERVER = `
import { createInterface } from "node:readline";
import { inspect } from "node:util";
let said = "";
console.log = (value) => (said += inspect(value));
for await (const file of createInterface({ input: process.stdin })) {
  said = "";
  const code = await import(file).then(() => 0, (error) => ((said += inspect(error)), 1));
  process.stdout.write(JSON.stringify({ code, said }) + "\\n");
}
`;

/** Makes a project with the client in the folder, which is built for it. */
function projectIn(folder: string): void {
  execFileSync(NODE, [TSC, "-p", path.join(ROOT, "packages/client")]);
  mkdirSync(path.join(folder, "node_modules/@edgepress"), { recursive: true });
  symlinkSync(path.join(ROOT, "packages/client"), path.join(folder, "node_modules/@edgepress/client"));
  symlinkSync(path.join(ROOT, "node_modules/@types"), path.join(folder, "node_modules/@types"));
  writeFileSync(path.join(folder, "package.json"), `{ "private": true, "type": "module" }`);
}

/** Throws what the compiler says if a text does not fit the client's types. */
export function checkTypes(folder: string, texts: readonly string[]): void {
  projectIn(folder);
  const files = texts.map((text, n) => {
    const file = path.join(folder, `checked-${n}.ts`);
    writeFileSync(file, text);
    return file;
  });
  const options = "--noEmit --strict --target es2022 --module nodenext --types node --skipLibCheck".split(" ");
  try {
    execFileSync(NODE, [TSC, ...options, ...files], { cwd: folder, encoding: "utf8" });
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout), { cause: error });
  }
}

/** Starts the process, in a folder of {@link checkTypes}. */
export function startTypeScript(folder: string, env: Readonly<Record<string, string>>) {
  const words = ["--disable-warning=ExperimentalWarning", "--preserve-symlinks", "--input-type=module", "-e", SERVER];
  const child = spawn(NODE, words, { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let count = 0;
  return {
    async run(text: string): Promise<Ended> {
      const file = path.join(folder, `run-${count++}.ts`);
      writeFileSync(file, text);
      child.stdin.write(`${file}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error("The process for TypeScript has ended.");
      return JSON.parse(value) as Ended;
    },
    stop: () => void child.kill(),
  };
}
