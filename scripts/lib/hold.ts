/**
 * Keeps a second run away from a state folder: two workerds on one database refuse each other's writes. A lock of SQLite does
 * it, because it ends with its process in any case.
 */
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "./failure.ts";

/** Milliseconds to wait for a run that is ending: longer than keeper.ts gives its program. */
const PATIENCE_MS = 4000;

const SQLITE_BUSY = 5;

/** Referenced as long as this process runs: a database that is collected as garbage releases its lock. */
let held: DatabaseSync | undefined;

/** Locks the state folder for this process. Throws a `Failure` if another run keeps it for PATIENCE_MS. */
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

/** Returns false while another process has the lock. Nobody is kept away if the file cannot be locked at all. */
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
