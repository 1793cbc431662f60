/**
 * Runs a Node program in a process group of its own, together with all that it starts, and ends the
 * whole group when standard input closes. So nothing outlives the process that asked for it, however
 * that one ends: workerd would otherwise keep its port and its database.
 *
 * Usage: node keeper.ts PROGRAM ARGUMENTS… (spawned with `detached`, see wrangler.ts)
 */
import { spawn } from "node:child_process";

/** How long the program may take to end by itself. */
const PATIENCE_MS = 3000;

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
let ending = false;

// Signals to the group are meant for the program; the keeper has to see it end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);

child.on("exit", (code) => {
  if (ending) kill();
  // What the program leaves behind is ended by its caller (wrangler.ts), which gets the exit code.
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
