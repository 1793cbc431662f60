/** Other processes of this machine. */

/** Whether a process of this number runs. */
export function isRunning(pid: number): boolean {
  // Zero and below mean groups of processes, of which there is always one.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
