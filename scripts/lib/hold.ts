/**
 * Keeps a second run away from a state folder: two workerds on one database refuse each other's writes. SQLite's lock on a
 * file does it, which ends with its process, whatever ends that.
 */
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "./failure.ts";

/** How long to wait for a run that is ending, in milliseconds: longer than keeper.ts does for its program. */
const PATIENCE_MS = 4000;

const SQLITE_BUSY = 5;

/** As long as this process runs: one that is collected as garbage would give its lock back. */
let held: DatabaseSync | undefined;

/** Takes the state folder for this process, until it ends. Throws a `Failure` if another run keeps it for PATIENCE_MS. */
export async function holdState(folder: string): Promise<void> {
  const limit = Date.now() + PATIENCE_MS;
  while (!take(path.join(folder, "run.lock"))) {
    if (Date.now() > limit) {
      throw new Failure(
        `Another local run uses the state in ${folder}. Stop it first, or give npm start another folder: EDGEPRESS_STATE=…`,
      );
    }
    await sleep(100);
  }
}

/** Returns false while another process has the file. Where it cannot be locked at all, nobody is kept away. */
function take(file: string): boolean {
  try {
    const sqlite = process.getBuiltinModule("node:sqlite");
    held ??= new sqlite.DatabaseSync(file);
    held.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    return (error as { errcode?: number }).errcode !== SQLITE_BUSY;
  }
}
