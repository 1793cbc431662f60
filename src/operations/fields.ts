/** Schemas of fields that several resources share. */
import * as z from "zod";
import { normalizeEmail } from "../domain/email.ts";
import { isSlug } from "../domain/slug.ts";
import { LIMITS } from "../domain/limits.ts";
import { canonicalizeLocale, mayHaveArticles, WORDS_OF_SITES } from "../domain/locale.ts";
import { isSingleLine, isStorable, utf8Length } from "../lib/text.ts";
import { toIso } from "../lib/time.ts";
import { isStorableWebUrl } from "../lib/web-url.ts";

const NOT_STORABLE = "must be well-formed Unicode without NUL characters";

export const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine(isStorable, NOT_STORABLE)
    .refine(isSingleLine, "must not contain control characters or line breaks");

export const text = (most: number) => z.string().max(most).refine(isStorable, NOT_STORABLE);

export const content = z
  .string()
  .refine(isStorable, NOT_STORABLE)
  .refine(
    // A UTF-16 code unit takes at most three bytes in UTF-8, so most texts need no counting.
    (value) => value.length * 3 <= LIMITS.contentBytes || utf8Length(value) <= LIMITS.contentBytes,
    "must be at most 1 MiB of UTF-8",
  )
  .meta({ description: "Markup body, at most 1 MiB of UTF-8.", example: "# Hello\n\nFrom the edge." });

/** An identifier in a request. Accepts any text, for which the store finds nothing. */
export const identifier = (of: string) =>
  line(100)
    .min(1, "must not be empty")
    .meta({ description: `The identifier of ${of}.`, example: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" });

const BLOG_ID = "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a";

export const blogId = identifier("a blog").meta({ example: BLOG_ID });

export const slug = z
  .string()
  .min(1, "must not be empty")
  // Check the length before normalizing: composing a long run of marks takes quadratic time.
  .max(LIMITS.slug, { abort: true })
  .normalize("NFC")
  .max(LIMITS.slug)
  .refine(isSlug, "must be lowercase letters and digits, separated by single hyphens, and must not look like a UUID")
  .meta({
    description: "Identifies the article in its blog; translations share it.",
    example: "slow-mornings-in-porto",
  });

export const A_LOCALE = `a BCP 47 language tag of at most ${LIMITS.locale} characters`;

/** A BCP 47 tag. Returns its canonical form. */
export const locale = z
  .string()
  .min(1, "must not be empty")
  .max(100)
  .transform((tag, context) => {
    const canonical = canonicalizeLocale(tag);
    // The limit applies to the stored canonical form, which may be longer than the input.
    if (canonical !== null && canonical.length <= LIMITS.locale) return canonical;
    context.issues.push({ code: "custom", message: `must be ${A_LOCALE}`, input: tag });
    return z.NEVER;
  })
  .meta({ description: "A BCP 47 language tag.", example: "en" });

/** A locale for new articles. `locale` also finds articles in reserved ones. */
export const articleLocale = locale.refine(
  mayHaveArticles,
  `must be a language: ${WORDS_OF_SITES.join(", ")} are reserved for paths of a blog's site`,
);

/** Zod's pattern, and top-level domains such as рф, which are stored as `xn--p1ai`. */
const ADDRESS = new RegExp(
  z.regexes.email.source.replace("[A-Za-z]{2,}$", String.raw`(?:[A-Za-z]{2,}|xn--[a-z\d-]+)$`),
);

/** Returns the stored form. */
export const email = z
  .string()
  .overwrite(normalizeEmail)
  .check(z.email({ pattern: ADDRESS }))
  .max(LIMITS.email)
  .meta({ example: "ada@example.com" });

/** "" for no image. */
export const coverUrl = z
  .string()
  .max(LIMITS.url)
  .refine((value) => value === "" || isStorableWebUrl(value), 'must be an absolute http or https URL, or ""')
  .meta({ description: "An absolute http or https URL, or empty.", example: "https://images.example.com/porto.jpg" });

export const dateTime = z.iso
  .datetime({ precision: 3 })
  .meta({ description: "RFC 3339, UTC, milliseconds.", example: "2026-11-20T09:52:59.123Z" });

/** A time with any offset. Returns UTC with milliseconds. */
export const instant = z.iso
  .datetime({ offset: true, error: "must be a time such as 2026-11-20T09:52:59Z, in UTC or with an offset" })
  .transform((text, context) => {
    const utc = toIso(new Date(text));
    if (utc !== null) return utc;
    context.issues.push({
      code: "custom",
      message: "must be an existing time in the years 0 to 9999 (UTC)",
      input: text,
    });
    return z.NEVER;
  })
  .meta({ description: "RFC 3339, with any offset.", example: "2026-11-20T10:52:59+01:00" });

/** For read-only fields in an update. Callers may send back the value that they have read. */
export const readOnly = { description: "Read-only: accepted if it equals the stored value.", readOnly: true };

/** Returns the members of a resource as optional and read-only, for its update. */
export const readOnlyMembers = <Shape extends z.ZodRawShape>(
  shape: Shape,
  meta = readOnly,
): { [Name in keyof Shape]: z.ZodOptional<Shape[Name]> } =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, (schema as z.ZodType).optional().meta(meta)]),
  ) as never;

/**
 * Schemas of response fields. A nullable field that uses one with an `id` needs its own `meta` with a description:
 * otherwise the generator writes a schema that does not allow null.
 */
export const output = {
  id: z.string().meta({ id: "Id", description: "Identifier.", example: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" }),
  blogId: z.string().meta({ description: "The identifier of its blog.", example: BLOG_ID }),
  dateTime: z.string().meta({
    id: "Timestamp",
    format: "date-time",
    example: "2026-11-20T09:52:59.123Z",
  }),
};

export const deleted = z.object({ _id: output.id }).meta({ id: "Deleted" });

function cursorWithin(most: number) {
  return line(most)
    .min(1, "must not be empty")
    .optional()
    .meta({ description: "The opaque cursor from a `Link` header." });
}

/**
 * Returns the schema of a cursor that has a slug and at most `beside` other characters. A UTF-16 unit has at most three
 * bytes in UTF-8, and these are four characters in base64.
 */
export const slugCursor = (beside: number) => cursorWithin(LIMITS.slug * 4 + beside);

export const paging = {
  limit: z
    .int()
    .min(0)
    .default(0)
    .meta({ description: `Items per page; 0, and more than ${LIMITS.page}, mean ${LIMITS.page}.`, example: 20 }),
  skip: z
    .int()
    .min(0)
    .max(LIMITS.skip, `must be at most ${LIMITS.skip}; follow the Link header (cursor) to go deeper`)
    .default(0)
    .meta({ description: "Items to skip. For deep lists, follow the `Link` header instead.", example: 0 }),
  cursor: cursorWithin(200),
};

/** Returns the page size for the `limit` of a request. */
export const toPageSize = (limit: number, most: number = LIMITS.page): number =>
  limit === 0 ? most : Math.min(limit, most);

/** The end of a sentence in descriptions of secrets. */
export const SHOWN_ONCE =
  "is shown in this response and never again, except to the same caller under the same Idempotency-Key within 24 hours.";
