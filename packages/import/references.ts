/** What the templates of an old site refer to. */
import type { Losses } from "./losses.ts";

export type References = {
  readonly losses: Losses;
  /** The file is one of Jekyll's, where code, too, may be within `{% raw %}`. */
  readonly isJekyll: boolean;
  readonly isMdx: boolean;
  readonly title: string;
  /** The address of the old site; "" if it is not known. */
  readonly origin: string;
  /** Returns the address and title of the article that a path or a name means; null if there is none. */
  readonly article: (name: string) => { readonly address: string; readonly title: string } | null;
  /** Returns the address of the file of a name, wherever it is in the folder; null if there is none. */
  readonly file: (name: string) => string | null;
  /** The names of modules that MDX imports, with their paths. */
  readonly modules: Map<string, string>;
  /** The anchors of headings that have ids of their own, by these. */
  readonly anchors: Map<string, string>;
  /** How many elements of HTML of each name have no end. */
  readonly unclosed: Map<string, number>;
};
