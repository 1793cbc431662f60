/**
 * What an import has done, line by line in a file, so that the same import goes on where it ended, however it
 * ended. It is not a source of truth: without it, articles that already exist are found and count as done.
 */
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { jsonOrNull } from "../../lib/json.ts";
import { stateHome } from "../base-directories.ts";
import { CliError, EXIT } from "../failure.ts";
import { digest } from "./article.ts";

/** What became of an entry: the fingerprint of what was sent, the article, and its version then. */
const done = z.object({ key: z.string(), print: z.string(), id: z.string(), etag: z.string() });
export type Done = z.infer<typeof done>;

/** What was about to be sent of an entry. Without a `Done` after it, nobody here knows whether it arrived. */
const intent = z.object({ key: z.string(), intends: z.string(), slug: z.string(), locale: z.string() });
export type Intent = z.infer<typeof intent>;

/** The end of an intent that came to nothing. */
const refusal = z.object({ key: z.string(), refused: z.literal(true) });

export type Journal = {
  get(key: string): Done | undefined;
  /** The key of the entry that an article came from, by its id. An article belongs to one entry at a time. */
  ownerOf(id: string): string | undefined;
  /** Everything that is done. */
  all(): Iterable<Done>;
  /** What was intended, and neither done nor refused. */
  intents(): Iterable<Intent>;
  /** Resolves once it is written: a process that is killed from here on has it. So do the next two. */
  intend(entry: Intent): Promise<void>;
  record(entry: Done): Promise<void>;
  /** What was intended for an entry did not happen. */
  refuse(key: string): Promise<void>;
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
  // One write: lines of several processes stay whole.
  const append = (line: Done | Intent | z.infer<typeof refusal>) => handle.appendFile(`${JSON.stringify(line)}\n`);
  return {
    ...inMemory(entries),
    async intend(entry) {
      await append(entry);
      entries.intend(entry);
    },
    async record(entry) {
      await append(entry);
      entries.add(entry);
    },
    async refuse(key) {
      await append({ key, refused: true });
      entries.refuse(key);
    },
    close: () => handle.close(),
  };
}

/** A journal that keeps what it is told in memory only. What cannot be read counts as empty. */
export async function readJournal(of: ImportOf, env: NodeJS.ProcessEnv): Promise<Journal> {
  const { entries } = await read(fileOf(of, env)).catch(() => ({ entries: new Entries() }));
  return inMemory(entries);
}

const inMemory = (entries: Entries): Journal => ({
  get: (key) => entries.get(key),
  ownerOf: (id) => entries.ownerOf(id),
  all: () => entries.all(),
  intents: () => entries.intents(),
  intend: async (entry) => entries.intend(entry),
  record: async (entry) => entries.add(entry),
  refuse: async (key) => entries.refuse(key),
  close: async () => {},
});

/** What is done, by entry and by article, and what is intended. */
class Entries {
  readonly #byKey = new Map<string, Done>();
  readonly #keyOf = new Map<string, string>();
  readonly #intents = new Map<string, Intent>();

  get(key: string): Done | undefined {
    return this.#byKey.get(key);
  }

  ownerOf(id: string): string | undefined {
    return this.#keyOf.get(id);
  }

  all(): Iterable<Done> {
    return this.#byKey.values();
  }

  intents(): Iterable<Intent> {
    return this.#intents.values();
  }

  intend(entry: Intent): void {
    this.#intents.set(entry.key, entry);
  }

  refuse(key: string): void {
    this.#intents.delete(key);
  }

  /** An article that another entry had until now is that one's no longer: a file was renamed, for one. */
  add(entry: Done): void {
    this.#intents.delete(entry.key);
    const before = this.#byKey.get(entry.key);
    if (before !== undefined) this.#keyOf.delete(before.id);
    const owner = this.#keyOf.get(entry.id);
    if (owner !== undefined) this.#byKey.delete(owner);
    this.#byKey.set(entry.key, entry);
    this.#keyOf.set(entry.id, entry.key);
  }
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

async function read(file: string): Promise<{ entries: Entries; text: string }> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const entries = new Entries();
  for (const line of text.split("\n")) {
    // The first line, and one that was cut off, are not entries.
    const value = jsonOrNull(line);
    const [entry, intended, refused] = [done.safeParse(value), intent.safeParse(value), refusal.safeParse(value)];
    if (entry.success) entries.add(entry.data);
    else if (intended.success) entries.intend(intended.data);
    else if (refused.success) entries.refuse(refused.data.key);
  }
  return { entries, text };
}
