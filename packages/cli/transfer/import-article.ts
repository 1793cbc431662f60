/** Writes an article of an import exactly once, even if an earlier attempt or its response was lost. */
import { randomUUID } from "node:crypto";
import { CliError, hasCode } from "../failure.ts";
import {
  hashTexts,
  makeFingerprint,
  hasSameFields,
  SlugTaken,
  Unusable,
  wasScheduled,
  type Article,
} from "../../import/article.ts";
import type { Done, ImportOf, Journal } from "./journal.ts";
import type { Manner, Service, Version } from "./service.ts";

/** `unchanged`: done by the journal. `present`: the service has the same article, but the journal does not. */
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

/** Attempts of a write that is refused because of another article, which then cannot be found. */
const TRIES = 3;

/**
 * Creates or updates the article of an entry. Throws `Unusable` if the service has a different article in its place,
 * `SlugTaken` if that article belongs to another entry, `CliError` for other refusals.
 */
export async function importArticle(into: Destination, entry: string, article: Article): Promise<Outcome> {
  const { journal } = into;
  const task = { ...into, entry, article };
  const print = makeFingerprint(article);
  const known = journal.get(entry);
  if (known?.print === print) return "unchanged";
  await journal.add({ key: entry, intends: print, slug: article.slug, locale: article.locale });
  try {
    const { outcome, found } = known === undefined ? await create(task) : await update(task, known);
    await keepSchedule(task, known, found);
    await journal.add({ key: entry, print, id: found.article._id, etag: found.etag });
    return outcome;
  } catch (error) {
    const isRefused = error instanceof Unusable || hasCode(error, ...REFUSALS);
    if (isRefused) await journal.add({ key: entry, refused: true });
    throw error;
  }
}

/** Schedules the article as its source does, and ends a schedule that an earlier run has set if the source has none. */
async function keepSchedule({ service, article }: Task, known: Done | undefined, { article: { _id } }: Version) {
  if (article.scheduledTime !== undefined) await service.schedule(_id, article.scheduledTime);
  else if (wasScheduled(known?.print) && !article.published) await service.schedule(_id, null);
}

/** Codes that mean that nothing was written. */
const REFUSALS = ["invalid_request", "immutable_field", "body_too_large"];

/**
 * Creates the article of an entry. The Idempotency-Key follows from the entry and its content, so that a later run does
 * not repeat a creation whose response was lost. `after` is the id of a deleted article that this one replaces, so that
 * the key differs. A replayed response may be out of date, so the next attempt has a random key.
 */
async function create(task: Task, after = ""): Promise<Written> {
  const { service, article, entry } = task;
  for (let tried = 0; ; tried++) {
    const key = makeKey(task, [entry, makeFingerprint(article), after, tried === 0 ? "0" : randomUUID()]);
    const made = await attempt(service, article, { key });
    if ("found" in made && !made.found.replayed) return { outcome: "created", found: made.found };
    // Refused or replayed. A replayed article may have changed or gone meanwhile, so look which one has the slug now.
    const existing = await findNamesake(task);
    if (existing !== null) {
      const owner = findOwner(task, existing);
      if (owner !== undefined) throw new SlugTaken(owner);
      return settle(task, existing, "another article has its slug and locale");
    }
    if (tried + 1 >= TRIES) throw new Unusable("refused: its slug is taken, but no article with it can be found");
  }
}

/** Updates only the version that this import wrote: somebody may have edited the article. */
async function update(task: Task, { id, etag }: Done): Promise<Written> {
  const made = await overwriteVersion(task, { id, etag });
  if ("found" in made) return { outcome: "updated", found: made.found };
  const existing = await task.service.find(id);
  if (existing === null) return create(task, id);
  return settle(task, existing, "it has been changed on the service since it was imported");
}

/**
 * Handles an article that exists in the place of the entry's article: `present` if it is the same, else overwritten if
 * `overwrite` is true. Throws `Unusable` with the reason `why` otherwise.
 */
async function settle(task: Task, existing: Version, why: string): Promise<Written> {
  if (hasSameFields(existing.article, task.article)) return { outcome: "present", found: existing };
  if (!task.overwrite) throw new Unusable(`${why} (--update-existing overwrites it)`);
  const made = await overwriteVersion(task, { id: existing.article._id, etag: existing.etag });
  if ("found" in made) return { outcome: "updated", found: made.found };
  throw new Unusable("it was changed on the service at the same moment; import it again");
}

/**
 * Overwrites a version of an article. The ETag makes sure that this happens once, so the Idempotency-Key can be random.
 * A derived key would replay a refusal for a day, even after its cause is gone. Throws `SlugTaken`.
 */
async function overwriteVersion(
  task: Task,
  version: { readonly id: string; readonly etag: string },
): Promise<Attempted> {
  for (let tried = 1; ; tried++) {
    const made = await attempt(task.service, task.article, version);
    if ("found" in made || made.refused !== "slug_taken") return made;
    // If the other article has just been deleted or renamed, try again.
    const other = await findNamesake(task);
    if (other !== null && other.article._id !== version.id) throw new SlugTaken(findOwner(task, other));
    if (tried === TRIES) throw new SlugTaken(undefined);
  }
}

/** Returns the key of another entry of this import that the article belongs to: only that one may change it. */
function findOwner({ journal, keys, entry }: Task, { article }: Version): string | undefined {
  const owner = journal.findOwnerOfJournal(article._id);
  return owner !== undefined && owner !== entry && keys.has(owner) ? owner : undefined;
}

/** Returns the article that has the slug and locale of the entry's article; null if there is none. */
async function findNamesake({ service, article: { slug, locale } }: Task): Promise<Version | null> {
  const found = await service.find(slug, locale);
  return found?.article.slug === slug && found.article.locale === locale ? found : null;
}

const makeKey = ({ of }: Destination, parts: string[]): string =>
  `import-${hashTexts(of.server, of.blogId, of.source, ...parts)}`;

/** Codes that depend on what the service has. `idempotency_key_reused`: another credential has used the key. */
const CONFLICTS = ["slug_taken", "precondition_failed", "not_found", "idempotency_key_reused"];

type Attempted = { readonly found: Version } | { readonly refused: string };

/** Sends a write. Returns the stored article, or the code of a refusal that the caller can handle. */
async function attempt(service: Service, article: Article, manner: Manner): Promise<Attempted> {
  try {
    return { found: await service.save(article, manner) };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The cause of a replayed refusal may be gone.
    const isOld = manner.key !== undefined && error.details.replayed === true;
    if (isOld || hasCode(error, ...CONFLICTS)) return { refused: error.code };
    throw error;
  }
}
