import type { Losses } from "./losses.ts";

export type References = {
  readonly losses: Losses;
  /** Whether the file is one of Jekyll's, where code may also be within `{% raw %}`. */
  readonly isJekyll: boolean;
  readonly isMdx: boolean;
  readonly title: string;
  /** The address of the old site; "" if it is unknown. */
  readonly origin: string;
  /** Returns the address and title of the article with a path or name; null if there is none. */
  readonly findArticle: (name: string) => { readonly address: string; readonly title: string } | null;
  /** Returns the address of the file with a name, anywhere in the folder; null if there is none. */
  readonly findFile: (name: string) => string | null;
  readonly modules: Map<string, string>;
  /** The anchors of headings with ids of their own, by these ids. */
  readonly anchors: Map<string, string>;
  readonly unclosed: Map<string, number>;
};
