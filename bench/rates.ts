/** Measures requests per second and latencies of each route and of its bare counterpart, alternately. */
import { fork } from "node:child_process";
import type { Clock } from "./cpu.ts";
import type { Fixture } from "./fixture.ts";
import type { Load, Loaded } from "./load.ts";
import { PORTS } from "./runtime.ts";
import { measuredArticle } from "./seed.ts";
import { median, quantile } from "./statistics.ts";

/** The number of concurrent connections. */
export const CONNECTIONS = 16;

/** The requests to one Worker. */
export type Side = Pick<Load, "port" | "requests"> & { readonly status: number };
/** A route and its bare counterpart. `service` is null for a bare route that stands alone. */
export type Comparison = { readonly name: string; readonly service: Side | null; readonly bare: Side };

export type Figures = {
  readonly perSecond: number;
  /** The median latency in milliseconds; `p99` is also in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU microseconds of workerd for each request; NaN if they cannot be measured. */
  readonly cpu: number;
};

/** A row of the table. Each ratio is the median of the ratios of all rounds. */
export type Rated = {
  readonly name: string;
  readonly service: Figures | null;
  readonly bare: Figures;
  /** The throughput of the service divided by that of its bare counterpart. */
  readonly ratio: number;
  /** The CPU time of the bare counterpart for each request, divided by that of the service. */
  readonly cpuRatio: number;
};

type Slice = Loaded & { readonly cpu: number };

/** The header of a reader from a network of its own, about which the service need not ask the limiter. */
export const STRANGER = "CF-Connecting-IP: {n}";

/** Returns what is compared. A bare counterpart sends the same SQL in the same round trips. */
export function comparisons(
  fixture: Fixture,
  etags: ReadonlyMap<string, string>,
  { service, bare }: Record<"service" | "bare", number> = PORTS,
): Comparison[] {
  const { blogId, apiKey, slugs } = fixture;
  const basic = `Authorization: Basic ${btoa(apiKey)}`;
  const get = (port: number, paths: readonly string[], ...headers: string[]): Side => ({
    port,
    requests: paths.map((path) => request(port, `GET ${path}`, headers)),
    status: 200,
  });
  const unchanged = (port: number, path: string): Side => ({
    port,
    requests: [...etags].map(([slug, etag]) =>
      request(port, `GET ${path}/${slug}`, [STRANGER, `If-None-Match: ${etag}`]),
    ),
    status: 304,
  });
  const article = { ...measuredArticle(), blogId };
  const write = (port: number, path: string, prefix: string): Side => ({
    port,
    requests: [request(port, `POST ${path}`, [basic], JSON.stringify({ ...article, slug: `${prefix}-{n}` }))],
    status: 200,
  });
  const list = `/api/articles?blogId=${blogId}&limit=20`;
  const each = (path: string): string[] => slugs.map((slug) => `${path}/${slug}`);
  return [
    { name: "a bare Hono route", service: null, bare: get(bare, ["/"]) },
    {
      name: "article by slug",
      service: get(service, each("/api/articles"), STRANGER),
      bare: get(bare, each("/articles")),
    },
    {
      name: "the same, for one network",
      service: get(service, each("/api/articles")),
      bare: get(bare, each("/articles")),
    },
    { name: "list of 20", service: get(service, [list], STRANGER), bare: get(bare, ["/articles"]) },
    {
      name: "list of 20, three fields",
      service: get(service, [`${list}&fields=_id,title,slug`], STRANGER),
      bare: get(bare, ["/fields"]),
    },
    { name: "304 by slug", service: unchanged(service, "/api/articles"), bare: unchanged(bare, "/articles") },
    { name: "list of 20, with a key", service: get(service, [list], basic), bare: get(bare, ["/own"], basic) },
    {
      name: "article write",
      service: write(service, "/api/articles", "service"),
      bare: write(bare, "/articles", "bare"),
    },
  ];
}

/** Returns a whole HTTP/1.1 request as text. It names the service's own address: another host may be that of a blog. */
export function request(port: number, line: string, headers: readonly string[], body?: string): string {
  const lines = [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers];
  if (body === undefined) return [...lines, "", ""].join("\r\n");
  // The number that replaces {n} has eight digits.
  const length = Buffer.byteLength(body.replace("{n}", "00000000"));
  return [...lines, "Content-Type: application/json", `Content-Length: ${length}`, "", body].join("\r\n");
}

/** How long all are measured: in so many rounds, and in each round every side for so many milliseconds. */
export type Rounds = { readonly rounds: number; readonly milliseconds: number };

/**
 * Measures all comparisons in rounds. Other work of the machine then affects a route and its counterpart equally. `clockOf`
 * returns the CPU time of the workerd that answers at a port.
 */
export async function rate(
  all: readonly Comparison[],
  { rounds, milliseconds }: Rounds,
  clockOf: (port: number) => Clock,
): Promise<Rated[]> {
  const generator = loadGenerator();
  const slices = new Map<Side, Slice[]>();
  const measure = async (side: Side): Promise<Slice> => {
    const clock = clockOf(side.port);
    const before = clock?.() ?? Number.NaN;
    const loaded = await generator.run({ ...side, connections: CONNECTIONS, milliseconds });
    return { ...loaded, cpu: ((clock?.() ?? Number.NaN) - before) / loaded.latencies.length };
  };
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { service, bare } of all) {
        const sides = service === null ? [bare] : round % 2 === 0 ? [service, bare] : [bare, service];
        for (const side of sides) {
          const slice = await measure(side);
          // The first round is a warm-up.
          if (round >= 0) slices.set(side, [...(slices.get(side) ?? []), slice]);
        }
      }
    }
  } finally {
    generator.stop();
  }
  return all.map((comparison) => rated(comparison, slices));
}

function rated({ name, service, bare }: Comparison, slices: ReadonlyMap<Side, readonly Slice[]>): Rated {
  const mine = service === null ? [] : (slices.get(service) ?? []);
  const theirs = slices.get(bare) ?? [];
  const ratio = (of: (mine: Slice, theirs: Slice) => number) =>
    median(mine.flatMap((slice, round) => (theirs[round] === undefined ? [] : [of(slice, theirs[round])])));
  return {
    name,
    service: service && figures(mine),
    bare: figures(theirs),
    ratio: ratio((a, b) => a.perSecond / b.perSecond),
    cpuRatio: ratio((a, b) => b.cpu / a.cpu),
  };
}

function figures(slices: readonly Slice[]): Figures {
  const latencies = slices.flatMap((slice) => slice.latencies);
  return {
    perSecond: median(slices.map((slice) => slice.perSecond)),
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
    cpu: median(slices.map((slice) => slice.cpu)),
  };
}

/** Starts the child process that creates the load (load.ts). */
export function loadGenerator(): { run: (load: Load) => Promise<Loaded>; stop: () => void } {
  const child = fork(new URL("load.ts", import.meta.url), { serialization: "advanced" });
  const run = (load: Load) =>
    new Promise<Loaded>((resolve, reject) => {
      child.once("message", (answer: { loaded: Loaded } | { error: string }) => {
        if ("error" in answer) reject(new Error(answer.error));
        else resolve(answer.loaded);
      });
      child.send(load);
    });
  return { run, stop: () => child.disconnect() };
}
