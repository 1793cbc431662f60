import type { Page } from "../store/core/paging.ts";
import type { Result } from "./define.ts";

/**
 * Returns a page as a result. Its version consists of those of all items and the next cursor. `state` returns what
 * changes in an item without a new version.
 */
export function toListResult<T>(page: Page<T>, state: (value: T) => string | undefined = () => undefined): Result<T[]> {
  return {
    value: page.items.map((item) => item.value),
    version: [...page.items.map(({ value, version }) => version + (state(value) ?? "")), page.next ?? "end"].join(),
    next: page.next,
  };
}
