/** Lists that are read page by page. */
import { EdgepressError } from "./errors.ts";
import type { ApiAnswer } from "./transport.ts";

export type Page<T> = {
  readonly items: T[];
  /** The `cursor` of the next page, to continue later; null on the last page. */
  readonly next: string | null;
};

/** A list that is read while you iterate: `for await (const item of list)`. Pages are fetched when they are needed. */
export type List<T> = AsyncIterable<T> & {
  /** The pages, one after another. `limit` of the query is the size of a page, 100 at most. */
  pages(): AsyncGenerator<Page<T>, void>;
  /** The first `most` items; all by default. */
  all(most?: number): Promise<T[]>;
};

/** Returns a list. `read` gets the cursor of a page; undefined for the first one. */
export function makeList<T>(read: (cursor?: string) => Promise<ApiAnswer<T[]>>): List<T> {
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
