/**
 * A lock between the processes of one machine. If its owner has died, another process takes it over.
 *
 * The lock is a folder with one empty folder in it. The name of the inner folder identifies the owner and is never used
 * twice. To take the lock, a process prepares both under a draft name and renames the outer one. To take it over, it
 * renames the inner one to its own name. To release it, the owner deletes both. A rename is atomic: of several
 * processes, one succeeds, and the others change nothing.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError, EXIT } from "../failure.ts";
import { isRunning } from "../processes.ts";

/** Milliseconds to wait for the lock: longer than the two requests of a token renewal (oauth.ts). */
const PATIENCE_MS = 45_000;
/**
 * Milliseconds after which a lock is taken over even if a process with the owner's id runs: the system may have given
 * the id to another process. Longer than `PATIENCE_MS`.
 */
const STALE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Runs `work` while holding the lock, a folder. Throws `CliError` `credentials_locked` if another process holds it for
 * 45 seconds. If `work` takes more than 60 seconds, another process may run at the same time.
 */
export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mine = await acquire(lock);
  try {
    return await work();
  } finally {
    // Both fail, as they must, if another process has taken the lock over.
    await rmdir(path.join(lock, mine)).catch(() => undefined);
    await rmdir(lock).catch(() => undefined);
  }
}

/** Process id, time of the attempt in Unix milliseconds, UUID. */
const OWNER = /^(\d+)-(\d+)-[0-9a-f-]{36}$/;

async function acquire(lock: string): Promise<string> {
  for (const limit = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    // A new name for each attempt, so that the lock's age counts from its acquisition.
    const mine = `${process.pid}-${Date.now()}-${randomUUID()}`;
    const owner = await findOwner(lock);
    if (owner === null ? await take(lock, mine) : await takeOver(lock, owner, mine)) return mine;
    if (Date.now() > limit) {
      throw new CliError("credentials_locked", `Another edgepress process is using ${lock}.`, EXIT.failed, {
        hint: "If none is running, delete it.",
      });
    }
  }
}

/** Takes a free lock; returns false if another process was faster. A rename replaces no folder that is not empty. */
async function take(lock: string, mine: string): Promise<boolean> {
  const draft = `${lock}.${mine}`;
  await mkdir(path.join(draft, mine), { recursive: true, mode: 0o700 });
  try {
    return await tryRename(draft, lock);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function takeOver(lock: string, owner: string, mine: string): Promise<boolean> {
  const [, pid, since] = OWNER.exec(owner) ?? [];
  const isStale = Date.now() - Number(since) > STALE_MS || !isRunning(Number(pid));
  return isStale && tryRename(path.join(lock, owner), path.join(lock, mine));
}

/** Renames a folder. Returns false if another process was faster: `to` exists, or `from` does not. */
const tryRename = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => (FASTER.has(error.code ?? "") ? false : Promise.reject(error)),
  );

/** Windows reports EPERM if the target folder exists; other systems report ENOTDIR if the target is a file. */
const FASTER = new Set([
  "ENOENT",
  "ENOTEMPTY",
  "EEXIST",
  "ENOTDIR",
  ...(process.platform === "win32" ? ["EPERM"] : []),
]);

async function findOwner(lock: string): Promise<string | null> {
  const entries = await readdir(lock).catch(() => []);
  return entries.find((entry) => OWNER.test(entry)) ?? null;
}
