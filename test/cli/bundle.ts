/** The bundled client, built once for all the tests that run it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { buildCli } from "../../scripts/build-cli.ts";

/**
 * Builds it into a folder of its own. The tests get the path of the program as `inject("bundle")`, and of a module with
 * its function `run` as `inject("bundledRun")`.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress-bundle-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const bundle = path.join(folder, "edgepress.mjs");
  const bundledRun = path.join(folder, "run.mjs");
  try {
    await Promise.all([buildCli(bundle), buildCli(bundledRun, "run.ts")]);
  } catch (error) {
    remove();
    throw error;
  }
  project.provide("bundle", bundle);
  project.provide("bundledRun", bundledRun);
  return remove;
}

declare module "vitest" {
  export interface ProvidedContext {
    bundle: string;
    bundledRun: string;
  }
}
