/** Makes results of pages, for all operations that list. */
import type { Page } from "../store/core/paging.ts";
import type { Result } from "./define.ts";

/**
 * Returns a page of a list as a result. Its version consists of the versions of all items and the cursor of the next
 * page, so it changes if any of them does. `state` returns what changes in an item without a new version.
 */
export function listOf<T>(page: Page<T>, state: (value: T) => string | undefined = () => undefined): Result<T[]> {
  return {
    value: page.items.map((item) => item.value),
    version: [...page.items.map(({ value, version }) => version + (state(value) ?? "")), page.next ?? "end"].join(),
    next: page.next,
  };
}
