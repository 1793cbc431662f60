/** The errors of the editor's fields, in the words of its page. The autosave script uses them, too. */
import type { FieldError } from "../../../domain/errors.ts";
import { splitAtCommas } from "../../../lib/text.ts";
import { SEO } from "./field-labels.ts";

/** Returns the field of a member of `seo`. An error of `seo` as a whole is shown at its first field. */
const findSeoField = (member: string): string =>
  Object.entries(SEO).find(([, field]) => field.member === member)?.[0] ?? "seoTitle";

/**
 * Returns errors of the operation as errors of the form: `seo.image` becomes `seoImage`, and `tags.6` becomes `tags`
 * with the tag in its message. `valueOf` returns the value of a field.
 */
export const toFormErrors = (errors: readonly FieldError[], valueOf: (name: string) => string): FieldError[] =>
  errors.map(({ path, message }) => {
    const [member = "", part = ""] = path.split(".");
    if (member === "seo") return { path: findSeoField(part), message: rewordForForms(message) };
    const item = /^\d+$/.test(part) ? splitAtCommas(valueOf(member))[Number(part)] : undefined;
    return { path: member, message: item === undefined ? rewordForForms(message) : `“${item}” ${message}` };
  });

/**
 * Returns a message in the words of a form: without `, or ""`, because nobody types that to leave a field empty, and
 * with the form's name of a field.
 */
export const rewordForForms = (message: string): string =>
  message.replace(/, or ""$/, "").replace("publishTime", "the publication time");
