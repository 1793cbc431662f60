/** Brings one article to the service, once: whatever was lost or done before. */
import { randomUUID } from "node:crypto";
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
  /** The entries of this import. */
  readonly keys: ReadonlySet<string>;
  /** Whether articles that are different on the service are written over. */
  readonly overwrite: boolean;
};

/** One entry on its way. */
type Task = Delivery & { readonly entry: string; readonly article: Article };
type Delivered = { readonly outcome: Outcome; readonly found: Found };

/** How often a write is tried again if its obstacle was deleted in between. */
const TRIES = 3;

/** Throws `Unusable` where the service has something else in its place, `CliError` for other refusals. */
export async function deliver(delivery: Delivery, entry: string, article: Article): Promise<Outcome> {
  const { journal } = delivery;
  const task = { ...delivery, entry, article };
  const print = fingerprint(article);
  const known = journal.get(entry);
  if (known?.print === print) return "unchanged";
  await journal.intend({ key: entry, intends: print, slug: article.slug, locale: article.locale });
  try {
    const { outcome, found } = known === undefined ? await create(task) : await update(task, known);
    await journal.record({ key: entry, print, id: found.article._id, etag: found.etag });
    return outcome;
  } catch (error) {
    if (isRefusal(error)) await journal.refuse(entry);
    throw error;
  }
}

/** Refusals after which it is certain that nothing was written. */
const REFUSALS = new Set(["invalid_request", "immutable_field", "body_too_large"]);

const isRefusal = (error: unknown): boolean =>
  error instanceof Unusable || (error instanceof CliError && REFUSALS.has(error.code));

/**
 * The Idempotency-Key stands for this content of this entry, so that a creation whose answer was lost is not
 * repeated. `after` is what makes another one necessary: an article that was deleted since. What the service
 * answered to that key before may no longer hold; the next try has a key of its own.
 */
async function create(task: Task, after = ""): Promise<Delivered> {
  const { service, article, entry } = task;
  for (let tried = 0; ; tried++) {
    const key = keyOf(task, [entry, fingerprint(article), after, tried === 0 ? "0" : randomUUID()]);
    const made = await attempt(service, article, { key });
    if ("found" in made && !made.found.replayed) return { outcome: "created", found: made.found };
    // What is replayed may have been edited, moved or deleted since: what has the place now counts.
    const existing = await namesake(task);
    if (existing !== null) {
      const owner = ownerOf(task, existing);
      if (owner !== undefined) throw new SlugTaken(owner);
      return settle(task, existing, "another article has its slug and locale");
    }
    if (tried + 1 >= TRIES) throw new Unusable("refused: its slug is taken, but no article with it can be found");
  }
}

/** Over the version that this import wrote, and no other: somebody may have worked on it since. */
async function update(task: Task, { id, etag }: Done): Promise<Delivered> {
  const made = await writeOver(task, { id, etag });
  if ("found" in made) return { outcome: "updated", found: made.found };
  const existing = await task.service.find(id);
  if (existing === null) return create(task, id);
  return settle(task, existing, "it has been changed on the service since it was imported");
}

/** There is an article in this place: the same one, or one to write over, or one to leave alone. */
async function settle(task: Task, existing: Found, why: string): Promise<Delivered> {
  if (isSame(existing.article, task.article)) return { outcome: "present", found: existing };
  if (!task.overwrite) throw new Unusable(`${why} (--update-existing overwrites it)`);
  const made = await writeOver(task, { id: existing.article._id, etag: existing.etag });
  if ("found" in made) return { outcome: "updated", found: made.found };
  throw new Unusable("it was changed on the service at the same moment; import it again");
}

/**
 * The version alone keeps this from being done twice. A key derived from the content would also keep a refusal,
 * and repeat it for a day after its cause is gone. Throws `SlugTaken`.
 */
async function writeOver(task: Task, version: { readonly id: string; readonly etag: string }): Promise<Attempted> {
  for (let tried = 1; ; tried++) {
    const made = await attempt(task.service, task.article, version);
    if ("found" in made || made.refused !== "slug_taken") return made;
    // The one that had it may have given it up, or been deleted, just now.
    const other = await namesake(task);
    if (other !== null && other.article._id !== version.id) throw new SlugTaken(ownerOf(task, other));
    if (tried === TRIES) throw new SlugTaken(undefined);
  }
}

/** Another entry of this import whose article that is: what becomes of it is for that entry to say. */
function ownerOf({ journal, keys, entry }: Task, { article }: Found): string | undefined {
  const owner = journal.ownerOf(article._id);
  return owner !== undefined && owner !== entry && keys.has(owner) ? owner : undefined;
}

/** By its slug, with the locale: a slug alone could mean a translation. */
async function namesake({ service, article: { slug, locale } }: Task): Promise<Found | null> {
  const found = await service.find(slug, locale);
  return found?.article.slug === slug && found.article.locale === locale ? found : null;
}

const keyOf = ({ of }: Delivery, parts: string[]): string =>
  `import-${digest(of.server, of.blogId, of.source, ...parts)}`;

/** Refusals that say that something exists, or no longer does; a reused key belongs to another credential. */
const CONFLICTS = new Set(["slug_taken", "precondition_failed", "not_found", "idempotency_key_reused"]);

type Attempted = { readonly found: Found } | { readonly refused: string };

async function attempt(service: Service, article: Article, manner: Manner): Promise<Attempted> {
  try {
    return { found: await service.save(article, manner) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // Of a creation, a refusal that is only repeated may have lost its cause.
    const isOld = manner.key !== undefined && error.details.replayed === true;
    if (isOld || CONFLICTS.has(error.code)) return { refused: error.code };
    throw error;
  }
}
