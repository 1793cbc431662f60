/**
 * Slugs and vanityIds that titles suggest. Load it when one is to be derived: the library's tables take a
 * tenth of the Worker's start-up.
 */
import slugify from "@sindresorhus/slugify";
import { LIMITS } from "./limits.ts";
import { isSlug } from "./slug.ts";
import { isVanityId } from "./vanity.ts";

/**
 * The slug that a title suggests, with room left for a suffix such as `-12`. Latin titles become ASCII;
 * others keep their script, as readers of it expect.
 */
export function slugOf(title: string, most: number = LIMITS.slug): string {
  const text = title.normalize("NFC");
  const own = shortened(inOwnLetters(text), most);
  // Of what remains: letters that were cut off decide nothing, so the slug of a slug is the same.
  const short = OTHER_SCRIPTS.test(own) ? own : shortened(slugify(text, { decamelize: false }), most);
  return isSlug(short) ? short : "untitled";
}

const OTHER_SCRIPTS = /(?!\p{Script=Latin})\p{L}/u;

/** The library drops the vowel signs of scripts that have them, so those keep their own letters here. */
const inOwnLetters = (text: string): string =>
  text
    .toLowerCase()
    // Lower case may leave NFC, in which slugs are looked up.
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-/, "");

/** With room for the longest suffix; half a surrogate pair at the end would make it no slug. */
const shortened = (slug: string, most: number): string => slug.slice(0, most - 13).replace(/[-\ud800-\udbff]+$/, "");

/** The vanityId that a blog's name suggests; the caller adds a suffix where it is taken. */
export function vanityIdOf(name: string): string {
  const label = slugOf(name, 60)
    .replaceAll(/[^a-z0-9-]/g, "")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (isVanityId(label)) return label;
  return isVanityId(`${label}-blog`) ? `${label}-blog` : "blog-site";
}
