/** Runs texts in Python without starting it for each: a process that has loaded what they import forks for them. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

type Task = { readonly text: string; readonly cwd: string; readonly env: Readonly<Record<string, string>> };
type Ended = { readonly code: number; readonly said: string };

const SERVER = `
import base64, json, os, sys, traceback, urllib.error, urllib.parse, urllib.request

def run(task):
    os.chdir(task["cwd"])
    os.environ.clear()
    os.environ.update(task["env"])
    try:
        exec(compile(task["text"], "<string>", "exec"), {"__name__": "__main__"})
        return 0
    except SystemExit as end:
        return 0 if end.code in (None, 0) else 1
    except BaseException:
        traceback.print_exc()
        return 1

for line in sys.stdin:
    output, input = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(output)
        os.dup2(input, 1)
        os.dup2(input, 2)
        code = run(json.loads(line))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    os.close(input)
    with os.fdopen(output) as said:
        text = said.read()
    _, status = os.waitpid(child, 0)
    print(json.dumps({"code": os.waitstatus_to_exitcode(status), "said": text}), flush=True)
`;

/** Starts the process; it runs one text after another, each in a fork of its own. */
export function startPython() {
  const child = spawn("python3", ["-c", SERVER], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(task: Task): Promise<Ended> {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error("Python has ended.");
      return JSON.parse(value) as Ended;
    },
    stop: () => void child.kill(),
  };
}
