/**
 * One process of this machine at a time: a lock that names its owner, and that a dead owner does not keep. It is a
 * folder with one entry, the owner's, and every step is one move or removal of a name that nothing else ever has:
 * whoever comes too late finds that name gone, and cannot touch the lock of somebody else.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../failure.ts";
import { isRunning } from "../processes.ts";

/** How long to wait for another owner: longer than the two requests of a renewal may take (oauth.ts). */
const PATIENCE_MS = 45_000;
/** How long a live owner is believed: longer still, as its process number may belong to another process by then. */
const STALE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Runs `work` while nobody else who asks for the same lock does, for a minute from the try that got it: after that, to
 * whoever waits, a process that stands still is as good as dead.
 */
export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const mine = await acquire(lock);
  try {
    return await work();
  } finally {
    // Where it was taken over, neither is there: the entry has another's name by now, and the folder is not empty.
    await rmdir(path.join(lock, mine)).catch(() => undefined);
    await rmdir(lock).catch(() => undefined);
  }
}

/** The number of a process, when it asked (Unix milliseconds), and what makes the name its own. */
const OWNER = /^(\d+)-(\d+)-[0-9a-f-]{36}$/;

async function acquire(lock: string): Promise<string> {
  for (const limit = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
    // The lock is as old as its holding, not as the wait for it.
    const mine = `${process.pid}-${Date.now()}-${randomUUID()}`;
    const owner = await ownerOf(lock);
    if (owner === null ? await take(lock, mine) : await takeOver(lock, owner, mine)) return mine;
    if (Date.now() > limit) {
      throw new CliError("credentials_locked", `Another edgepress holds ${lock}.`, 1, {
        hint: "If none is running, delete it.",
      });
    }
  }
}

/** A folder moves with what is in it, and never onto one that has something in it. */
async function take(lock: string, mine: string): Promise<boolean> {
  const draft = `${lock}.${mine}`;
  await mkdir(path.join(draft, mine), { recursive: true, mode: 0o700 });
  try {
    return await moved(draft, lock);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function takeOver(lock: string, owner: string, mine: string): Promise<boolean> {
  const [, pid, since] = OWNER.exec(owner) ?? [];
  const isStale = Date.now() - Number(since) > STALE_MS || !isRunning(Number(pid));
  return isStale && moved(path.join(lock, owner), path.join(lock, mine));
}

/** False where there is something else, or no longer anything to move: both mean that another was faster. */
const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => (FASTER.has(error.code ?? "") ? false : Promise.reject(error)),
  );

/** EPERM is Windows's for a folder that is there already, ENOTDIR that of others for a file. */
const FASTER = new Set([
  "ENOENT",
  "ENOTEMPTY",
  "EEXIST",
  "ENOTDIR",
  ...(process.platform === "win32" ? ["EPERM"] : []),
]);

/** Null where nobody has it. */
async function ownerOf(lock: string): Promise<string | null> {
  const entries = await readdir(lock).catch(() => []);
  return entries.find((entry) => OWNER.test(entry)) ?? null;
}
