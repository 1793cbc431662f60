/** What the model is asked for: objects, arrays, strings and numbers, which every provider's JSON mode can make. */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { plainLine } from "../lib/plain-line.ts";

/** A line that says something when its markup is gone. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => plainLine(text) !== "", { message: "This must be a line of plain text." });

/** The characters of a piece of Markdown: what a model that cannot stop may cost. */
const markdown = z.string().min(1).max(20_000);

const primaryKeyword = line(LIMITS.keyword);
const keywords = z.array(z.string().max(LIMITS.keyword)).max(LIMITS.keywords);

/** Lets the model divide the subject a little otherwise than the length suggests. */
export const outlineAnswer = (sections: number) =>
  z.object({
    title: line(120),
    primaryKeyword,
    sections: z
      .array(z.object({ heading: line(120), points: z.array(z.string().max(300)).max(8), words: z.number() }))
      .min(Math.max(2, sections - 1))
      .max(sections + 1),
  });

export type OutlineAnswer = z.infer<ReturnType<typeof outlineAnswer>>;

export const sectionAnswer = z.object({ content: markdown });

/** The first section, and what stands before its heading. */
export const openingAnswer = z.object({ lead: z.string().min(1).max(2000), content: markdown });

export const descriptionAnswer = z.object({
  description: line(LIMITS.metaDescription),
  slug: z.string().max(100),
  keywords,
});

/** As many as were asked for, in their order. */
export const imagesAnswer = (images: number) =>
  z.object({
    images: z
      .array(z.object({ prompt: z.string().min(1).max(1000), alt: line(200) }))
      .min(images)
      .max(images),
  });

/** What all parts of a translation have in common. */
export const glossaryAnswer = z.object({
  // As long as its source's may be.
  title: line(LIMITS.title),
  primaryKeyword,
  terms: z.array(z.object({ source: z.string().max(100), translation: z.string().max(100) })).max(20),
});

export type Glossary = z.infer<typeof glossaryAnswer>;

export const translatedDescriptionAnswer = descriptionAnswer.omit({ slug: true });
