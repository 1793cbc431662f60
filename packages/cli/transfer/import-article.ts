/** Writes one article of an import to the service exactly once, even if an earlier attempt or its response was lost. */
import { randomUUID } from "node:crypto";
import { CliError } from "../failure.ts";
import { digest, fingerprint, isSame, SlugTaken, Unusable, wasScheduled, type Article } from "../../import/article.ts";
import type { Done, ImportOf, Journal } from "./journal.ts";
import type { Manner, Service, Version } from "./service.ts";

/** `unchanged`: the journal says that it is done. `present`: the service has the same article, but not the journal. */
export type Outcome = "created" | "updated" | "unchanged" | "present";

export type Destination = {
  readonly of: ImportOf;
  readonly service: Service;
  readonly journal: Journal;
  readonly keys: ReadonlySet<string>;
  readonly overwrite: boolean;
};

type Task = Destination & { readonly entry: string; readonly article: Article };
type Written = { readonly outcome: Outcome; readonly found: Version };

/** Attempts of a write that is refused because of another article, if that article cannot be found afterwards. */
const TRIES = 3;

/**
 * Creates or updates the article of an entry and records it in the journal. Throws `Unusable` if the service has a
 * different article in its place, `SlugTaken` if that article belongs to another entry, `CliError` for other refusals.
 */
export async function importArticle(into: Destination, entry: string, article: Article): Promise<Outcome> {
  const { journal } = into;
  const task = { ...into, entry, article };
  const print = fingerprint(article);
  const known = journal.get(entry);
  if (known?.print === print) return "unchanged";
  await journal.add({ key: entry, intends: print, slug: article.slug, locale: article.locale });
  try {
    const { outcome, found } = known === undefined ? await create(task) : await update(task, known);
    await keepSchedule(task, known, found);
    await journal.add({ key: entry, print, id: found.article._id, etag: found.etag });
    return outcome;
  } catch (error) {
    if (isRefusal(error)) await journal.add({ key: entry, refused: true });
    throw error;
  }
}

/** Schedules an article that its source publishes later, and ends the schedule that this import set if it no longer does. */
async function keepSchedule({ service, article }: Task, known: Done | undefined, { article: { _id } }: Version) {
  if (article.scheduledTime !== undefined) await service.schedule(_id, article.scheduledTime);
  else if (wasScheduled(known?.print) && !article.published) await service.schedule(_id, null);
}

/** The codes of refusals that mean that the service has written nothing. */
const REFUSALS = new Set(["invalid_request", "immutable_field", "body_too_large"]);

const isRefusal = (error: unknown): boolean =>
  error instanceof Unusable || (error instanceof CliError && REFUSALS.has(error.code));

/**
 * Creates the article of an entry. The Idempotency-Key is derived from the entry and its content, so that a later
 * import does not repeat a creation whose response was lost. `after` is the id of a deleted article that this one
 * replaces, so that the key differs from the key of that creation. A replayed response may be out of date: the next
 * attempt then has a random key.
 */
async function create(task: Task, after = ""): Promise<Written> {
  const { service, article, entry } = task;
  for (let tried = 0; ; tried++) {
    const key = keyOf(task, [entry, fingerprint(article), after, tried === 0 ? "0" : randomUUID()]);
    const made = await attempt(service, article, { key });
    if ("found" in made && !made.found.replayed) return { outcome: "created", found: made.found };
    // The creation was refused or replayed. A replayed article may have been changed, moved or deleted meanwhile. Look
    // which article has the slug and locale at present.
    const existing = await namesake(task);
    if (existing !== null) {
      const owner = ownerOf(task, existing);
      if (owner !== undefined) throw new SlugTaken(owner);
      return settle(task, existing, "another article has its slug and locale");
    }
    if (tried + 1 >= TRIES) throw new Unusable("refused: its slug is taken, but no article with it can be found");
  }
}

/** Updates the article of an entry, but only the version that this import wrote: somebody may have edited it. */
async function update(task: Task, { id, etag }: Done): Promise<Written> {
  const made = await writeOver(task, { id, etag });
  if ("found" in made) return { outcome: "updated", found: made.found };
  const existing = await task.service.find(id);
  if (existing === null) return create(task, id);
  return settle(task, existing, "it has been changed on the service since it was imported");
}

/**
 * Handles an article that already exists in the place of the entry's article. If it is the same, it counts as
 * `present`. If it differs, this overwrites it if `overwrite` is true, and else throws `Unusable` with the reason
 * `why`.
 */
async function settle(task: Task, existing: Version, why: string): Promise<Written> {
  if (isSame(existing.article, task.article)) return { outcome: "present", found: existing };
  if (!task.overwrite) throw new Unusable(`${why} (--update-existing overwrites it)`);
  const made = await writeOver(task, { id: existing.article._id, etag: existing.etag });
  if ("found" in made) return { outcome: "updated", found: made.found };
  throw new Unusable("it was changed on the service at the same moment; import it again");
}

/**
 * Overwrites a version of an article. The ETag makes sure that this happens only once, so the Idempotency-Key is
 * random: with a key derived from the content, the service would replay a refusal for a day, even after its cause is
 * gone. Throws `SlugTaken` if another article has the slug and locale.
 */
async function writeOver(task: Task, version: { readonly id: string; readonly etag: string }): Promise<Attempted> {
  for (let tried = 1; ; tried++) {
    const made = await attempt(task.service, task.article, version);
    if ("found" in made || made.refused !== "slug_taken") return made;
    // The other article may have been deleted or given another slug just now. Then try again.
    const other = await namesake(task);
    if (other !== null && other.article._id !== version.id) throw new SlugTaken(ownerOf(task, other));
    if (tried === TRIES) throw new SlugTaken(undefined);
  }
}

/** Returns the key of the other entry of this import that an article belongs to. Only that entry may change it. */
function ownerOf({ journal, keys, entry }: Task, { article }: Version): string | undefined {
  const owner = journal.ownerOf(article._id);
  return owner !== undefined && owner !== entry && keys.has(owner) ? owner : undefined;
}

/**
 * Returns the article of the service with the slug and locale of the entry's article; null if there is none. The
 * request names the locale, because a slug alone could match a translation.
 */
async function namesake({ service, article: { slug, locale } }: Task): Promise<Version | null> {
  const found = await service.find(slug, locale);
  return found?.article.slug === slug && found.article.locale === locale ? found : null;
}

const keyOf = ({ of }: Destination, parts: string[]): string =>
  `import-${digest(of.server, of.blogId, of.source, ...parts)}`;

/**
 * The codes of refusals that depend on what the service has: another article with the slug, another version, or no such
 * article. `idempotency_key_reused` means that another credential has used the key.
 */
const CONFLICTS = new Set(["slug_taken", "precondition_failed", "not_found", "idempotency_key_reused"]);

type Attempted = { readonly found: Version } | { readonly refused: string };

/** Sends one write. Returns the stored article, or the code of a refusal that `create` and `update` can handle. */
async function attempt(service: Service, article: Article, manner: Manner): Promise<Attempted> {
  try {
    return { found: await service.save(article, manner) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The cause of a replayed refusal may be gone.
    const isOld = manner.key !== undefined && error.details.replayed === true;
    if (isOld || CONFLICTS.has(error.code)) return { refused: error.code };
    throw error;
  }
}
