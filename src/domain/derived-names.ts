/**
 * Derives slugs from titles and names, and vanityIds from names. Import this module dynamically, on first use: the tables of the
 * library take a tenth of the Worker's startup time.
 */
import slugify from "@sindresorhus/slugify";
import { LIMITS } from "./limits.ts";
import { isSlug } from "./slug.ts";
import { withoutInvisible } from "../lib/invisible.ts";
import { plainLetters } from "../lib/plain-letters.ts";
import { isVanityId } from "./vanity.ts";

/**
 * Returns a slug for a title, or "untitled" if no slug can be derived. It is at least 13 characters shorter than
 * `most`, so that the caller can append a suffix such as `-12`. Latin titles become ASCII. Other titles keep their
 * script, because their readers expect it.
 */
export function slugOf(title: string, most: number = LIMITS.slug): string {
  const text = readable(title);
  const own = shortened(inOwnLetters(text), most);
  // Test the shortened text: letters that were cut off must not decide, so that the slug of a slug is the same slug.
  const short = OTHER_SCRIPTS.test(own) ? own : shortened(slugify(plainLetters(text), { decamelize: false }), most);
  return isSlug(short) ? short : UNTITLED;
}

/**
 * Returns a text with the letters that compatibility characters stand for, such as "fi" for a ligature, 12 for full-width digits and
 * 1-2 for a half, and without characters that nobody sees. The sign of a trademark is no "tm" that somebody reads.
 */
const readable = (text: string): string =>
  withoutInvisible(text.replaceAll(/[\u2120\u2122]/g, "").normalize("NFKC")).normalize("NFC");

const UNTITLED = "untitled";

const OTHER_SCRIPTS = /(?!\p{Script=Latin})\p{L}/u;

/**
 * Returns a text in lower case, with a hyphen for each run of other characters than letters, marks and numbers. Texts
 * in other scripts than Latin use this instead of the library, which drops their vowel signs.
 */
const inOwnLetters = (text: string): string =>
  text
    .toLowerCase()
    // Lower case may be outside NFC, but slugs are looked up in NFC.
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-/, "");

/**
 * Cuts a slug to `most` characters minus 13, the room for the longest suffix. Removes hyphens and half a surrogate
 * pair from the end, because no slug may end with them.
 */
const shortened = (slug: string, most: number): string => slug.slice(0, most - 13).replace(/[-\ud800-\udbff]+$/, "");

/** Signs that tell names apart: C, C++ and C# are three tags. */
const PLUS = /(?<=[\p{L}\p{N}][+#]*)\+/gu;
const SHARP = /(?<=[\p{L}\p{N}][+#]*)#/gu;

/** Returns the slug of a tag or author with this name: the name in lower case, if that is a slug. Null if it has no letters or digits. */
export function termSlugOf(name: string): string | null {
  const read = readable(name);
  const lower = read.toLowerCase().normalize("NFC");
  if (isSlug(lower) && lower.length <= LIMITS.termSlug) return lower;
  const spelled = read.replaceAll(PLUS, " plus ").replaceAll(SHARP, " sharp ");
  const slug = slugOf(spelled, LIMITS.termSlug);
  return slug === UNTITLED ? null : slug;
}

/** Returns a vanityId for a blog's name. If it is taken, the caller has to add a suffix. */
export function vanityIdOf(name: string): string {
  const label = slugOf(name, 60)
    .replaceAll(/[^a-z0-9-]/g, "")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (isVanityId(label)) return label;
  return isVanityId(`${label}-blog`) ? `${label}-blog` : "blog-site";
}
