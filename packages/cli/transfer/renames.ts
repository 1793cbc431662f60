/** Detects files that were renamed after the last import and are otherwise unchanged. */
import { fingerprint } from "../../import/article.ts";
import type { Done, Journal } from "./journal.ts";
import type { Source } from "../../import/source.ts";

/**
 * Moves the journal's record of an article to the file that has its content, if the file with the old name is gone or
 * has other content. Reads all files before it decides, because another file may have the old name. Returns early if
 * `signal` is aborted.
 */
export async function followRenames(source: Source, journal: Journal, signal: AbortSignal): Promise<void> {
  const records = [...journal.all()];
  if (records.length === 0) return;
  const changed = new Map<string, string | null>();
  for await (const { key, load } of source.entries()) {
    if (signal.aborted) return;
    // A file that cannot be read is reported when the import reaches it.
    const print = await load().then(fingerprint, () => null);
    if (journal.get(key)?.print !== print) changed.set(key, print);
  }
  const free = new Map<string, Done[]>();
  for (const done of records) {
    if (isFree(done.key)) free.set(done.print, [...(free.get(done.print) ?? []), done]);
  }
  const moved: Done[] = [];
  for (const [key, print] of changed) {
    const from = print === null ? undefined : free.get(print)?.shift();
    if (from !== undefined) moved.push({ ...from, key });
  }
  for (const done of moved) await journal.record(done);

  function isFree(key: string): boolean {
    return !source.keys.has(key) || changed.has(key);
  }
}
