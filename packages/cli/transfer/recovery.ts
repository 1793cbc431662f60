/** Finds out which writes arrived when the previous import ended before their responses. */
import { hasPrint, wasScheduled } from "../../import/article.ts";
import type { Intent, Journal } from "./journal.ts";
import type { Service, Version } from "./service.ts";

/**
 * Closes the open intents of the journal: records those whose article the service has, and refuses the others. Call it
 * before the import, which relies on the journal. Returns early if `signal` is aborted.
 */
export async function recover(service: Service, journal: Journal, signal: AbortSignal): Promise<void> {
  for (const intent of journal.intents()) {
    if (signal.aborted) return;
    const { key, intends } = intent;
    const found = await targetOf(service, journal, intent);
    // An article does not tell whether its schedule was ended as intended. Its entry is sent again.
    const isTold = found !== null && !wasScheduled(journal.get(key)?.print) && hasPrint(found.article, intends);
    if (!isTold) await journal.refuse(key);
    else await journal.record({ key, print: intends, id: found.article._id, etag: found.etag });
  }
}

/**
 * Returns the article that an intent was to write: the entry's own article, or else the one with its slug and locale.
 * Returns null if there is none, or if it belongs to another entry.
 */
async function targetOf(service: Service, journal: Journal, { key, slug, locale }: Intent): Promise<Version | null> {
  const id = journal.get(key)?.id;
  const own = id === undefined ? null : await service.find(id);
  const found = own ?? (await service.find(slug, locale));
  const owner = found === null ? undefined : journal.ownerOf(found.article._id);
  return owner === undefined || owner === key ? found : null;
}
