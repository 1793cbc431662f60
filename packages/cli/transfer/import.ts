/** Imports the entries of a source, several at the same time, and counts the outcomes. */
import { CliError, EXIT, isAbort } from "../failure.ts";
import type { Progress } from "../progress.ts";
import { UNCHOSEN } from "../../import/choices.ts";
import { requireSendable, SlugTaken, Unusable, type Article } from "../../import/article.ts";
import { Queue, type Loaded } from "./queue.ts";
import type { Outcome } from "./import-article.ts";
import type { Pace } from "./pace.ts";
import type { PicturesOutcome } from "./pictures.ts";
import type { RedirectsOutcome } from "./redirects.ts";
import type { Remarks } from "../../import/remarks.ts";
import type { Entry, Source } from "../../import/source.ts";
import type { TermsOutcome } from "./terms.ts";

export type Failed = { readonly name: string; readonly reason: string };

/**
 * Whether the settings in blog.yaml were applied to the blog. `problem` is the reason if they, or its topic sources among
 * them, could not be, else null.
 */
export type SettingsOutcome = { readonly applied: boolean; readonly problem: string | null };

export type Account = {
  readonly counts: Record<Outcome, number>;
  readonly failed: Failed[];
  /** Null if there were no settings to apply. */
  settings: SettingsOutcome | null;
  /** Null if there were no tags and authors to apply. */
  terms: TermsOutcome | null;
  /** Null if pictures stay where they are. */
  media: PicturesOutcome | null;
  /** Null if the articles have no old addresses. */
  redirects: RedirectsOutcome | null;
};

export const newAccount = (): Account => ({
  counts: { created: 0, updated: 0, unchanged: 0, present: 0 },
  failed: [],
  settings: null,
  terms: null,
  media: null,
  redirects: null,
});

export type ImportArticle = (key: string, article: Article, remarks: Remarks) => Promise<Outcome>;

export type Run = {
  readonly source: Source;
  readonly importArticle: ImportArticle;
  readonly concurrency: number;
  /** Aborted by Ctrl-C. The import then finishes the entries that it has begun, and begins no others. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly remarks: Remarks;
  readonly pace: Pace;
  /** Called for each entry that could not be imported, as soon as it has failed. */
  readonly onFailed: (failed: Failed) => void;
};

/**
 * Imports all entries that can be imported, and adds their outcomes to `account`. If an error stops the whole import
 * (no connection, no credentials), waits until the other lanes have ended and throws the error; `account` is complete
 * then.
 */
export async function runImport(run: Run, account: Account): Promise<void> {
  const stops: unknown[] = [];
  const queue = new Queue();
  const turns = new Turns();
  const articles = articlesOf(run, account, queue);
  const goesOn = () => stops.length === 0 && !run.signal.aborted;
  const lane = async () => {
    while (goesOn()) {
      const loaded = queue.next() ?? (await articles.next()).value;
      if (loaded !== undefined) {
        // Translations share tags and authors, and the last one that is sent decides on them. So they keep their order.
        await turns.take(loaded.article.slug, async () => {
          if (goesOn()) await one(run, account, loaded, queue);
        });
      } else if (queue.isEmpty()) return;
    }
  };
  const unfollow = follow(run, account);
  await Promise.all(Array.from({ length: run.concurrency }, () => lane().catch((error) => void stops.push(error))));
  // The remaining entries wait for each other's slugs.
  if (goesOn()) for (const { loaded, error } of queue.blocked()) fail(run, account, loaded.name, error);
  unfollow();
  if (stops.length > 0 && !(run.signal.aborted && stops.every(isAbort))) throw stops[0];
}

/**
 * Yields the articles one after another, in the order of the source: of two entries with the same slug, always the
 * first one gets it. Entries that cannot be read count as failed.
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
  if (other !== undefined) {
    const remedy = `(--rename-duplicates imports it as ${article.slug}-2)`;
    throw new Unusable(`${UNCHOSEN.renameDuplicates} (${place}) as ${other} ${remedy}`);
  }
  taken.set(place, name);
  return { key, name, article };
}

/**
 * Imports one entry. If the article of another entry has its slug, this entry waits in the queue until that one has
 * ended, which may give that article another slug. Then a lane tries this entry again.
 */
async function one(run: Run, account: Account, loaded: Loaded, queue: Queue): Promise<void> {
  const { key, name, article } = loaded;
  const started = queue.finished;
  try {
    const outcome = await run.importArticle(key, article, run.remarks.of(name));
    account.counts[outcome]++;
    if (article.published && article.extras?.publishTime === undefined && WRITTEN.has(outcome)) {
      run.remarks.of(name).note(...UNDATED);
    }
    run.progress.advance();
  } catch (error) {
    const problem = error instanceof SlugTaken ? queue.take(error, loaded, started) : error;
    if (problem === null) return;
    fail(run, account, name, problem);
  }
  queue.finish(key);
}

const WRITTEN = new Set<Outcome>(["created", "updated"]);
const UNDATED = [
  "articles without a date, which get the time at which they are published here",
  "has no date, so it gets the time at which it is published here",
] as const;

function fail(run: Run, account: Account, name: string, error: unknown): null {
  if (!concernsOne(error)) throw error;
  const failed = { name, reason: error.message };
  account.failed.push(failed);
  run.onFailed(failed);
  run.progress.advance();
  return null;
}

/**
 * The codes of errors that concern one article. Other errors concern the caller, and would hit the next article too.
 */
const ARTICLE_ERRORS = new Set([
  "invalid_request",
  "immutable_field",
  "body_too_large",
  "slug_taken",
  "idempotency_in_progress",
  "internal",
]);

const concernsOne = (error: unknown): error is Error =>
  error instanceof Unusable || (error instanceof CliError && ARTICLE_ERRORS.has(error.code));

export const storedIn = ({ counts }: Account): number =>
  counts.created + counts.updated + counts.unchanged + counts.present;

export const doneIn = (account: Account): number => storedIn(account) + account.failed.length;

/** Milliseconds between reports of the rate: the interval of progress lines without a terminal (progress.ts). */
const RATE_MS = 5000;

/**
 * Shows the rate, and the minimum time left, by timers: also while the rate limit allows no requests. Returns a
 * function that stops the timers.
 */
function follow(run: Run, account: Account): () => void {
  const started = Date.now();
  const estimate = setInterval(() => run.progress.atLeast(leastSeconds(run, account)), 1000);
  const rate = setInterval(() => {
    const minutes = (Date.now() - started) / 60_000;
    run.progress.say(`${Math.round(doneIn(account) / minutes)} a minute`);
  }, RATE_MS);
  return () => [estimate, rate].forEach(clearInterval);
}

/** Returns the minimum seconds for the rest. Estimates the requests for each entry from the entries that have ended. */
function leastSeconds({ pace, source }: Run, account: Account): number {
  const done = doneIn(account);
  const each = done === 0 ? 1 : pace.requests() / done;
  return pace.secondsFor(Math.round((source.keys.size - done) * each));
}

export function incomplete({ failed }: Account, total: number, isDry: boolean): CliError | null {
  if (failed.length === 0) return null;
  const hint = isDry
    ? "Nothing was sent. Without --dry-run, everything except what is listed above would be imported."
    : "The rest is done. Fix the problems listed above, and run the same command again: it sends only what is missing.";
  return new CliError("import_incomplete", `${failed.length} of ${total} could not be imported.`, EXIT.failed, {
    hint,
  });
}

/** Takes turns: works of the same name run one after another, in the order in which they came. */
export class Turns {
  /** The last work of each name that has not ended. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` when all earlier works of that name have ended, also those that failed. Settles as `work` does. */
  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(work);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
