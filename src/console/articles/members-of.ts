/** What the editor's form says of an article. */
import { invalidField } from "../../errors.ts";
import type { Submission } from "../submission.ts";

/** The fields of the editor, in the order in which it compares them. */
export const FIELDS = {
  title: "Title",
  content: "Content",
  description: "Description",
  slug: "Slug",
  locale: "Locale",
  coverUrl: "Cover URL",
} as const;

type Field = keyof typeof FIELDS;

const NAMES = Object.keys(FIELDS) as Field[];
const AS_ENTERED = new Set<Field>(["content", "description"]);

type Members = { readonly [Name in Field]?: string } & { readonly published?: boolean };

/** The members that the form holds: what it does not hold stays as it is. */
export function membersOf(form: Submission): Members {
  const entered = NAMES.filter((name) => form.has(name)).map((name): [Field, string] => {
    const value = form.text(name);
    return [name, AS_ENTERED.has(name) ? value : value.trim()];
  });
  const members: Members = Object.fromEntries(entered);
  if (!form.has("published")) return members;
  const published = form.text("published") === "true";
  // By mistake, most likely: to readers it would be a link without a text.
  if (published && members.title === "") throw invalidField("title", "is needed to publish");
  return { ...members, published };
}
