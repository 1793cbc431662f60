/** Lists: their items one after another, page by page, or all of them. */
import { EdgepressError } from "./errors.ts";
import type { CallOptions, Query, Send } from "./transport.ts";

export type Page<T> = {
  readonly items: T[];
  /** Where the next page begins, to go on later (`cursor` of the query); null on the last page. */
  readonly next: string | null;
};

/**
 * A list, which is read while it is gone through: `for await (const item of list)`. Pages are fetched when they are
 * needed, so leaving the loop early reads no more.
 */
export type List<T> = AsyncIterable<T> & {
  /** Its pages, one after another. `limit` of the query is the size of a page, 100 at most. */
  pages(): AsyncGenerator<Page<T>, void>;
  /** Its first `most` items; all by default. */
  all(most?: number): Promise<T[]>;
};

type Asked = { readonly path: string; readonly query: Query };

/** Returns the list that is read by a request. `ask` is called when the reading begins. */
export function listOf<T>(send: Send, ask: () => Promise<Asked>, options: CallOptions = {}): List<T> {
  async function* pages(): AsyncGenerator<Page<T>, void> {
    const { path, query } = await ask();
    for (let asked: Query | null = query; asked !== null;) {
      const { value, next }: { value: T[]; next: string | null } = await send<T[]>({ ...options, path, query: asked });
      if (!Array.isArray(value) || (next !== null && next === asked["cursor"])) {
        throw new EdgepressError("invalid_answer", "The answer is not a page of a list.");
      }
      yield { items: value, next };
      // What `skip` left out is behind the cursor already.
      asked = next === null ? null : { ...query, skip: undefined, cursor: next };
    }
  }
  async function* items(): AsyncGenerator<T, void> {
    for await (const page of pages()) yield* page.items;
  }
  return {
    pages,
    [Symbol.asyncIterator]: items,
    async all(most = Infinity) {
      const found: T[] = [];
      if (most <= 0) return found;
      for await (const item of items()) if (found.push(item) >= most) break;
      return found;
    },
  };
}
