/**
 * What an import has done, line by line in a file, so that the same import goes on where it ended, however it
 * ended. It is not a source of truth: without it, articles that already exist are found and count as done.
 */
import { mkdir, open, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import * as z from "zod";
import { jsonOrNull } from "../../lib/json.ts";
import { CliError, EXIT } from "../failure.ts";
import { digest } from "./article.ts";

/** What became of an entry: the fingerprint of what was sent, the article, and its version then. */
const done = z.object({ key: z.string(), print: z.string(), id: z.string(), etag: z.string() });
export type Done = z.infer<typeof done>;

export type Journal = {
  readonly file: string;
  get(key: string): Done | undefined;
  /** Resolves once it is written: a process that is killed from here on has it. */
  record(entry: Done): Promise<void>;
  close(): Promise<void>;
};

/** What an import is known by: another source, blog or server is another import. */
export type ImportOf = { readonly server: string; readonly blogId: string; readonly source: string };

/**
 * Opens the journal of an import, `$XDG_STATE_HOME/edgepress/imports/….jsonl`. Throws `CliError` where it cannot be
 * written: an import without it would not know where to go on.
 */
export async function openJournal(of: ImportOf, env: NodeJS.ProcessEnv): Promise<Journal> {
  const file = fileOf(of, env);
  const { entries, handle } = await opened(file, of).catch((error: NodeJS.ErrnoException) => {
    throw new CliError("file_error", `The import's journal cannot be written: ${error.message}.`, EXIT.failed, {
      hint: "Set a writable folder for it: XDG_STATE_HOME=/absolute/path",
      cause: error,
    });
  });
  return {
    file,
    get: (key) => entries.get(key),
    async record(entry) {
      // One write: lines of several processes stay whole.
      await handle.appendFile(`${JSON.stringify(entry)}\n`);
      entries.set(entry.key, entry);
    },
    close: () => handle.close(),
  };
}

/** The journal for reading only: nothing is created or written. One that cannot be read counts as empty. */
export async function readJournal(of: ImportOf, env: NodeJS.ProcessEnv): Promise<Pick<Journal, "get">> {
  const { entries } = await read(fileOf(of, env)).catch(() => ({ entries: new Map<string, Done>() }));
  return { get: (key) => entries.get(key) };
}

const fileOf = (of: ImportOf, env: NodeJS.ProcessEnv): string =>
  path.join(stateHome(env), "edgepress", "imports", `${digest(of.server, of.blogId, of.source).slice(0, 32)}.jsonl`);

async function opened(file: string, of: ImportOf) {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const { entries, text } = await read(file);
  const handle = await open(file, "a", 0o600);
  // A line that was cut off must not take the next one with it.
  if (text === "") await handle.appendFile(`${JSON.stringify(of)}\n`);
  else if (!text.endsWith("\n")) await handle.appendFile("\n");
  return { entries, handle };
}

async function read(file: string): Promise<{ entries: Map<string, Done>; text: string }> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const entries = new Map<string, Done>();
  for (const line of text.split("\n")) {
    // The first line, and one that was cut off, are not entries.
    const entry = done.safeParse(jsonOrNull(line));
    if (entry.success) entries.set(entry.data.key, entry.data);
  }
  return { entries, text };
}

/** XDG Base Directory Specification: a relative path is to be ignored. */
function stateHome(env: NodeJS.ProcessEnv): string {
  const given = env["XDG_STATE_HOME"] ?? "";
  return path.isAbsolute(given) ? given : path.join(env["HOME"] || homedir(), ".local", "state");
}
