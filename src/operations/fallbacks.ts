/** Fallback locales (contract 20.7). */
import * as z from "zod";
import { invalidField } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import type { MovedTo } from "../store/articles/moved.ts";
import type { PublishedStore } from "../store/articles/published.ts";
import { locale } from "./fields.ts";

export const fallback = z
  .array(locale)
  .min(1, "must not be empty")
  .max(LIMITS.fallbacks, `must name at most ${LIMITS.fallbacks} locales`)
  .optional()
  .meta({
    description:
      "Other locales, best first, for slugs that have no article in `locale`: of each, the article in the first of these locales.",
    example: ["pt", "en"],
  });

/** Returns the locales to try, or undefined without a fallback. Throws if there is a fallback but no `locale`. */
export function toLocaleOrder(input: {
  readonly locale?: string | undefined;
  readonly fallback?: readonly string[] | undefined;
}) {
  const { locale: asked, fallback: others } = input;
  if (others === undefined) return undefined;
  if (asked === undefined) throw invalidField("fallback", "requires `locale`");
  return [...new Set([asked, ...others])];
}

/** Returns the article that had this slug before, in the first of these locales that has one; or null. */
export async function findMoved(
  read: Pick<PublishedStore, "findMoved">,
  name: Omit<Parameters<PublishedStore["findMoved"]>[0], "locale" | "fallback">,
  locales: readonly (string | undefined)[],
): Promise<MovedTo | null> {
  for (const one of locales) {
    const found = await read.findMoved({ ...name, locale: one });
    if (found !== null) return found;
  }
  return null;
}
