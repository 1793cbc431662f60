/** Formats the measurements as text. */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import type { Built } from "./build.ts";
import type { Delivered } from "./deliveries.ts";
import type { FirstUse } from "./first-use.ts";
import { CONNECTIONS, type Figures, type Rated } from "./rates.ts";

/** Architecture, "Budgets". */
const LARGEST_BUNDLE_KIB = 2560;
const LONGEST_STARTUP_MS = 60;

const whole = (value: number): string => value.toFixed(0);
const milliseconds = (value: number): string => value.toFixed(value < 10 ? 2 : 0);

/** Describes the machine, the versions of the runtimes and the day. */
export function machine(): string {
  const version = (name: string) =>
    (JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string }).version;
  const [cpu] = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpu?.model.trim()}, ${cpus().length} cores`,
    `Node ${process.versions.node}, workerd ${version("workerd")}, miniflare ${version("miniflare")}`,
  ].join("\n");
}

/** Shows the sizes of the bundle and the start-up time, next to their budgets. */
export function sizes(service: Built, startup: number | null): string {
  return table([
    ["", "measured", "budget"],
    ["bundle with WebAssembly, gzipped", `${whole(service.gzipped)} KiB`, `${LARGEST_BUNDLE_KIB} KiB`],
    ["bundle with WebAssembly", `${whole(service.size)} KiB`, ""],
    [
      "start-up, CPU in the profile of `wrangler check startup`",
      startup === null ? "not measured" : `${startup.toFixed(1)} ms`,
      `${LONGEST_STARTUP_MS} ms`,
    ],
  ]);
}

/** Shows the times of what is loaded on first use. */
export function firstUses(uses: readonly FirstUse[]): string {
  const rows = uses.map(({ name, first, later }) => [name, milliseconds(first), milliseconds(later)]);
  return table([["loaded on first use", "first request, ms", "later ones, p50 ms"], ...rows]);
}

/** Shows routes next to their bare counterparts, which send the same SQL in the same round trips, or next to another commit's. */
export function rates(rated: readonly Rated[], against?: string): string {
  const other = against ?? "bare";
  const head = ["", "req/s", "p50 ms", "p99 ms", "CPU µs", `| ${other} req/s`, "p50 ms", "p99 ms", "CPU µs"];
  const rows = rated.map(({ name, service, bare, ratio, cpuRatio }) => [
    name,
    ...columns(service),
    ...columns(bare),
    ...(service ? [ratio, cpuRatio].map((value) => value.toFixed(2)) : ["", ""]),
  ]);
  return [
    `${CONNECTIONS} connections; ${against ? `${against} has a workerd of its own` : "a bare route sends the same SQL in the same round trips, and does nothing else"}`,
    table([[...head, "| ratio", "by CPU"], ...rows]),
  ].join("\n");
}

const columns = (figures: Figures | null): string[] =>
  figures === null
    ? ["", "", "", ""]
    : [whole(figures.perSecond), milliseconds(figures.p50), milliseconds(figures.p99), whole(figures.cpu)];

/** Shows how many deliveries there are per second, and how old a change is when its receiver gets it. */
export function deliveryRates(delivered: readonly Delivered[]): string {
  const rows = delivered.map(({ name, deliveries, perSecond, p50, p99 }) => [
    name,
    whole(deliveries),
    whole(perSecond),
    whole(p50),
    whole(p99),
  ]);
  return [
    "milliseconds from an article's creation time until its receiver has the delivery; local queues run a batch at a time",
    table([["", "deliveries", "per second", "p50 ms", "p99 ms"], ...rows]),
  ].join("\n");
}

/** Formats rows as columns of text. The first column is aligned to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
}
