/**
 * The journal of an import: a file with a line for each step, so that the same import continues after a crash. Without
 * it, an import still finds the articles that exist.
 */
import { mkdir, open, readFile, type FileHandle } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { parseJson } from "../../../src/lib/json.ts";
import { getStateHome } from "../base-directories.ts";
import { CliError, EXIT } from "../failure.ts";
import { hashTexts } from "../../import/article.ts";

/** A stored entry: its key, the fingerprint of what was sent, the article's id, and its ETag at that time. */
const done = z.object({ key: z.string(), print: z.string(), id: z.string(), etag: z.string() });
export type Done = z.infer<typeof done>;

/** An entry that is about to be sent. Until a `Done` follows, nobody knows whether it arrived. */
const intent = z.object({ key: z.string(), intends: z.string(), slug: z.string(), locale: z.string() });
export type Intent = z.infer<typeof intent>;

/** Cancels the intent of an entry: nothing was written. */
const refusal = z.object({ key: z.string(), refused: z.literal(true) });

/** Where a picture was, and where it is. */
const picture = z.object({ picture: z.string(), url: z.string() });

const line = z.union([done, intent, refusal, picture]);
type Line = z.infer<typeof line>;

/** Another source, blog or server is another import with a journal of its own. */
export type ImportOf = { readonly server: string; readonly blogId: string; readonly source: string };

export class Journal {
  readonly #byKey = new Map<string, Done>();
  readonly #keyOf = new Map<string, string>();
  readonly #intents = new Map<string, Intent>();
  readonly #pictures = new Map<string, string>();
  readonly #handle: FileHandle | null;

  /** Without a handle, additions stay in memory. */
  constructor(text: string, handle: FileHandle | null) {
    this.#handle = handle;
    for (const each of text.split("\n")) {
      // The first line describes the import, and the last one may be cut off.
      const parsed = line.safeParse(parseJson(each));
      if (parsed.success) this.#take(parsed.data);
    }
  }

  #take(step: Line): void {
    if ("picture" in step) return void this.#pictures.set(step.picture, step.url);
    if ("intends" in step) return void this.#intents.set(step.key, step);
    this.#intents.delete(step.key);
    if ("refused" in step) return;
    // An entry that had this article, such as before a rename, loses it.
    const before = this.#byKey.get(step.key);
    if (before !== undefined) this.#keyOf.delete(before.id);
    const owner = this.#keyOf.get(step.id);
    if (owner !== undefined) this.#byKey.delete(owner);
    this.#byKey.set(step.key, step);
    this.#keyOf.set(step.id, step.key);
  }

  /** Resolves when the line is in the file, where it survives a killed process. */
  async add(step: Line): Promise<void> {
    // One write, so that the lines of several processes do not mix.
    await this.#handle?.appendFile(`${JSON.stringify(step)}\n`);
    this.#take(step);
  }

  get(key: string): Done | undefined {
    return this.#byKey.get(key);
  }

  /** Returns the key of the entry that an article belongs to, by the article's id. */
  findOwnerOfJournal(id: string): string | undefined {
    return this.#keyOf.get(id);
  }

  listDone(): Done[] {
    return [...this.#byKey.values()];
  }

  /** Returns the intents that were neither done nor refused. */
  listIntents(): Intent[] {
    return [...this.#intents.values()];
  }

  /** Returns where a picture of an old address is now; undefined if it was not brought along. */
  findPicture(address: string): string | undefined {
    return this.#pictures.get(address);
  }

  hasPictures(): boolean {
    return this.#pictures.size > 0;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

/** Opens `$XDG_STATE_HOME/edgepress/imports/….jsonl`. Throws `CliError` `file_error` if it cannot be written. */
export async function openJournal(of: ImportOf, env: NodeJS.ProcessEnv): Promise<Journal> {
  const file = buildPath(of, env);
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const text = await readFileOrEmpty(file);
    const handle = await open(file, "a", 0o600);
    // A last line that was cut off is ended, so that the next one is readable.
    if (text === "") await handle.appendFile(`${JSON.stringify(of)}\n`);
    else if (!text.endsWith("\n")) await handle.appendFile("\n");
    return new Journal(text, handle);
  } catch (error) {
    const message = `The import's journal cannot be written: ${(error as Error).message}.`;
    const hint = "Set a writable folder for it: XDG_STATE_HOME=/absolute/path";
    throw new CliError("file_error", message, EXIT.failed, { hint, cause: error });
  }
}

/** Reads the journal for a dry run, which adds nothing to it. A file that cannot be read counts as empty. */
export const readJournal = async (of: ImportOf, env: NodeJS.ProcessEnv): Promise<Journal> =>
  new Journal(await readFileOrEmpty(buildPath(of, env)).catch(() => ""), null);

const buildPath = (of: ImportOf, env: NodeJS.ProcessEnv): string =>
  path.join(
    getStateHome(env),
    "edgepress",
    "imports",
    `${hashTexts(of.server, of.blogId, of.source).slice(0, 32)}.jsonl`,
  );

const readFileOrEmpty = (file: string): Promise<string> =>
  readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
