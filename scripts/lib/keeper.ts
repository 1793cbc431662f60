/**
 * Runs a Node program and kills its process group when standard input closes, which happens whenever the parent process
 * ends. Otherwise workerd could outlive the parent, and keep its port and its database open.
 *
 * Usage: node keeper.ts [NODE OPTIONS] PROGRAM ARGUMENTS… (wrangler.ts spawns it with `detached`, as the leader of a new group)
 */
import { spawn } from "node:child_process";

/** Milliseconds between SIGTERM and SIGKILL. */
const PATIENCE_MS = 3000;

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
let ending = false;

// Signals to the group are meant for the program: the keeper has to outlive it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

child.on("exit", (code) => {
  if (ending) kill();
  // The parent (wrangler.ts) gets this code and kills the processes that the program has left behind.
  process.exit(code ?? 1);
});

process.stdin.resume().once("close", () => {
  ending = true;
  process.kill(0, "SIGTERM");
  setTimeout(kill, PATIENCE_MS);
});

function kill(): never {
  process.kill(0, "SIGKILL");
  process.exit(1);
}
