/** What is wrong with the fields of the editor, in the words of its page. Also for the script that saves by itself. */
import type { FieldError } from "../../errors.ts";
import { commaSeparated } from "../../lib/text.ts";

/** The field of each member of `seo`. */
const SEO: Readonly<Record<string, string>> = {
  title: "seoTitle",
  description: "seoDescription",
  canonicalUrl: "canonicalUrl",
  noindex: "noindex",
  image: "seoImage",
};

/**
 * Returns errors of the operation as errors of the form: `path` is the name of a field, such as `seoImage` for `seo.image`
 * and `tags` for `tags.6`, of which the message then says which one it is. `valueOf` returns what a field has.
 */
export const errorsOfFields = (errors: readonly FieldError[], valueOf: (name: string) => string): FieldError[] =>
  errors.map(({ path, message }) => {
    const [member = "", part = ""] = path.split(".");
    if (member === "seo") return { path: SEO[part] ?? "seoTitle", message: inForms(message) };
    const item = /^\d+$/.test(part) ? commaSeparated(valueOf(member))[Number(part)] : undefined;
    return { path: member, message: item === undefined ? inForms(message) : `“${item}” ${message}` };
  });

/** In a form, a field may be empty, too, but nobody types `""` there. */
const inForms = (message: string): string => message.replace(/, or ""$/, "");
