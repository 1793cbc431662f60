/** Imports of small folders into the small service: what a test file of them needs. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { OnOutput } from "./inside.ts";
import { newProgram } from "./transfer-program.ts";
import { startServer } from "./transfer-server.ts";

const BLOG = "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a";

type Result = Record<"created" | "updated" | "unchanged" | "present", number> & {
  failed: { name: string; reason: string }[];
  remarks: { what: string; times: number }[];
};

export const none = { created: 0, updated: 0, unchanged: 0, present: 0 };
export const file = (slug: string, text: string) => `---\ntitle: "${text}"\nslug: ${slug}\n---\n\n${text}\n`;

/** Writes a file of each name, whose article has that slug, and a text by which it is known whatever its slug. */
export const write = (folder: string, slugs: Readonly<Record<string, string>>) =>
  Object.entries(slugs).forEach(([name, slug]) =>
    writeFileSync(path.join(folder, `${name}.md`), file(slug, `Text ${name}`)),
  );

/** One program for a test file, one service for each test. */
export function useImports() {
  const uses = {} as {
    program: ReturnType<typeof newProgram>;
    server: Awaited<ReturnType<typeof startServer>>;
  };
  beforeAll(() => {
    uses.program = newProgram();
  });
  afterAll(() => uses.program.cleanUp());
  beforeEach(async () => {
    uses.server = await startServer();
  });
  afterEach(() => uses.server.stop());

  const args = (folder: string, more: readonly string[]) => [
    "import",
    folder,
    "--blog",
    BLOG,
    "--rate",
    "1000000",
    ...more,
  ];
  const settings = (state = path.join(uses.program.home, "state")) => ({
    EDGEPRESS_URL: uses.server.url,
    EDGEPRESS_API_KEY: "epk_test",
    XDG_STATE_HOME: state,
  });
  const run = (folder: string, more: readonly string[] = [], state?: string, onOutput?: OnOutput) =>
    uses.program.run(args(folder, more), settings(state), onOutput);

  const imported = async (folder: string, ...more: string[]) => {
    const { code, stdout, stderr } = await run(folder, ["--json", ...more]);
    const { created, updated, unchanged, present, failed, remarks } = JSON.parse(stdout) as Result;
    return { code, counts: { created, updated, unchanged, present }, failed, remarks, stderr };
  };
  /** What the service holds: the text of each slug. */
  const texts = () =>
    Object.fromEntries([...uses.server.articles.values()].map(({ slug, content }) => [slug, String(content).trim()]));
  return { uses, run, imported, texts };
}
