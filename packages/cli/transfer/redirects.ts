/** Makes addresses of the old site lead to the imported articles, as redirects of the blog's site (contract 21.8). */
import { A_SOURCE, REDIRECT_LIMITS, formatSource } from "../../../src/domain/redirects.ts";
import { toChunks } from "../../../src/lib/chunks.ts";
import type { Client, RedirectOutcome } from "../client.ts";
import { hasCode } from "../failure.ts";
import type { Article } from "../../import/article.ts";
import { listRedirects, toRedirectSource } from "../../import/redirects.ts";
import type { Pace } from "./pace.ts";
import type { Remarks } from "../../import/remarks.ts";

export type RedirectsOutcome = {
  /** In a dry run, those that would be created. */
  created: number;
  unchanged: number;
  failed: number;
  /** Why the service took none of them. */
  problem: string | null;
};

type Wanted = {
  readonly address: string;
  readonly articleId: string;
  readonly slug: string;
  readonly remarks: Remarks;
};
type Row = Wanted & { readonly from: string };

type Options = {
  readonly client: Client;
  readonly blogId: string;
  readonly pace: Pace;
  /** Aborted by Ctrl-C. The next run of the same import sends the rest. */
  readonly signal: AbortSignal;
  /** The scopes of a dry run's credential; null if this is no dry run. */
  readonly scopes: readonly string[] | null;
};

export class Redirects {
  readonly #outcome: RedirectsOutcome = { created: 0, unchanged: 0, failed: 0, problem: null };
  readonly #options: Options;
  readonly #wanted = new Map<string, Wanted[]>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Adds the old addresses of a stored article. */
  add(key: string, articleId: string, article: Article, remarks: Remarks): void {
    const { slug } = article;
    const wanted = listRedirects(article).map((address) => ({ address, articleId, slug, remarks }));
    if (wanted.length > 0) this.#wanted.set(key, wanted);
  }

  /**
   * Sends all in the order of `keys`: of two articles with the same old address, the first one always gets it. Returns
   * null if there are none. Does not throw if the credential lacks the scope.
   */
  async send(keys: Iterable<string>): Promise<RedirectsOutcome | null> {
    if (this.#wanted.size === 0) return null;
    const rows = this.#rows([...keys].flatMap((key) => this.#wanted.get(key) ?? []));
    if (rows.length > 0) await this.#sendRows(rows);
    return this.#outcome;
  }

  async #sendRows(rows: readonly Row[]): Promise<void> {
    const { signal, scopes } = this.#options;
    if (scopes !== null) {
      if (!scopes.includes("blogs:write")) this.#fails(rows.length, "This needs the scope blogs:write.");
      else this.#outcome.created = rows.length;
      return;
    }
    let left = rows.length;
    for (const some of toChunks(rows, REDIRECT_LIMITS.rows)) {
      if (signal.aborted) return;
      try {
        const outcomes = await this.#sent(some);
        some.forEach((row, nth) => this.#settle(row, outcomes[nth]));
      } catch (error) {
        if (!hasCode(error, ...REFUSALS)) throw error;
        return this.#fails(left, error.message);
      }
      left -= some.length;
    }
  }

  #rows(wanted: readonly Wanted[]): Row[] {
    const rows = new Map<string, Row>();
    for (const each of wanted) {
      const from = toRedirectSource(each.address);
      const other = rows.get(from ?? "");
      if (from === null) this.#fail(each, A_SOURCE);
      else if (other === undefined) rows.set(from, { ...each, from });
      else if (other.articleId !== each.articleId) this.#fail(each, `leads to the article "${other.slug}" already`);
    }
    return [...rows.values()];
  }

  async #sent(rows: readonly Row[]): Promise<RedirectOutcome[]> {
    const { client, blogId, pace } = this.#options;
    await pace.waitForTurn();
    const body = { redirects: rows.map(({ from, articleId }) => ({ from: formatSource(from), articleId })) };
    return (await client.request("POST /api/blogs/{blogId}/redirects/bulk", { params: { blogId }, body })).value;
  }

  #settle(row: Row, got: RedirectOutcome | undefined): void {
    if (got === undefined || got.outcome === "refused") return this.#fail(row, got?.detail ?? "no answer");
    this.#outcome[got.outcome]++;
    // What ends in the slug is the article's own address.
    const isElsewhere = got.overridden && !row.from.endsWith(`/${row.slug}`);
    if (isElsewhere) {
      row.remarks.note(
        "old addresses at which readers see something else",
        `readers see something else at ${row.address}`,
      );
    }
  }

  #fails(times: number, problem: string): void {
    this.#outcome.failed += times;
    this.#outcome.problem = problem;
  }

  #fail({ address, remarks }: Wanted, reason: string): void {
    this.#outcome.failed++;
    remarks.note("old addresses that are not kept", `${address} is not kept: ${reason}`);
  }
}

/** Codes that do not stop an import: the credential may not change blogs. */
const REFUSALS = ["scope_missing", "role_forbidden"];
