/**
 * A lock between the processes of one machine. If the process that holds it has died, another process takes it over.
 *
 * The lock is a folder that contains one empty folder. The name of that inner folder identifies the owner and is never
 * used twice. To take the lock, a process prepares both folders under a draft name and renames the outer one. To take
 * it over, a process renames the inner folder to its own name. To release it, the owner deletes both. Each rename is
 * atomic, so only one of several processes succeeds. The others get an error and change nothing.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, EXIT } from "../failure.ts";
import { isRunning } from "../processes.ts";

/** Milliseconds to wait for the lock: longer than the two requests of a token renewal can take (oauth.ts). */
const PATIENCE_MS = 45_000;
/**
 * Milliseconds after which a lock is taken over even if a process with the owner's id runs: the system may have given
 * the id of a dead owner to another process. Longer than `PATIENCE_MS`.
 */
const STALE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Acquires the lock, runs `work`, releases the lock, and returns what `work` returned. `lock` is the path of the lock's
 * folder. Throws `CliError` `credentials_locked` if another process holds the lock for 45 seconds. If `work` takes
 * longer than 60 seconds, a waiting process may take the lock over and run at the same time.
 */
export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mine = await acquire(lock);
  try {
    return await work();
  } finally {
    // Both deletions fail if another process has taken the lock over: the inner folder has its name, so this name does
    // not exist and the outer folder is not empty. That lock must stay.
    await rmdir(path.join(lock, mine)).catch(() => undefined);
    await rmdir(lock).catch(() => undefined);
  }
}

/** An owner's name: the process id, the time of its attempt in Unix milliseconds, and a UUID that makes it unique. */
const OWNER = /^(\d+)-(\d+)-[0-9a-f-]{36}$/;

async function acquire(lock: string): Promise<string> {
  for (const limit = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    // Each attempt gets a new name, so that the lock's age counts from its acquisition and not from the first attempt.
    const mine = `${process.pid}-${Date.now()}-${randomUUID()}`;
    const owner = await ownerOf(lock);
    if (owner === null ? await take(lock, mine) : await takeOver(lock, owner, mine)) return mine;
    if (Date.now() > limit) {
      throw new CliError("credentials_locked", `Another edgepress process is using ${lock}.`, EXIT.failed, {
        hint: "If none is running, delete it.",
      });
    }
  }
}

/**
 * Takes a free lock; returns false if another process was faster. The lock appears together with its owner, because the
 * draft folder is renamed with its content. A rename never replaces a folder that is not empty.
 */
async function take(lock: string, mine: string): Promise<boolean> {
  const draft = `${lock}.${mine}`;
  await mkdir(path.join(draft, mine), { recursive: true, mode: 0o700 });
  try {
    return await moved(draft, lock);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Takes the lock over from `owner` if that owner is dead or too old; returns whether it succeeded. */
async function takeOver(lock: string, owner: string, mine: string): Promise<boolean> {
  const [, pid, since] = OWNER.exec(owner) ?? [];
  const isStale = Date.now() - Number(since) > STALE_MS || !isRunning(Number(pid));
  return isStale && moved(path.join(lock, owner), path.join(lock, mine));
}

/**
 * Renames a folder. Returns false if `to` already exists or if `from` does not exist: in both cases another process was
 * faster. Rejects with all other errors.
 */
const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => (FASTER.has(error.code ?? "") ? false : Promise.reject(error)),
  );

/**
 * The error codes that mean that another process was faster. Windows reports EPERM if the target folder exists; other
 * systems report ENOTDIR if the target is a file.
 */
const FASTER = new Set([
  "ENOENT",
  "ENOTEMPTY",
  "EEXIST",
  "ENOTDIR",
  ...(process.platform === "win32" ? ["EPERM"] : []),
]);

async function ownerOf(lock: string): Promise<string | null> {
  const entries = await readdir(lock).catch(() => []);
  return entries.find((entry) => OWNER.test(entry)) ?? null;
}
