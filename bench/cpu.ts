/** CPU time of the workerd that this process started: unlike throughput, neighbours on the machine hardly move it. */
import { readdirSync, readFileSync } from "node:fs";

/** A clock of the CPU that all threads of workerd have used, in microseconds; null where there is no /proc. */
export function workerdClock(): (() => number) | null {
  const pid = childOf(process.pid, "workerd");
  return pid === null ? null : () => threadsOf(pid).reduce((sum, thread) => sum + usedBy(thread), 0);
}

function childOf(parent: number, name: string): string | null {
  try {
    const children = readFileSync(`/proc/self/task/${parent}/children`, "utf8").trim().split(" ");
    return children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(name)) ?? null;
  } catch {
    return null;
  }
}

const threadsOf = (pid: string): string[] => readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`);

/** The first number of schedstat is nanoseconds on a CPU; a thread that has just ended counts no more. */
function usedBy(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[0]) / 1000;
  } catch {
    return 0;
  }
}
