/** The pages that were made already, by their paths, until a webhook says that something has changed. */
const pages = new Map<string, string>();
let changes = 0;

/** How many pages are kept at most. */
const MOST_PAGES = 1000;

export const keptPage = (path: string): string | undefined => pages.get(path);

/** How often something has changed so far. */
export const changesSoFar = (): number => changes;

/** Keeps a page. One that was begun before the last change may show what was there before it, and is not kept. */
export function keepPage(path: string, page: string, begunAfter: number): void {
  if (begunAfter === changes && pages.size < MOST_PAGES) pages.set(path, page);
}

/** Forgets all pages. */
export function forgetPages(): void {
  changes += 1;
  pages.clear();
}
