/** Checks http and https URLs. */
import { isStorable } from "./text.ts";

/** Returns whether a text is an absolute http or https URL. */
export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/**
 * Returns whether a text can be stored as a web URL: it has no white space and no control characters. The URL parser
 * ignores them, so they would otherwise be stored as part of a valid URL.
 */
export const isStorableWebUrl = (url: string): boolean => isStorable(url) && !/[\s\p{Cc}]/u.test(url) && isWebUrl(url);
