/** The administration of local installations, as `npm run admin` works on them, and as with `--remote`. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { bindD1, openBindings, type Bindings } from "../../scripts/lib/place-bindings.ts";
import { environment, NODE, ROOT } from "./local-run.ts";

export const admin = (state: string, ...args: string[]) =>
  promisify(execFile)(NODE, ["--disable-warning=ExperimentalWarning", "scripts/admin.ts", ...args], {
    cwd: ROOT,
    env: environment(state),
  });

/** The files of a state, with their headers. */
export async function filesIn(state: string) {
  const { bucket, close } = await openBindings({ folder: state }, "read");
  try {
    const { objects } = await bucket.list({ include: ["httpMetadata", "customMetadata"] });
    return objects.map(({ key, size, etag, httpMetadata, customMetadata }) => ({
      key,
      size,
      etag,
      httpMetadata,
      customMetadata,
    }));
  } finally {
    await close();
  }
}

export const silent = (): void => undefined;

/** What --remote reads and writes: a D1 database, in which each query sees what was written before it. */
export const d1 = async (state: string) => {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {};",
      d1Databases: { DB: "00000000-0000-0000-0000-000000000000" },
      r2Buckets: { MEDIA: "edgepress-media" },
      resourcePersistencePath: path.join(state, "v3"),
    }),
  );
  const bindings = {
    ...bindD1(await miniflare.getD1Database("DB")),
    bucket: await miniflare.getR2Bucket("MEDIA"),
    close: () => miniflare.dispose(),
  } as unknown as Bindings;
  return bindings;
};

/** Bindings that lose the connection at the second query or transaction about a table. */
export const losing = (bindings: Bindings, table: string): Bindings => {
  let times = 0;
  const check = (sql: string) => {
    if (new RegExp(`(?:FROM|INTO) "${table}"`).test(sql) && ++times === 2) throw new Error("The connection is lost.");
  };
  return {
    ...bindings,
    async query(sql, values) {
      check(sql);
      return bindings.query(sql, values);
    },
    async execute(statements) {
      check(statements[0]?.sql ?? "");
      return bindings.execute(statements);
    },
  };
};
