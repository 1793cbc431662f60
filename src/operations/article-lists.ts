/** What lists of articles are narrowed and ordered by (contract 4.14). */
import * as z from "zod";
import { invalidField } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { identifier } from "./fields.ts";

export const ids = z
  .array(identifier("an article"))
  .min(1, "must not be empty")
  .max(LIMITS.page)
  .optional()
  .meta({ description: "Only these articles, separated by commas; those that are not in the list are left out." });

export const sort = z
  .enum(["creationTime", "publishTime", "lastEditTime"])
  .optional()
  .meta({ description: "By which time the list is ordered: `creationTime` by default.", example: "publishTime" });

/** Returns the order of a list as its cursors name it. */
export const toSort = (asked: z.infer<typeof sort>) => (asked === "creationTime" ? undefined : asked);

const FILTERS = ["ids", "author", "tag", "slug"] as const;

type Narrowed = { readonly [Name in (typeof FILTERS)[number] | "fallback"]?: unknown } & {
  readonly sort?: string | undefined;
};

/** Throws an error on a list with several filters, or with one that no index has in the order of the last edit. */
export function requireOneFilter(input: Narrowed): void {
  const [filter, ...others] = FILTERS.filter((name) => input[name] !== undefined);
  if (others.length > 0) throw invalidField(filter ?? "", "a list has one of slug, tag, author and ids");
  if (input.sort !== "lastEditTime") return;
  if (input.fallback !== undefined || (filter !== undefined && filter !== "ids")) {
    throw invalidField("sort", "`lastEditTime` is not possible with slug, tag, author and fallback");
  }
}
