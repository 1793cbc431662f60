/** Imports the entries of a source, several at once, and counts the outcomes. */
import { CliError, EXIT, hasCode, isAbort } from "../failure.ts";
import type { Progress } from "../progress.ts";
import { UNCHOSEN } from "../../import/choices.ts";
import { requireSendable, SlugTaken, Unusable, type Article } from "../../import/article.ts";
import type { Outcome } from "./import-article.ts";
import type { PicturesOutcome } from "./pictures.ts";
import type { RedirectsOutcome } from "./redirects.ts";
import type { Remarks } from "../../import/remarks.ts";
import type { Entry, Source } from "../../import/source.ts";
import type { TermsOutcome } from "./terms.ts";

export type Failed = { readonly name: string; readonly reason: string };

/** `problem` is the reason why the settings, or only their topic sources, could not be applied. */
export type SettingsOutcome = { readonly applied: boolean; readonly problem: string | null };

export type Account = {
  readonly counts: Record<Outcome, number>;
  readonly failed: Failed[];
  // Each of these is null if the import had nothing of its kind.
  settings: SettingsOutcome | null;
  terms: TermsOutcome | null;
  media: PicturesOutcome | null;
  redirects: RedirectsOutcome | null;
};

export const makeAccount = (): Account => ({
  counts: { created: 0, updated: 0, unchanged: 0, present: 0 },
  failed: [],
  settings: null,
  terms: null,
  media: null,
  redirects: null,
});

export type Run = {
  readonly source: Source;
  readonly importArticle: (key: string, article: Article, remarks: Remarks) => Promise<Outcome>;
  readonly concurrency: number;
  /** Aborted by Ctrl-C. The import then only finishes the entries that it has begun. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly remarks: Remarks;
  readonly onFailed: (failed: Failed) => void;
};

type Loaded = { readonly key: string; readonly name: string; readonly article: Article };
type Refused = { readonly loaded: Loaded; readonly error: SlugTaken };

/**
 * Imports all entries and adds their outcomes to `account`. If an error stops the whole import (no connection, no
 * credentials), throws it when all lanes have ended and `account` is complete.
 */
export async function runImport(run: Run, account: Account): Promise<void> {
  let refused = await importAll(run, account, loadArticles(run, account));
  for (let before = Infinity; refused.length < before && !run.signal.aborted;) {
    before = refused.length;
    refused = await importAll(run, account, refused.map(({ loaded }) => loaded).values());
  }
  if (run.signal.aborted) return;
  // The remaining entries wait for each other's slugs.
  for (const { loaded, error } of refused) recordFailure(run, account, loaded.name, error);
}

/** Imports articles. Returns those whose slug belongs to the article of another entry, which may give it up. */
async function importAll(
  run: Run,
  account: Account,
  articles: Iterator<Loaded, undefined> | AsyncIterator<Loaded, undefined>,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  const stops: unknown[] = [];
  const turns = new Turns();
  const goesOn = () => stops.length === 0 && !run.signal.aborted;
  const lane = async () => {
    while (goesOn()) {
      const { value: loaded } = await articles.next();
      if (loaded === undefined) return;
      // Translations share tags and authors, on which the last one decides: they keep their order.
      await turns.take(loaded.article.slug, async () => {
        if (goesOn()) await importOne(run, account, loaded, refused);
      });
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, () => lane().catch((error) => void stops.push(error))));
  if (stops.length > 0 && !(run.signal.aborted && stops.every(isAbort))) throw stops[0];
  return refused;
}

/** Yields the articles in the order of the source: of two with the same slug, the first one always gets it. */
async function* loadArticles(run: Run, account: Account): AsyncGenerator<Loaded, undefined> {
  const taken = new Map<string, string>();
  for await (const entry of run.source.entries()) {
    try {
      yield await load(entry, taken);
    } catch (error) {
      recordFailure(run, account, entry.name, error);
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

/** Imports an entry. If its slug is taken by another entry, adds it to `refused`. */
async function importOne(run: Run, account: Account, loaded: Loaded, refused: Refused[]): Promise<void> {
  const { key, name, article } = loaded;
  try {
    const outcome = await run.importArticle(key, article, run.remarks.forArticle(name));
    account.counts[outcome]++;
    if (article.published && article.extras?.publishTime === undefined && WRITTEN.has(outcome)) {
      run.remarks.forArticle(name).note(...UNDATED);
    }
    run.progress.advance();
  } catch (error) {
    if (error instanceof SlugTaken && error.owner !== undefined) refused.push({ loaded, error });
    else recordFailure(run, account, name, error);
  }
}

const WRITTEN = new Set<Outcome>(["created", "updated"]);
const UNDATED = [
  "articles without a date, which get the time at which they are published here",
  "has no date, so it gets the time at which it is published here",
] as const;

/** Counts an entry as failed. Throws an error that does not concern this entry alone. */
function recordFailure(run: Run, account: Account, name: string, error: unknown): void {
  if (!(error instanceof Unusable) && !hasCode(error, ...ARTICLE_ERRORS)) throw error;
  const failed = { name, reason: error.message };
  account.failed.push(failed);
  run.onFailed(failed);
  run.progress.advance();
}

/** Codes that concern one article. Others would hit the next article, too. */
const ARTICLE_ERRORS = [
  "invalid_request",
  "immutable_field",
  "body_too_large",
  "slug_taken",
  "idempotency_in_progress",
  "internal",
];

export const countStored = ({ counts }: Account): number =>
  counts.created + counts.updated + counts.unchanged + counts.present;

export const countDone = (account: Account): number => countStored(account) + account.failed.length;

export function makeIncompleteError({ failed }: Account, total: number, isDry: boolean): CliError | null {
  if (failed.length === 0) return null;
  const hint = isDry
    ? "Nothing was sent. Without --dry-run, everything except what is listed above would be imported."
    : "The rest is done. Fix the problems listed above, and run the same command again: it sends only what is missing.";
  const message = `${failed.length} of ${total} could not be imported.`;
  return new CliError("import_incomplete", message, EXIT.failed, { hint });
}

/** Runs work of the same name one after another, in the order in which it came. */
export class Turns {
  /** By name, the last work that has not ended. */
  readonly #last = new Map<string, Promise<unknown>>();

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
