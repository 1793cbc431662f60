/** One process at a time: a lock file that names its owner, and that a dead owner does not keep. */
import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../failure.ts";

/** How long to wait for another owner: longer than the two requests of a renewal may take (oauth.ts). */
const PATIENCE_MS = 45_000;
/** How long a live owner is believed: longer still, as its process number may belong to another process by then. */
const STALE_MS = 60_000;
const PAUSE_MS = 50;

/** Runs `work` while nobody else who asks for the same lock does. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomUUID()}`;
  await acquire(file, mine);
  try {
    return await work();
  } finally {
    // Not one that somebody has taken over, because this process had stood still for too long.
    if ((await ownerOf(file)) === mine) await rm(file, { force: true });
  }
}

async function acquire(file: string, mine: string): Promise<void> {
  const draft = `${file}.${mine.split(" ")[1]}`;
  await writeFile(draft, mine, { mode: 0o600, flag: "wx" });
  try {
    for (const limit = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS)) {
      // The lock is as old as its holding, not as the wait for it.
      await utimes(draft, new Date(), new Date());
      // A link exists with its whole content or not at all, and never replaces one that is there.
      if (await linked(draft, file)) return;
      await removeStale(file, `${draft}.stale`);
      if (Date.now() > limit) {
        throw new CliError("credentials_locked", `Another edgepress holds ${file}.`, 1, {
          hint: "If none is running, delete that file.",
        });
      }
    }
  } finally {
    await rm(draft, { force: true });
  }
}

const linked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? false : Promise.reject(error)),
  );

/** Moves a dead owner's lock away; by rename, so that of several processes one does. */
async function removeStale(file: string, away: string): Promise<void> {
  const owner = await ownerOf(file);
  if (owner === null || !(await isStale(file, owner))) return;
  await rename(file, away).catch(() => undefined);
  const moved = await ownerOf(away);
  // Another process was faster, and what was moved is its new lock: it goes back.
  if (moved !== null && moved !== owner) await link(away, file).catch(() => undefined);
  await rm(away, { force: true });
}

async function isStale(file: string, owner: string): Promise<boolean> {
  const made = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
  return Date.now() - made > STALE_MS || !lives(Number(owner.split(" ")[0]));
}

function lives(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

const ownerOf = (file: string): Promise<string | null> => readFile(file, "utf8").catch(() => null);
