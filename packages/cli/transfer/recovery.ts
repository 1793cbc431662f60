/** Brings the journal of an import up to date, before the import relies on it. */
import { makeFingerprint, matchesFingerprint, wasScheduled } from "../../import/article.ts";
import type { Source } from "../../import/source.ts";
import type { Done, Intent, Journal } from "./journal.ts";
import type { Service, Version } from "./service.ts";

/** Closes the open intents: records those whose article the service has, and refuses the others. */
export async function recover(service: Service, journal: Journal, signal: AbortSignal): Promise<void> {
  for (const intent of journal.listIntents()) {
    if (signal.aborted) return;
    const { key, intends } = intent;
    const found = await findTarget(service, journal, intent);
    // An article does not tell whether its schedule was ended as intended, so its entry is sent again.
    const isTold =
      found !== null && !wasScheduled(journal.get(key)?.print) && matchesFingerprint(found.article, intends);
    if (!isTold) await journal.add({ key, refused: true });
    else await journal.add({ key, print: intends, id: found.article._id, etag: found.etag });
  }
}

/** Returns what an intent was to write: the entry's article, or one with its slug that belongs to no other entry. */
async function findTarget(service: Service, journal: Journal, { key, slug, locale }: Intent): Promise<Version | null> {
  const id = journal.get(key)?.id;
  const own = id === undefined ? null : await service.find(id);
  const found = own ?? (await service.find(slug, locale));
  const owner = found === null ? undefined : journal.findOwnerOfJournal(found.article._id);
  return owner === undefined || owner === key ? found : null;
}

/**
 * Moves the record of an article to the file that has its content, if the file with the old name is gone or has other
 * content. Reads all files first, because another file may have the old name.
 */
export async function followRenames(source: Source, journal: Journal, signal: AbortSignal): Promise<void> {
  const records = journal.listDone();
  if (records.length === 0) return;
  const changed = new Map<string, string | null>();
  for await (const { key, load } of source.entries()) {
    if (signal.aborted) return;
    // The import reports files that cannot be read.
    const print = await load().then(makeFingerprint, () => null);
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
  for (const done of moved) await journal.add(done);

  function isFree(key: string): boolean {
    return !source.keys.has(key) || changed.has(key);
  }
}
