import { isLong, TEXTS, type TextName } from "../../../domain/article-fields.ts";
import { inOneLine } from "../../../lib/text.ts";
import type { Submission } from "../submission.ts";

/** Returns the texts in the editor's form: those of several lines as entered, the others trimmed. */
export const membersOf = (form: Submission): { readonly [Name in TextName]?: string } =>
  Object.fromEntries(
    TEXTS.filter((name) => form.has(name)).map((name) => {
      const value = form.text(name);
      return [name, isLong(name) ? value : inOneLine(value.trim())];
    }),
  );
