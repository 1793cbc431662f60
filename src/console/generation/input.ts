/** What the form of a generation says. */
import { invalidField } from "../../errors.ts";
import { canonicalLocale } from "../../domain/locale.ts";
import type { FormValues, Submission } from "../submission.ts";
import type { Subject } from "./subject.ts";

/** The images that may be asked for, by their members. */
export const IMAGES = ["coverImage", "inlineImages"] as const;

/** What the form holds at first. */
export function initialOf(subject: Subject): FormValues {
  const common = { words: "1200", published: "false", images: IMAGES };
  switch (subject.kind) {
    case "topic":
    case "idea":
      // Not with the idea's keywords: the source wrote them, and these would go to the model as the writer's own.
      return { ...common, locale: subject.blog.locales[0] };
    case "translation":
      return { ...common, locale: subject.missing[0] };
    case "rewrite":
      return common;
  }
}

/** The input of the operation, which judges it; refuses a translation to the language of its article. */
export function inputOf(form: Submission): Readonly<Record<string, unknown>> {
  const locale = form.text("otherLocale").trim() || form.text("locale");
  // To the operation, which has one `locale` for both, this would mean to rewrite the article.
  if (form.has("from") && (locale === "" || canonicalLocale(locale) === form.text("from")))
    throw invalidField("locale", "choose another language than the article's own");
  const images = new Set(form.all("images"));
  return {
    ...subjectIn(form),
    instructions: form.text("instructions"),
    keywords: form
      .text("keywords")
      .split(",")
      .map((keyword) => keyword.trim())
      .filter((keyword) => keyword !== ""),
    ...(locale !== "" && { locale }),
    tone: form.text("tone").trim(),
    ...(form.has("words") && { words: Number(form.text("words")) }),
    published: form.text("published") === "true",
    // What is chosen is made where a model for images is configured; asking for more would only be a complaint.
    // The form of a translation has no choice: it keeps its article's.
    ...(!form.has("from") &&
      Object.fromEntries(IMAGES.filter((image) => !images.has(image)).map((image) => [image, false]))),
  };
}

function subjectIn(form: Submission): Readonly<Record<string, string>> {
  const named = ["blogId", "topicId", "articleId"].map((name): [string, string] => [name, form.text(name)]);
  const ids = Object.fromEntries(named.filter(([, id]) => id !== ""));
  return "topicId" in ids || "articleId" in ids ? ids : { ...ids, topic: form.text("topic") };
}
