/** The names of the files of articles: valid on every system, and the same in every export. */
import { digest } from "../../import/article.ts";

/** Maximum UTF-8 bytes of the slug in a name. File systems allow 255 bytes, including the locale and the extension. */
const MOST_BYTES = 180;

/** Matches the names that Windows reserves for devices, with any extension. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * Returns the name of an article's file, `slug.locale.md`. Some slugs are not valid and unique names on every system:
 * too long, a device, or with a letter that some systems treat as another one. They are replaced by a shortened slug,
 * `~` and a hash. No slug contains `~`, so these names do not collide with slugs.
 */
export function fileNameOf({ slug, locale }: { readonly slug: string; readonly locale: string }): string {
  const tag = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/.test(locale) ? locale : hashed(locale);
  return `${isSafe(slug) ? slug : hashed(slug)}.${tag}.md`;
}

function isSafe(slug: string): boolean {
  const fits = /^[\p{L}\p{M}\p{N}-]+$/u.test(slug) && Buffer.byteLength(slug) <= MOST_BYTES;
  return fits && !DEVICES.test(slug) && folded(slug) === slug;
}

/** Returns the name that file systems compare if they ignore case, character width or Unicode composition. */
const folded = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");

/** Returns a short readable part of a name, `~`, and a hash of the whole name. */
function hashed(name: string): string {
  const short = name
    .replaceAll(/[^\p{L}\p{M}\p{N}-]+/gu, "-")
    .slice(0, 30)
    .toWellFormed()
    .replaceAll("\ufffd", "");
  return `${short}~${digest(name).slice(0, 12)}`;
}
