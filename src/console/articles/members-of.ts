/** Reads an article's fields from the editor's form. */
import { invalidField } from "../../errors.ts";
import type { Submission } from "../submission.ts";

/** The labels of the editor's fields, in the order in which a conflict shows them. */
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
/** Multi-line fields are saved exactly as entered. The others are trimmed. */
const AS_ENTERED = new Set<Field>(["content", "description"]);

type Members = { readonly [Name in Field]?: string } & { readonly published?: boolean };

/**
 * Returns the fields that the form contains. A field that it lacks stays unchanged. Throws `invalid_request` for an
 * article that would be published without a title.
 */
export function membersOf(form: Submission): Members {
  const entered = NAMES.filter((name) => form.has(name)).map((name): [Field, string] => {
    const value = form.text(name);
    return [name, AS_ENTERED.has(name) ? value : value.trim()];
  });
  const members: Members = Object.fromEntries(entered);
  if (!form.has("published")) return members;
  const published = form.text("published") === "true";
  // Most likely a mistake: readers would see a link without text.
  if (published && members.title === "") throw invalidField("title", "is needed to publish");
  return { ...members, published };
}
