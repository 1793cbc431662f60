/** Where an import ended in the middle of writes, the service shows which of them arrived. */
import { fingerprint } from "./article.ts";
import type { Intent, Journal } from "./journal.ts";
import type { Found, Service } from "./service.ts";

/** Brings the journal up to date, before anything else is decided by it. */
export async function recover(service: Service, journal: Journal, signal: AbortSignal): Promise<void> {
  for (const intent of journal.intents()) {
    if (signal.aborted) return;
    const { key, intends } = intent;
    const found = await targetOf(service, journal, intent);
    if (found === null || fingerprint(found.article) !== intends) await journal.refuse(key);
    else await journal.record({ key, print: intends, id: found.article._id, etag: found.etag });
  }
}

/** The article that was to be written: the entry's own, or one in the place of a new one that no other entry has. */
async function targetOf(service: Service, journal: Journal, { key, slug, locale }: Intent): Promise<Found | null> {
  const id = journal.get(key)?.id;
  const own = id === undefined ? null : await service.find(id);
  const found = own ?? (await service.find(slug, locale));
  const owner = found === null ? undefined : journal.ownerOf(found.article._id);
  return owner === undefined || owner === key ? found : null;
}
