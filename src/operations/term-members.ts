import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { A_LOCALE, blogId, dateTime, identifier, line, locale, output, readOnly } from "./fields.ts";

export const nameLine = line(LIMITS.termName).normalize("NFC").trim();

/** Names by locale. Keys become canonical; two that become the same are refused. */
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

const counted = {
  articles: z
    .int()
    .meta({ description: "How many articles have it; for anonymous callers, how many published ones.", example: 12 }),
  publishedArticles: z.int().meta({ description: "How many of them are published.", example: 9 }),
  creationTime: output.dateTime,
  lastEditTime: output.dateTime,
};

export const tagValue = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    slug: z.string().meta({ example: "slow-travel" }),
    name: z.string().meta({ example: "Slow travel" }),
    names: z.record(z.string(), z.string()).meta({
      description: "Its names in other languages.",
      example: { de: "Langsam reisen" },
    }),
    ...counted,
  })
  .meta({ id: "Tag" });

export const authorValue = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    slug: z.string().meta({ example: "ada-lovelace" }),
    name: z.string().meta({ example: "Ada Lovelace" }),
    bio: z.string(),
    pictureUrl: z.string(),
    ...counted,
  })
  .meta({ id: "Author" });

/** Read-only members, as an update accepts them. */
export const sentBack = {
  _id: identifier("it").optional().meta(readOnly),
  blogId: blogId.optional().meta(readOnly),
  articles: z.int().optional().meta(readOnly),
  publishedArticles: z.int().optional().meta(readOnly),
  creationTime: dateTime.optional().meta(readOnly),
  lastEditTime: dateTime.optional().meta(readOnly),
};
