/** The values of the generation form: its initial ones, and the operation's input from a submitted form. */
import { DomainError, invalidField } from "../../../domain/errors.ts";
import { canonicalizeLocale } from "../../../domain/locale.ts";
import { parseOutline } from "../../../domain/outline-text.ts";
import { splitAtCommas } from "../../../lib/text.ts";
import type { FormValues, Submission } from "../submission.ts";
import type { Subject } from "./subject.ts";

export const IMAGES = ["coverImage", "inlineImages"] as const;

export function makeInitialValues(subject: Subject): FormValues {
  const common = { words: "1200", published: "false", images: IMAGES };
  switch (subject.kind) {
    case "topic":
    case "idea":
      // Without the idea's keywords: they are untrusted, and the model would get them as the writer's own.
      return { ...common, locale: subject.blog.locales[0] };
    case "translation":
      return { ...common, locale: subject.missing[0] };
    case "rewrite":
      return common;
  }
}

/** Returns the outline in the form; undefined for none. Throws `invalid_request`. */
function readOutline(form: Submission): ReturnType<typeof parseOutline> | undefined {
  const text = form.text("outline").trim();
  if (text === "") return undefined;
  const outline = parseOutline(text);
  if (typeof outline === "string")
    throw new DomainError("invalid_request", outline, { errors: [{ path: "outline", message: outline }] });
  return outline;
}

/** Returns what plans the article of a form. */
export function toOutlineInput(form: Submission): Readonly<Record<string, unknown>> {
  const { outline: _, published: __, coverImage: ___, inlineImages: ____, ...wishes } = toGenerationInput(form);
  return wishes;
}

/** Returns the operation's input. Throws `invalid_request` for a translation into the article's own language. */
export function toGenerationInput(form: Submission): Readonly<Record<string, unknown>> {
  const locale = form.text("otherLocale").trim() || form.text("locale");
  // The operation would take it for a rewrite.
  if (form.has("from") && (locale === "" || canonicalizeLocale(locale) === form.text("from")))
    throw invalidField("locale", "must differ from the article's language");
  const images = new Set(form.all("images"));
  const outline = readOutline(form);
  return {
    ...getSubjectInput(form),
    instructions: form.text("instructions"),
    keywords: splitAtCommas(form.text("keywords")),
    ...(form.has("sources") && { sources: splitAtLines(form.text("sources")) }),
    ...(locale !== "" && { locale }),
    tone: form.text("tone").trim(),
    ...(form.has("words") && { words: Number(form.text("words")) }),
    ...(outline !== undefined && { outline }),
    published: form.text("published") === "true",
    // Send only `false` for deselected images: a `true` would add a complaint if no image model is configured. A
    // translation keeps the images of its article.
    ...(!form.has("from") &&
      Object.fromEntries(IMAGES.filter((image) => !images.has(image)).map((image) => [image, false]))),
  };
}

const splitAtLines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

function getSubjectInput(form: Submission): Readonly<Record<string, string>> {
  const named = ["blogId", "topicId", "articleId"].map((name): [string, string] => [name, form.text(name)]);
  const ids = Object.fromEntries(named.filter(([, id]) => id !== ""));
  return "topicId" in ids || "articleId" in ids ? ids : { ...ids, topic: form.text("topic") };
}
