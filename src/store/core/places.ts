/** Where public reads find what they name, if organizations are in several databases. */
import type { Reader } from "./sql.ts";

/** By what a read names what it reads: a blog (by id or vanityId), an article or its slug, or a preview. */
export type PublicName =
  | { readonly blog: string }
  | { readonly article: string }
  | { readonly preview: string }
  | { readonly slug: string; readonly locales?: readonly string[] | undefined; readonly isFormer?: true };

/**
 * Where something is read. `read` may lag behind the last write. `primary` must never lag behind `read`; it reads the large
 * contents of a page. `blogId` is the blog that a slug means, if finding the place has found it.
 */
export type Place = { readonly read: Reader; readonly primary: Reader; readonly blogId?: string | undefined };

/** Returns where to read something. */
export type Places = (name: PublicName) => Place | Promise<Place>;
