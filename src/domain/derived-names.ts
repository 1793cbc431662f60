/**
 * Derives slugs and vanityIds from titles and names. Import this module dynamically: the tables of the library take a
 * tenth of the Worker's startup time.
 */
import slugify from "@sindresorhus/slugify";
import { LIMITS } from "./limits.ts";
import { isSlug } from "./slug.ts";
import { removeInvisible } from "../lib/invisible.ts";
import { toPlainLetters } from "../lib/plain-letters.ts";
import { isVanityId } from "./vanity.ts";

/**
 * Returns a slug for a title, or "untitled" if none can be derived. It is at least 13 characters shorter than `most`,
 * so that the caller can append a suffix such as `-12`. Latin titles become ASCII; others keep their script.
 */
export function makeSlug(title: string, most: number = LIMITS.slug): string {
  const text = normalizeText(title);
  const own = cutSlug(hyphenate(text), most);
  // Test the shortened text, so that the slug of a slug is the same slug.
  const short = OTHER_SCRIPTS.test(own) ? own : cutSlug(slugify(toPlainLetters(text), { decamelize: false }), most);
  return isSlug(short) ? short : UNTITLED;
}

/**
 * Replaces compatibility characters: "fi" for the ligature, 12 for full-width digits, 1-2 for ½. Removes invisible
 * characters and the trademark sign, which would become "tm".
 */
const normalizeText = (text: string): string =>
  removeInvisible(text.replaceAll(/[\u2120\u2122]/g, "").normalize("NFKC")).normalize("NFC");

const UNTITLED = "untitled";

const OTHER_SCRIPTS = /(?!\p{Script=Latin})\p{L}/u;

/**
 * Returns a text in lower case, with a hyphen for each run of other characters than letters, marks and numbers. Used
 * for other scripts than Latin, because the library drops their vowel signs.
 */
const hyphenate = (text: string): string =>
  text
    .toLowerCase()
    // Lower case may not be in NFC, but slugs are.
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-/, "");

/**
 * Cuts a slug to `most` characters minus 13, the length of the longest suffix. No slug may end with a hyphen or half a
 * surrogate pair.
 */
const cutSlug = (slug: string, most: number): string => slug.slice(0, most - 13).replace(/[-\ud800-\udbff]+$/, "");

/** C, C++ and C# are three tags. */
const PLUS = /(?<=[\p{L}\p{N}][+#]*)\+/gu;
const SHARP = /(?<=[\p{L}\p{N}][+#]*)#/gu;

/** Returns the name in lower case if that is a slug. Null if the name has no letters or digits. */
export function makeTermSlug(name: string): string | null {
  const read = normalizeText(name);
  const lower = read.toLowerCase().normalize("NFC");
  if (isSlug(lower) && lower.length <= LIMITS.termSlug) return lower;
  const spelled = read.replaceAll(PLUS, " plus ").replaceAll(SHARP, " sharp ");
  const slug = makeSlug(spelled, LIMITS.termSlug);
  return slug === UNTITLED ? null : slug;
}

/** Returns a vanityId for a blog's name. If it is taken, the caller has to add a suffix. */
export function makeVanityId(name: string): string {
  const label = makeSlug(name, 60)
    .replaceAll(/[^a-z0-9-]/g, "")
    .replaceAll(/-{2,}/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (isVanityId(label)) return label;
  return isVanityId(`${label}-blog`) ? `${label}-blog` : "blog-site";
}
