/** Reads an article's fields from the editor's form. */
import { inOneLine } from "../../../lib/text.ts";
import type { Submission } from "../submission.ts";
import { FIELDS } from "./field-labels.ts";

type Field = keyof typeof FIELDS;

const NAMES = Object.keys(FIELDS) as Field[];
/** Texts of several lines are saved exactly as entered. The others are trimmed, and become one line. */
const AS_ENTERED = new Set<Field>(["content", "description"]);

/** Returns the fields that the form contains. A field that it lacks stays unchanged. */
export const membersOf = (form: Submission): { readonly [Name in Field]?: string } =>
  Object.fromEntries(
    NAMES.filter((name) => form.has(name)).map((name) => {
      const value = form.text(name);
      return [name, AS_ENTERED.has(name) ? value : inOneLine(value.trim())];
    }),
  );
