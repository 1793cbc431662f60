/** Pairs the reads without credentials with those of another commit, each in a workerd of its own, with articles of its own. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { pathToFileURL } from "node:url";
import { build } from "./build.ts";
import { workerdClock } from "./cpu.ts";
import type { Fixture } from "./fixture.ts";
import { comparisons, rate, type Rated, type Rounds, type Side } from "./rates.ts";
import type * as Seed from "./seed.ts";
import { FORMER_PORTS, migrate, PORTS, start, type Scripts } from "./runtime.ts";

const execute = promisify(execFile);

/** Measures the reads here and in a commit, or in a checkout of one that has its packages: it takes the place of the bare routes. */
export async function pairReads(against: string, scripts: Scripts, folder: string, rounds: Rounds): Promise<Rated[]> {
  const root = existsSync(against) ? resolve(against) : await checkedOut(against, join(folder, "checkout"));
  try {
    const former = { ...scripts, service: (await build(join(folder, "former"), undefined, root)).path };
    const [mine, theirs] = [
      await seeded(scripts, join(folder, "mine")),
      await seeded(former, join(folder, "theirs"), root),
    ];
    const here = await start(scripts, join(folder, "mine"), { consumers: false });
    const clocks = new Map([[PORTS.service as number, workerdClock()]]);
    const there = await start(former, join(folder, "theirs"), { consumers: false, root, ports: FORMER_PORTS });
    clocks.set(FORMER_PORTS.service, workerdClock());
    try {
      const others = comparisons(theirs, await etagsOf(theirs, FORMER_PORTS.service), FORMER_PORTS);
      const pairs = comparisons(mine, await etagsOf(mine, PORTS.service)).flatMap(({ name, service }, n) => {
        const bare = others[n]?.service;
        return service && bare && isPublicRead(service) ? [{ name, service, bare }] : [];
      });
      return await rate(pairs, rounds, (port) => clocks.get(port) ?? null);
    } finally {
      await Promise.all([here.stop(), there.stop()]);
    }
  } finally {
    if (!existsSync(against)) await execute("git", ["worktree", "remove", "--force", root]);
  }
}

const isPublicRead = ({ requests: [first = ""] }: Side): boolean =>
  first.startsWith("GET") && !first.includes("Authorization");

/** Checks a commit out into a folder, with its packages. */
async function checkedOut(commit: string, folder: string): Promise<string> {
  await execute("git", ["worktree", "add", "--detach", folder, commit]);
  await execute("npm", ["ci", "--ignore-scripts"], { cwd: folder });
  return folder;
}

/** Makes the tables and 10,000 articles, as the commit in `root` does. */
export async function seeded(scripts: Scripts, state: string, root = "."): Promise<Fixture> {
  const { db, stop } = await start(scripts, state, { consumers: false, root });
  await migrate(db, root);
  const { seed } = (await import(pathToFileURL(resolve(root, "bench/seed.ts")).href)) as typeof Seed;
  const fixture = await seed(db, 10_000);
  await stop();
  return fixture;
}

/** Returns the entity tags of some articles, by their slugs. */
export async function etagsOf({ slugs }: Fixture, port: number): Promise<Map<string, string>> {
  const etags = new Map<string, string>();
  for (const slug of slugs.slice(0, 50)) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/api/articles/${slug}`);
    etags.set(slug, headers.get("ETag") ?? "");
  }
  return etags;
}
