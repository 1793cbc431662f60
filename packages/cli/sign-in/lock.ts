/** A lock between the processes of one machine: a file with the owner's process id. Whoever creates it has the lock. */
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, EXIT } from "../failure.ts";

/** Milliseconds to wait for the lock: longer than the two requests of a token renewal (oauth.ts). */
const PATIENCE_MS = 45_000;
/**
 * Milliseconds after which a lock is taken over even if a process with the owner's id runs: the system may have given
 * the id to another process. Longer than `PATIENCE_MS`.
 */
const STALE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Runs `work` while holding the lock, a file. Throws `CliError` `credentials_locked` if another process holds it for 45
 * seconds. If `work` takes more than 60 seconds, another process may run at the same time; so may two that find the lock of
 * a process that has ended at the same moment.
 */
export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  for (const limit = Date.now() + PATIENCE_MS; !(await take(lock)); await sleep(PAUSE_MS)) {
    // Recursive, because the lock of version 1.0.0 is a folder.
    if (await isAbandoned(lock)) await rm(lock, { recursive: true, force: true });
    else if (Date.now() > limit) {
      throw new CliError("credentials_locked", `Another edgepress process is using ${lock}.`, EXIT.failed, {
        hint: "If none is running, delete it.",
      });
    }
  }
  try {
    return await work();
  } finally {
    // Another process may have taken it over.
    if ((await readOwner(lock)) === process.pid) await rm(lock, { force: true });
  }
}

const take = (lock: string): Promise<boolean> =>
  writeFile(lock, String(process.pid), { flag: "wx", mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? false : Promise.reject(error)),
  );

async function isAbandoned(lock: string): Promise<boolean> {
  const about = await stat(lock).catch(() => null);
  if (about === null) return false;
  const owner = await readOwner(lock);
  return Date.now() - about.mtimeMs > STALE_MS || (owner !== null && !isRunning(owner));
}

/** Returns the owner's process id; null if the lock is gone, or if its owner has not written the id yet. */
const readOwner = async (lock: string): Promise<number | null> =>
  Number(await readFile(lock, "utf8").catch(() => "")) || null;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
