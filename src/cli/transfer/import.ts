/** An import: from a source to a blog, a few articles at once, and an account of it. */
import { CliError, EXIT, isAbort } from "../failure.ts";
import type { Progress } from "../progress.ts";
import { requireSendable, SlugTaken, Unusable, type Article } from "./article.ts";
import { Queue, type Loaded } from "./queue.ts";
import type { Outcome } from "./deliver.ts";
import type { Pace } from "./pace.ts";
import type { Entry, Source } from "./source.ts";

export type Failed = { readonly name: string; readonly reason: string };

/** What became of a blog's settings beside its articles; `problem` says why they were not applied. */
export type SettingsOutcome = { readonly applied: boolean; readonly problem: string | null };

export type Account = {
  readonly counts: Record<Outcome, number>;
  readonly failed: Failed[];
  /** Null where there were none to apply. */
  settings: SettingsOutcome | null;
};

/** Brings an article to where it belongs. */
type Deliver = (key: string, article: Article) => Promise<Outcome>;

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
  const queue = new Queue();
  const articles = articlesOf(run, account, queue);
  const goesOn = () => stops.length === 0 && !run.signal.aborted;
  const lane = async () => {
    while (goesOn()) {
      const loaded = queue.next() ?? (await articles.next()).value;
      if (loaded !== undefined) await one(run, account, loaded, queue);
      else if (queue.isEmpty()) return;
    }
  };
  const unfollow = follow(run, account);
  await Promise.all(Array.from({ length: run.concurrency }, () => lane().catch((error) => void stops.push(error))));
  // Those that wait for each other.
  if (goesOn()) for (const { loaded, error } of queue.blocked()) fail(run, account, loaded.name, error);
  unfollow();
  if (stops.length > 0 && !(run.signal.aborted && stops.every(isAbort))) throw stops[0];
}

/**
 * Reads one after another, in the source's order: so that of two with the same slug it is always the first
 * that gets it.
 */
async function* articlesOf(run: Run, account: Account, queue: Queue): AsyncGenerator<Loaded, undefined> {
  const taken = new Map<string, string>();
  for await (const entry of run.source.entries()) {
    try {
      yield await load(entry, taken);
    } catch (error) {
      fail(run, account, entry.name, error);
      queue.finish(entry.key);
    }
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
 * If the article of another entry has its slug, it waits for that one, which may get another slug itself. It is
 * tried once more then.
 */
async function one(run: Run, account: Account, loaded: Loaded, queue: Queue): Promise<void> {
  const { key, name, article } = loaded;
  const started = queue.finished;
  try {
    account.counts[await run.deliver(key, article)]++;
    run.progress.advance();
  } catch (error) {
    const problem = error instanceof SlugTaken ? queue.take(error, loaded, started) : error;
    if (problem === null) return;
    fail(run, account, name, problem);
  }
  queue.finish(key);
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
const OF_ONE = new Set([
  "invalid_request",
  "immutable_field",
  "body_too_large",
  "slug_taken",
  "idempotency_in_progress",
  "internal",
]);

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

/** The entries so far show how many requests each of the rest will need. */
function leastSeconds({ pace, source }: Run, account: Account): number {
  const done = doneIn(account);
  const each = done === 0 ? 1 : pace.requests() / done;
  return pace.secondsFor(Math.round((source.keys.size - done) * each));
}

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
