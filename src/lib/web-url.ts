/** Addresses on the web. */
import { isStorable } from "./text.ts";

/** Whether this is an absolute http or https URL. */
export function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Whether it is one as it stands: the parser takes white space and controls out, which would be stored with it. */
export const isStorableWebUrl = (url: string): boolean => isStorable(url) && !/[\s\p{Cc}]/u.test(url) && isWebUrl(url);
