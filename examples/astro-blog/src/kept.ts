/** The pages that were made already, by their paths. A webhook empties it. */
export const kept = new Map<string, string>();

/** How many pages are kept at most. */
export const MOST_PAGES = 1000;
