import { isUuid } from "../lib/ids.ts";

const SLUG_SHAPE = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;

/**
 * Returns whether a text may be a slug: letters, marks and numbers of any script with single hyphens, in lower case and
 * NFC. UUIDs may not, because a path takes an identifier or a slug, and identifiers win.
 */
export function isSlug(text: string): boolean {
  return SLUG_SHAPE.test(text) && text === text.toLowerCase().normalize("NFC") && !isUuid(text);
}

/** Returns a key that is unique within a blog. Neither part has a space. */
export const toPlaceKey = ({ slug, locale }: { readonly slug: string; readonly locale: string }): string =>
  `${slug} ${locale}`;
