import { isUuid } from "../lib/ids.ts";

/** Letters, marks and numbers of any script, with single hyphens between them. */
const SLUG_SHAPE = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;

/**
 * Returns whether a text may be a slug: lower case and in NFC. UUIDs may not be slugs, because callers use identifiers
 * and slugs in the same place of a path, and an identifier always wins.
 */
export function isSlug(text: string): boolean {
  return SLUG_SHAPE.test(text) && text === text.toLowerCase().normalize("NFC") && !isUuid(text);
}

/** Returns the place of an article in its blog, which no other can have. Neither part of it has a space. */
export const placeOf = ({ slug, locale }: { readonly slug: string; readonly locale: string }): string =>
  `${slug} ${locale}`;
