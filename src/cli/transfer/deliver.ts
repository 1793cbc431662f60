/** Brings one article to the service, once: whatever was lost or done before. */
import { CliError } from "../failure.ts";
import { digest, fingerprint, isSame, SlugTaken, Unusable, type Article } from "./article.ts";
import type { Done, ImportOf, Journal } from "./journal.ts";
import type { Found, Manner, Service } from "./service.ts";

/** `present`: it was there already, just so, but not in the journal. */
export type Outcome = "created" | "updated" | "unchanged" | "present";

export type Delivery = {
  readonly of: ImportOf;
  readonly service: Service;
  readonly journal: Journal;
  /** Whether articles that are different on the service are written over. */
  readonly overwrite: boolean;
};

/** How often a write is tried again if its obstacle was deleted in between. */
const TRIES = 3;

/** Throws `Unusable` where the service has something else in its place, `CliError` for other refusals. */
export async function deliver(delivery: Delivery, key: string, article: Article): Promise<Outcome> {
  const { journal } = delivery;
  const print = fingerprint(article);
  const known = journal.get(key);
  if (known?.print === print) return "unchanged";
  const { outcome, found } =
    known === undefined ? await create(delivery, key, article) : await update(delivery, known, article);
  await journal.record({ key, print, id: found.article._id, etag: found.etag });
  return outcome;
}

type Delivered = { readonly outcome: Outcome; readonly found: Found };

/**
 * The Idempotency-Key stands for this content of this entry, so that a creation whose answer was lost is not
 * repeated. `after` is what makes another one necessary: an article that was deleted since.
 */
async function create(delivery: Delivery, entry: string, article: Article, after = ""): Promise<Delivered> {
  for (let tried = 0; ; tried++) {
    const key = keyOf(delivery, [entry, fingerprint(article), after, String(tried)]);
    const made = await attempt(delivery.service, article, { key });
    if ("found" in made && !made.found.replayed) return { outcome: "created", found: made.found };
    // A replayed response may describe an article that has been edited or deleted since.
    const existing =
      "found" in made ? await delivery.service.find(made.found.article._id) : await namesake(delivery.service, article);
    if (existing !== null) return settle(delivery, existing, article, "another article has its slug and locale");
    if (tried + 1 >= TRIES) throw new Unusable("refused: its slug is taken, but no article with it can be found");
  }
}

/** Over the version that this import wrote, and no other: somebody may have worked on it since. */
async function update(delivery: Delivery, { key: entry, id, etag }: Done, article: Article): Promise<Delivered> {
  const made = await writeOver(delivery.service, { id, etag }, article);
  if ("found" in made) return { outcome: "updated", found: made.found };
  const existing = await delivery.service.find(id);
  if (existing === null) return create(delivery, entry, article, id);
  return settle(delivery, existing, article, "it has been changed on the service since it was imported");
}

/** There is an article in this place: the same one, or one to write over, or one to leave alone. */
async function settle(delivery: Delivery, existing: Found, article: Article, why: string): Promise<Delivered> {
  if (isSame(existing.article, article)) return { outcome: "present", found: existing };
  if (!delivery.overwrite) throw new Unusable(`${why} (--update-existing overwrites it)`);
  const { article: stored, etag } = existing;
  const made = await writeOver(delivery.service, { id: stored._id, etag }, article);
  if ("found" in made) return { outcome: "updated", found: made.found };
  throw new Unusable("it was changed on the service at the same moment; import it again");
}

/**
 * The version alone keeps this from being done twice. A key derived from the content would also keep a refusal,
 * and repeat it for a day after its cause is gone. Throws `SlugTaken`.
 */
async function writeOver(service: Service, { id, etag }: { id: string; etag: string }, article: Article) {
  for (let tried = 1; ; tried++) {
    const made = await attempt(service, article, { id, etag });
    if ("found" in made || made.refused !== "slug_taken") return made;
    // The one that had it may have given it up, or been deleted, just now.
    const other = await namesake(service, article);
    const isFree = other === null || other.article._id === id;
    if (!isFree || tried === TRIES) throw new SlugTaken("another article has its slug and locale");
  }
}

/** By its slug, with the locale: a slug alone could mean a translation. */
async function namesake(service: Service, { slug, locale }: Article): Promise<Found | null> {
  const found = await service.find(slug, locale);
  return found?.article.slug === slug && found.article.locale === locale ? found : null;
}

const keyOf = ({ of }: Delivery, parts: string[]): string =>
  `import-${digest(of.server, of.blogId, of.source, ...parts)}`;

/** Refusals that say that something exists, or no longer does; a reused key belongs to another credential. */
const CONFLICTS = new Set(["slug_taken", "precondition_failed", "not_found", "idempotency_key_reused"]);

async function attempt(
  service: Service,
  article: Article,
  manner: Manner,
): Promise<{ found: Found } | { refused: string }> {
  try {
    return { found: await service.save(article, manner) };
  } catch (error) {
    if (error instanceof CliError && CONFLICTS.has(error.code)) return { refused: error.code };
    throw error;
  }
}
