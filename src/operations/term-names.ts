/** Defines the names of tags and authors in requests. */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { A_LOCALE, line, locale } from "./fields.ts";

/** A name on one line, without white space around it. */
export const nameLine = line(LIMITS.termName).normalize("NFC").trim();

/** Names by locale, whose tags are converted to their canonical form: two that have the same one are refused. */
export const names = z
  .record(z.string(), nameLine.min(1, "must not be empty"))
  .refine((given) => Object.keys(given).length <= LIMITS.locales, `must have at most ${LIMITS.locales} names`)
  .transform((given, context) => {
    const byLocale: Record<string, string> = {};
    for (const [tag, text] of Object.entries(given)) {
      const { data: canonical = null } = locale.safeParse(tag);
      const isKnown = canonical !== null && canonical in byLocale;
      if (canonical !== null && !isKnown) byLocale[canonical] = text;
      const message = isKnown ? "is the same language as another entry" : `must have as its key ${A_LOCALE}`;
      if (canonical === null || isKnown) context.issues.push({ code: "custom", path: [tag], message, input: text });
    }
    return byLocale;
  });
