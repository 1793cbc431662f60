/**
 * `npm run bench:backup [-- --articles N]`: rehearses a backup of a database with 100,000 articles and its restoration into an
 * empty one, both through D1's interface, as for a deployed service. Prints how long each takes and how large the copy is.
 */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { D1Database, R2Bucket } from "@cloudflare/workers-types";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { backUp, type Manifest } from "../scripts/lib/backup.ts";
import { bindD1, type Bindings } from "../scripts/lib/place-bindings.ts";
import { restore } from "../scripts/lib/restore.ts";
import { migrate } from "./runtime.ts";
import { seed } from "./seed.ts";

const { values } = parseArgs({ options: { articles: { type: "string", default: "100000" } } });

const folder = await mkdtemp(join(tmpdir(), "edgepress-backup-"));
try {
  const source = await openPlace("source");
  const seeding = await timed(() => seed(source.db, Number(values.articles)));
  console.log(`Seeded in ${seeding.seconds} s.`);
  const copy = await timed(() => backUp(source.bindings, join(folder, "copy"), () => undefined));
  await source.bindings.close();
  console.log(
    `Backup: ${countRows(copy.value)} rows, ${await measureFolder(join(folder, "copy"))} MB, ${copy.seconds} s.`,
  );
  const target = await openPlace("target");
  const back = await timed(() => restore(target.bindings, join(folder, "copy"), () => undefined));
  console.log(`Restoration: ${back.seconds} s.`);
  const again = await backUp(target.bindings, join(folder, "again"), () => undefined);
  await target.bindings.close();
  const differing = Object.keys(copy.value.tables).filter(
    (name) => copy.value.tables[name]?.sha256 !== again.tables[name]?.sha256,
  );
  console.log(
    differing.length === 0 ? "A backup of the restored database is equal." : `Not equal: ${differing.join(", ")}`,
  );
  process.exitCode = differing.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function openPlace(name: string) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {};",
      d1Databases: { DB: "bench" },
      r2Buckets: { MEDIA: "bench" },
      resourcePersistencePath: join(folder, name),
    }),
  );
  const db = await miniflare.getD1Database("DB");
  await migrate(db);
  const bucket = (await miniflare.getR2Bucket("MEDIA")) as unknown as R2Bucket;
  const bindings: Bindings = {
    ...bindD1(db as unknown as D1Database),
    bucket,
    close: () => miniflare.dispose(),
  };
  return { db, bindings };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly seconds: number }> {
  const begin = performance.now();
  const value = await work();
  return { value, seconds: Math.round((performance.now() - begin) / 100) / 10 };
}

function countRows({ tables }: Manifest): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the size of all files below a folder, in megabytes. */
async function measureFolder(path: string): Promise<number> {
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = files.map(async (file) => (file.isFile() ? (await stat(join(file.parentPath, file.name))).size : 0));
  return Math.round((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1e6);
}
