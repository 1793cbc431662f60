import slugify from "@sindresorhus/slugify";
import { isUuid } from "./ids.ts";
import { LIMITS } from "./limits.ts";

/** Lower-case letters and digits of any script, single hyphens between them. */
const SLUG_SHAPE = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;

/** Whether a text may be a slug. UUIDs may not: an identifier always wins over a slug. */
export function isSlug(text: string): boolean {
  return SLUG_SHAPE.test(text) && text === text.toLowerCase().normalize("NFC") && !isUuid(text);
}

/**
 * The slug that a title suggests, with room left for a suffix such as `-12`. Latin titles become ASCII;
 * others keep their script, as readers of it expect.
 */
export function slugOf(title: string, most: number = LIMITS.slug): string {
  const text = title.normalize("NFC");
  const otherScripts = /(?!\p{Script=Latin})\p{L}/u.test(text);
  // The library drops the vowel signs of scripts that have them, so those keep their own letters here.
  const slug = otherScripts
    ? text
        .toLowerCase()
        // Lower case may leave NFC, in which slugs are looked up.
        .normalize("NFC")
        .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
        .replace(/^-/, "")
    : slugify(text, { decamelize: false });
  // Room for the longest suffix; half a surrogate pair at the end would make it no slug.
  const short = slug.slice(0, most - 13).replace(/[-\ud800-\udbff]+$/, "");
  return isSlug(short) ? short : "untitled";
}
