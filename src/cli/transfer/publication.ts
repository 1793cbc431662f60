/** When an imported article becomes public: at once, at a time that is still to come, or not at all. */
import { LIMITS } from "../../domain/limits.ts";
import { parseDate } from "../../lib/dates.ts";
import type { Article } from "./article.ts";
import { extrasOf, type SaidExtras } from "./extras.ts";
import type { Remarks } from "./remarks.ts";

/**
 * Returns the members of an article that depend on its time of publication, and its other extras. A source that
 * publishes an article in the future gets a draft that is scheduled. Adds a remark for each time that is not used.
 */
export function publicationOf(
  published: boolean,
  said: SaidExtras,
  remarks: Remarks,
): Pick<Article, "published" | "scheduledTime" | "extras"> {
  const { time: text = "" } = said;
  const time = parseDate(text);
  if (text !== "" && time === undefined) remarks.add("dates left out that are no dates");
  if (time === undefined || !isAhead(text)) return { published, extras: extrasOf(said, remarks) };
  const extras = extrasOf({ ...said, time: undefined }, remarks);
  if (!published) {
    remarks.add("drafts whose date is in the future, not scheduled");
    return { published, extras };
  }
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + LIMITS.scheduleYears);
  if (time > latest.getTime()) {
    remarks.add(`articles whose date is more than ${LIMITS.scheduleYears} years ahead, imported as drafts`);
    return { published: false, extras };
  }
  remarks.add("articles whose date is in the future, imported as drafts and scheduled for it");
  return { published: false, scheduledTime: new Date(time).toISOString(), extras };
}

/** Returns whether a date is in the future. A text that is no date is not. */
export const isAhead = (text: string): boolean => (parseDate(text) ?? 0) > Date.now();
