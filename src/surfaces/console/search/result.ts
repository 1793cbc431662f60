/** What the search finds, as a page shows it and as the palette gets it. */
export type SearchResult = {
  readonly kind: "Page" | "Blog" | "Article";
  readonly label: string;
  /** What tells it from others of its name. */
  readonly hint: string;
  readonly path: string;
};
