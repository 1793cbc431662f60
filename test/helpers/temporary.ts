/** Keeps temporary files of tests in memory. On a disk, D1 waits after each write, which takes a tenth of a run. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import path from "node:path";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";

/** What must be free there, in bytes: three times as much as a whole run was seen to need; and of all memory, with programs. */
const ROOM = 512 * 1024 ** 2;
const MEMORY_OF_A_RUN = 4 * ROOM;

/**
 * Lets this process and all that it starts keep their temporary files in memory, in a folder that is removed when it
 * exits. Does nothing where there is no such place or no room, where files in memory may not be run as programs, or where
 * TMPDIR is set.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(path.join(MEMORY, "edgepress-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (!runsPrograms(folder)) return;
  // What Node has compiled of packages is worth keeping for the next run.
  process.env["NODE_COMPILE_CACHE"] ??= path.join(tmpdir(), "node-compile-cache");
  process.env["TMPDIR"] = folder;
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
  } catch {
    return false;
  }
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM && freemem() > MEMORY_OF_A_RUN;
}

/** Whether a program in a folder can be started: tests write some. Docker mounts /dev/shm with `noexec`. */
function runsPrograms(folder: string): boolean {
  const program = path.join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(program).status === 0;
}
