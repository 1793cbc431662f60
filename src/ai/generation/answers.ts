/** The schemas of a model's answers. They use only what every JSON mode supports. */
import * as z from "zod";
import { LIMITS } from "../../domain/limits.ts";
import { plainLine } from "../../lib/plain-line.ts";

/** A string of at most `most` characters that is not empty after its markup is removed. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => plainLine(text) !== "", { message: "This must be a line of plain text." });

/** Markdown. The limit in characters also limits the cost of a model that does not stop. */
const markdown = z.string().min(1).max(20_000);

const primaryKeyword = line(LIMITS.keyword);
const keywords = z.array(z.string().max(LIMITS.keyword)).max(LIMITS.keywords);

/** The model may choose one section more or less. */
export const makeOutlineSchema = (sections: number) =>
  z.object({
    title: line(120),
    primaryKeyword,
    sections: z
      .array(z.object({ heading: line(120), points: z.array(z.string().max(300)).max(8), words: z.number() }))
      .min(Math.max(2, sections - 1))
      .max(sections + 1),
  });

export const sectionSchema = z.object({ content: markdown });

export const titlesSchema = z.object({ titles: z.array(line(120)).min(3).max(5) });
export const descriptionsSchema = z.object({ descriptions: z.array(line(LIMITS.metaDescription)).min(2).max(3) });
export const tagsSchema = z.object({ tags: z.array(z.string().max(LIMITS.termName)).min(1).max(8) });

export const makeAltTextsSchema = (pictures: number) =>
  z.object({ texts: z.array(line(200)).min(pictures).max(pictures) });

/** The first section, and the lead before its heading. */
export const openingSchema = z.object({ lead: z.string().min(1).max(2000), content: markdown });

export const descriptionSchema = z.object({
  description: line(LIMITS.metaDescription),
  slug: z.string().max(100),
  keywords,
});

/** The prompts and alt texts of images, in the order of the request. */
export const makeImagesSchema = (images: number) =>
  z.object({
    images: z
      .array(z.object({ prompt: z.string().min(1).max(1000), alt: line(200) }))
      .min(images)
      .max(images),
  });

export const glossarySchema = z.object({
  // As long as the title of a source article can be.
  title: line(LIMITS.title),
  primaryKeyword,
  terms: z.array(z.object({ source: z.string().max(100), translation: z.string().max(100) })).max(20),
});

export type Glossary = z.infer<typeof glossarySchema>;

export const translatedDescriptionSchema = descriptionSchema.omit({ slug: true });
