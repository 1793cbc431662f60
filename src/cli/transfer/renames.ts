/** Files that have another name than at the last import, and are the same otherwise. */
import { fingerprint } from "./article.ts";
import type { Done, Journal } from "./journal.ts";
import type { Source } from "./source.ts";

/**
 * Gives the article of a file to the one that has its content now, if no file of the old name has it any more. All
 * files are read first: a name that was given up may be another file's by now.
 */
export async function followRenames(source: Source, journal: Journal, signal: AbortSignal): Promise<void> {
  const records = [...journal.all()];
  if (records.length === 0) return;
  const changed = new Map<string, string | null>();
  for await (const { key, load } of source.entries()) {
    if (signal.aborted) return;
    // What cannot be read is reported when it is to be imported.
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
