/** What is wrong with the fields of the editor, in the words of its page. Also for the script that saves by itself. */
import type { FieldError } from "../../../domain/errors.ts";
import { commaSeparated } from "../../../lib/text.ts";
import { SEO } from "./field-labels.ts";

/** Returns the field of a member of `seo`. What is wrong with `seo` as a whole is said at its first field. */
const seoFieldOf = (member: string): string =>
  Object.entries(SEO).find(([, field]) => field.member === member)?.[0] ?? "seoTitle";

/**
 * Returns errors of the operation as errors of the form: `path` is the name of a field, such as `seoImage` for `seo.image`
 * and `tags` for `tags.6`, of which the message then says which one it is. `valueOf` returns what a field has.
 */
export const errorsOfFields = (errors: readonly FieldError[], valueOf: (name: string) => string): FieldError[] =>
  errors.map(({ path, message }) => {
    const [member = "", part = ""] = path.split(".");
    if (member === "seo") return { path: seoFieldOf(part), message: inForms(message) };
    const item = /^\d+$/.test(part) ? commaSeparated(valueOf(member))[Number(part)] : undefined;
    return { path: member, message: item === undefined ? inForms(message) : `“${item}” ${message}` };
  });

/**
 * Returns a message in the words of a form: without `, or ""`, which nobody types to leave a field empty, and with
 * the form's name of a field.
 */
export const inForms = (message: string): string =>
  message.replace(/, or ""$/, "").replace("publishTime", "the publication time");
