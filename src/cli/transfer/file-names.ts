/** Names of files for articles: safe on every system, and the same in every export. */
import { digest } from "./article.ts";

/** UTF-8 bytes; 255 is what file systems take, and the locale and the ending need some. */
const MOST_BYTES = 180;

/** Windows keeps these for devices, whatever ending follows. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * `slug.locale.md`. If the slug is not a valid and unique name on every system (too long, a device, a letter
 * that some systems treat as another), a shortened one with a hash: no slug contains `~`, so no two collide.
 */
export function fileNameOf({ slug, locale }: { readonly slug: string; readonly locale: string }): string {
  const tag = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/.test(locale) ? locale : hashed(locale);
  return `${isSafe(slug) ? slug : hashed(slug)}.${tag}.md`;
}

function isSafe(slug: string): boolean {
  const fits = /^[\p{L}\p{M}\p{N}-]+$/u.test(slug) && Buffer.byteLength(slug) <= MOST_BYTES;
  return fits && !DEVICES.test(slug) && folded(slug) === slug;
}

/** What systems that ignore case, width or composition make of a name. */
const folded = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");

function hashed(name: string): string {
  const short = name
    .replaceAll(/[^\p{L}\p{M}\p{N}-]+/gu, "-")
    .slice(0, 30)
    .toWellFormed()
    .replaceAll("\ufffd", "");
  return `${short}~${digest(name).slice(0, 12)}`;
}
