import { isStorable } from "./text.ts";

export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/**
 * Returns whether a text can be stored as a web URL. White space and control characters are refused, because the URL
 * parser ignores them and they would be stored.
 */
export const isStorableWebUrl = (url: string): boolean => isStorable(url) && !/[\s\p{Cc}]/u.test(url) && isWebUrl(url);
