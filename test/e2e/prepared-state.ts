/** A state folder whose database has all migrations already, so that a start need not apply them. */
import { createHash, randomUUID } from "node:crypto";
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { prepareDatabase } from "../../scripts/lib/organization.ts";
import { openState } from "../../scripts/lib/state.ts";
import { newState, ROOT } from "./local-run.ts";

/** Makes one, from a database that is kept until a migration or the configuration changes. */
export async function preparedState(): Promise<string> {
  const kept = path.join(ROOT, "node_modules/.cache", `migrated-${fingerprint()}`);
  if (!existsSync(kept)) await prepare(kept);
  const state = newState();
  cpSync(kept, path.join(state, "v3"), { recursive: true });
  return state;
}

/** Other processes may be doing the same: whoever is first puts theirs in its place. */
async function prepare(kept: string): Promise<void> {
  const state = openState(newState());
  await prepareDatabase(state);
  const draft = `${kept}.${randomUUID()}`;
  cpSync(path.join(state.folder, "v3"), draft, { recursive: true });
  try {
    renameSync(draft, kept);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(kept)) throw error;
  }
}

function fingerprint(): string {
  const hash = createHash("sha256");
  const files = [
    "wrangler.toml",
    "node_modules/wrangler/package.json",
    ...globSync("migrations/*.sql", { cwd: ROOT }).sort(),
  ];
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(path.join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}
