/** Lists: their items one after another, page by page, or all of them. */
import { EdgepressError } from "./errors.ts";
import type { ApiAnswer } from "./transport.ts";

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

/** Returns the list whose pages are read by `read`: the first one, and then that at a cursor. */
export function listOf<T>(read: (cursor?: string) => Promise<ApiAnswer<T[]>>): List<T> {
  async function* pages(): AsyncGenerator<Page<T>, void> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { value, next }: ApiAnswer<T[]> = await read(cursor);
      if (!Array.isArray(value) || next === cursor || next === "") {
        throw new EdgepressError("invalid_answer", "The answer is not a page of a list.");
      }
      yield { items: value, next };
      cursor = next;
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
