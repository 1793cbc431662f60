/** Measures the CPU time of the workerd that this process started. Other processes affect it less than throughput. */
import { readdirSync, readFileSync } from "node:fs";

/** Returns the CPU time so far, in microseconds. */
export type Clock = (() => number) | null;

/**
 * Returns a function that returns the CPU time of all threads of the newest workerd so far, in microseconds. Returns null without
 * /proc, or if no workerd is running. With `onlyMain`, it is that of the thread that runs all Workers and their databases.
 */
export function workerdClock(onlyMain = false): Clock {
  const pid = childOf(process.pid, "workerd");
  if (pid === null) return null;
  const list = () => (onlyMain ? [`/proc/${pid}/task/${pid}`] : threadsOf(pid));
  return () => list().reduce((sum, thread) => sum + usedBy(thread), 0);
}

function childOf(parent: number, name: string): string | null {
  try {
    const children = readFileSync(`/proc/self/task/${parent}/children`, "utf8").trim().split(" ");
    return children.findLast((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(name)) ?? null;
  } catch {
    return null;
  }
}

const threadsOf = (pid: string): string[] => readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`);

/** Returns microseconds. The first number of schedstat is nanoseconds on a CPU. A thread that has ended returns 0. */
function usedBy(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[0]) / 1000;
  } catch {
    return 0;
  }
}
