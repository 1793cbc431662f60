/** An import: from a source to a blog, a few articles at once, and an account of it. */
import { CliError, EXIT, isAbort } from "../failure.ts";
import type { Progress } from "../progress.ts";
import { requireSendable, SlugTaken, Unusable, type Article } from "./article.ts";
import { deliver, type Delivery, type Outcome } from "./deliver.ts";
import type { Pace } from "./pace.ts";
import type { Entry, Source } from "./source.ts";

export type Failed = { readonly name: string; readonly reason: string };

export type Account = {
  readonly counts: Record<Outcome, number>;
  readonly failed: Failed[];
};

/** What brings an article to where it belongs: the service, or for a dry run nowhere. */
export type Deliver = (key: string, article: Article) => Promise<Outcome>;

export type Run = {
  readonly source: Source;
  readonly deliver: Deliver;
  readonly concurrency: number;
  /** Aborted by Ctrl-C: what is under way is finished, nothing else begun. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly pace: Pace;
  /** Called at once for each entry that could not be imported. */
  readonly onFailed: (failed: Failed) => void;
};

/**
 * Imports everything that can be. Throws what stops an import as a whole (no connection, no credentials), once
 * everything that was under way has ended; the account is complete then, too.
 */
export async function runImport(run: Run, account: Account): Promise<void> {
  const stops: unknown[] = [];
  const waiting: Waiting[] = [];
  const articles = articlesOf(run.source, account, run);
  const goesOn = () => stops.length === 0 && !run.signal.aborted;
  const lane = async () => {
    while (goesOn()) {
      const next = await articles.next();
      if (next.done === true) return;
      await one(run, account, next.value, waiting);
    }
  };
  const noted = (error: unknown) => void stops.push(error);
  const unfollow = follow(run, account);
  await Promise.all(Array.from({ length: run.concurrency }, () => lane().catch(noted)));
  await retry(run, account, waiting, goesOn).catch(noted);
  unfollow();
  if (stops.length > 0 && !(run.signal.aborted && stops.every(isAbort))) throw stops[0];
}

type Loaded = { readonly key: string; readonly name: string; readonly article: Article };

/**
 * Reads one after another, in the source's order: so that of two with the same slug it is always the first
 * that gets it.
 */
async function* articlesOf(source: Source, account: Account, run: Run): AsyncGenerator<Loaded, void> {
  const taken = new Map<string, string>();
  for await (const entry of source.entries()) {
    const loaded = await load(entry, taken).catch((error: unknown) => fail(run, account, entry.name, error));
    if (loaded !== null) yield loaded;
  }
}

async function load({ key, name, load }: Entry, taken: Map<string, string>): Promise<Loaded> {
  const article = await load();
  requireSendable(article);
  const place = `${article.slug} ${article.locale}`;
  const other = taken.get(place);
  if (other !== undefined) throw new Unusable(`has the same slug and locale (${place}) as ${other}`);
  taken.set(place, name);
  return { key, name, article };
}

/**
 * It goes to `waiting` if its slug is taken: the article that has it may get another slug from a file of this
 * import.
 */
async function one(run: Run, account: Account, loaded: Loaded, waiting: Waiting[]): Promise<void> {
  try {
    account.counts[await run.deliver(loaded.key, loaded.article)]++;
    run.progress.advance();
  } catch (error) {
    if (error instanceof SlugTaken && waiting.length < MOST_WAITING) waiting.push({ loaded, error });
    else fail(run, account, loaded.name, error);
  }
}

type Waiting = { readonly loaded: Loaded; readonly error: SlugTaken };

/** They are held in memory. Any more are reported, and left to the next import. */
const MOST_WAITING = 200;
/** Backwards, then forwards: so slugs that moved along a row of files arrive, whatever the direction. */
const ROUNDS = 2;

async function retry(run: Run, account: Account, waiting: readonly Waiting[], goesOn: () => boolean): Promise<void> {
  let left = waiting;
  for (let round = 0; round < ROUNDS; round++) {
    const still: Waiting[] = [];
    for (const each of left.toReversed()) {
      if (goesOn()) await one(run, account, each.loaded, still);
      else still.push(each);
    }
    left = still;
  }
  for (const { loaded, error } of left) fail(run, account, loaded.name, error);
}

/** Notes what concerns one entry only; throws the rest. */
function fail(run: Run, account: Account, name: string, error: unknown): null {
  if (!concernsOne(error)) throw error;
  const failed = { name, reason: error.message };
  account.failed.push(failed);
  run.onFailed(failed);
  run.progress.advance();
  return null;
}

/** Refusals of an article; of those that concern the caller, the next one would be refused as well. */
const OF_ONE = new Set(["invalid_request", "immutable_field", "body_too_large", "slug_taken", "internal"]);

const concernsOne = (error: unknown): error is Error =>
  error instanceof Unusable || (error instanceof CliError && OF_ONE.has(error.code));

/** Entries that the service has as they are meant to be. */
export const storedIn = ({ counts }: Account): number =>
  counts.created + counts.updated + counts.unchanged + counts.present;

/** Entries that were looked at, those that failed included. */
export const doneIn = (account: Account): number => storedIn(account) + account.failed.length;

/** How often the rate is reported: no more often than lines are written without a terminal. */
const RATE_MS = 5000;

/** Tells how fast it goes, and how long the rest takes at least, also while nothing may be sent. */
function follow(run: Run, account: Account): () => void {
  const started = Date.now();
  const estimate = setInterval(() => run.progress.atLeast(leastSeconds(run, account)), 1000);
  const rate = setInterval(() => {
    const minutes = (Date.now() - started) / 60_000;
    run.progress.say(`${Math.round(doneIn(account) / minutes)} a minute`);
  }, RATE_MS);
  return () => [estimate, rate].forEach(clearInterval);
}

/** The entries so far show how many of the rest will need a request. */
function leastSeconds({ pace, source }: Run, account: Account): number {
  const done = doneIn(account);
  const share = done === 0 ? 1 : (done - account.counts.unchanged) / done;
  return pace.secondsFor(Math.round((source.total - done) * share));
}

/** The delivery of an import that is meant. */
export const toService =
  (delivery: Delivery): Deliver =>
  (key, article) =>
    deliver(delivery, key, article);

/** The error of an import of which a part could not be done, or could not in a dry run; null where there is none. */
export function incomplete({ failed }: Account, total: number, isDry: boolean): CliError | null {
  if (failed.length === 0) return null;
  const hint = isDry
    ? "Nothing was sent. Without --dry-run, everything except what is listed above would be imported."
    : "The rest is done. Fix the problems listed above, and run the same command again: it sends only what is missing.";
  return new CliError("import_incomplete", `${failed.length} of ${total} could not be imported.`, EXIT.failed, {
    hint,
  });
}
