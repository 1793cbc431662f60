/** A result of the search, for the page and for the palette. */
export type SearchResult = {
  readonly kind: "Page" | "Blog" | "Article";
  readonly label: string;
  /** Distinguishes it from others with the same label. */
  readonly hint: string;
  readonly path: string;
};
