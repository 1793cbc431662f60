/**
 * The journal of an import: a file with one line for each step, so that the same import continues where it ended, even
 * after a crash. It is not the source of truth: without it, an import finds the articles that already exist and counts
 * them as done.
 */
import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { jsonOrNull } from "../../../src/lib/json.ts";
import { stateHome } from "../base-directories.ts";
import { CliError, EXIT } from "../failure.ts";
import { digest } from "../../import/article.ts";

/** A stored entry: its key, the fingerprint of the sent article, the article's id, and its ETag at that time. */
const done = z.object({ key: z.string(), print: z.string(), id: z.string(), etag: z.string() });
export type Done = z.infer<typeof done>;

/**
 * An entry that is about to be sent, with its fingerprint. Until a `Done` follows, it is unknown whether it arrived.
 */
const intent = z.object({ key: z.string(), intends: z.string(), slug: z.string(), locale: z.string() });
export type Intent = z.infer<typeof intent>;

/** Cancels the intent of an entry: nothing was written. */
const refusal = z.object({ key: z.string(), refused: z.literal(true) });

/** A picture that was brought along: where it was, and where it is. */
const picture = z.object({ picture: z.string(), url: z.string() });

export type Journal = {
  /** Returns the record of an entry, by its key. */
  get(key: string): Done | undefined;
  /** Returns the key of the entry that an article belongs to, by its id. An article belongs to one entry at a time. */
  ownerOf(id: string): string | undefined;
  /** Returns the records of all stored entries. */
  all(): Iterable<Done>;
  /** Returns the intents that were neither recorded as done nor refused. */
  intents(): Iterable<Intent>;
  /**
   * Adds an intent. `intend`, `record` and `refuse` resolve when the line is in the file: it survives a killed process.
   */
  intend(entry: Intent): Promise<void>;
  /** Adds a stored entry. */
  record(entry: Done): Promise<void>;
  /** Cancels the intent of an entry, because nothing was written. */
  refuse(key: string): Promise<void>;
  /** Returns where a picture is that was brought from an address; undefined if it was not. */
  pictureAt(address: string): string | undefined;
  hasPictures(): boolean;
  /** Adds a picture that was brought. */
  keepPicture(address: string, url: string): Promise<void>;
  close(): Promise<void>;
};

/** Identifies an import. Another source, blog or server is another import with its own journal. */
export type ImportOf = { readonly server: string; readonly blogId: string; readonly source: string };

/**
 * Opens the journal of an import, `$XDG_STATE_HOME/edgepress/imports/….jsonl`. Throws `CliError` `file_error` if it
 * cannot be written: without it, an interrupted import could not continue.
 */
export async function openJournal(of: ImportOf, env: NodeJS.ProcessEnv): Promise<Journal> {
  const file = fileOf(of, env);
  const { entries, handle } = await opened(file, of).catch((error: NodeJS.ErrnoException) => {
    throw new CliError("file_error", `The import's journal cannot be written: ${error.message}.`, EXIT.failed, {
      hint: "Set a writable folder for it: XDG_STATE_HOME=/absolute/path",
      cause: error,
    });
  });
  // Each line is one write, so that the lines of several processes do not mix.
  const append = (line: Done | Intent | z.infer<typeof refusal> | z.infer<typeof picture>) =>
    handle.appendFile(`${JSON.stringify(line)}\n`);
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
    async keepPicture(address, url) {
      await append({ picture: address, url });
      entries.pictures.set(address, url);
    },
    close: () => handle.close(),
  };
}

/**
 * Reads the journal of an import for a dry run: additions stay in memory. A file that cannot be read counts as empty.
 */
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
  pictureAt: (address) => entries.pictures.get(address),
  hasPictures: () => entries.pictures.size > 0,
  keepPicture: async (address, url) => void entries.pictures.set(address, url),
  close: async () => {},
});

/** The stored entries by key and by article id, and the open intents. */
class Entries {
  /** Where the pictures are that were brought, by where they were. */
  readonly pictures = new Map<string, string>();
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

  /** Adds a stored entry. If its article belonged to another entry, for example after a rename, that entry loses it. */
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
  // If the last line was cut off, end it, so that the next line is readable.
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
    // The first line describes the import, and a line may be cut off. Neither matches a schema.
    const value = jsonOrNull(line);
    const [entry, intended, refused] = [done.safeParse(value), intent.safeParse(value), refusal.safeParse(value)];
    const brought = picture.safeParse(value);
    if (entry.success) entries.add(entry.data);
    else if (intended.success) entries.intend(intended.data);
    else if (refused.success) entries.refuse(refused.data.key);
    else if (brought.success) entries.pictures.set(brought.data.picture, brought.data.url);
  }
  return { entries, text };
}
