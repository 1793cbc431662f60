/** The bundled client, built once for all the tests that run it as a process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { buildCli } from "../../scripts/build-cli.ts";

/** Builds it into a folder of its own; the tests get its path as `inject("bundle")`. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), "edgepress-bundle-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const bundle = path.join(folder, "edgepress.mjs");
  try {
    await buildCli(bundle);
  } catch (error) {
    remove();
    throw error;
  }
  project.provide("bundle", bundle);
  return remove;
}

declare module "vitest" {
  export interface ProvidedContext {
    bundle: string;
  }
}
