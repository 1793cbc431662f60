import { isUuid } from "../lib/ids.ts";

/** Lower-case letters and digits of any script, single hyphens between them. */
const SLUG_SHAPE = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;

/** Whether a text may be a slug. UUIDs may not: an identifier always wins over a slug. */
export function isSlug(text: string): boolean {
  return SLUG_SHAPE.test(text) && text === text.toLowerCase().normalize("NFC") && !isUuid(text);
}
