import * as z from "zod";
import { plainLine } from "../../lib/plain-line.ts";
import { LIMITS } from "../../domain/limits.ts";
import { articleLocale, blogId, identifier, line, slug, text } from "../fields.ts";

/** As long as those of models (ai/generation/answers.ts), and a little longer where people write them. */
const outlineLine = (most: number) =>
  line(most).trim().min(1, "must not be empty").refine(hasPlainText, "must have words besides links and HTML");

const hasPlainText = (text: string): boolean => text === "" || plainLine(text) !== "";

export const outline = z
  .strictObject({
    title: outlineLine(LIMITS.title).meta({ example: "Six morning walks in Porto" }),
    keyword: outlineLine(LIMITS.keyword).meta({ description: "The primary keyword.", example: "porto walks" }),
    sections: z
      .array(
        z.strictObject({
          heading: outlineLine(LIMITS.outlineLine).meta({ example: "Begin at the river" }),
          points: z
            .array(outlineLine(LIMITS.outlineLine))
            .max(LIMITS.outlinePoints)
            .default([])
            .meta({ description: "What the section has to say.", example: ["The first tram"] }),
          words: z.int().min(0).max(LIMITS.wordsMost).default(0).meta({
            description: "Its length. With such lengths, the article has their sum, and not the `words` of the order.",
            example: 300,
          }),
        }),
      )
      .min(1, "must not be empty")
      .max(LIMITS.outlineSections),
  })
  .refine(
    // Each section is written with the whole outline before it.
    (plan) => JSON.stringify(plan).length <= LIMITS.outlineCharacters,
    `must have at most ${LIMITS.outlineCharacters.toLocaleString("en")} characters in all, as JSON`,
  )
  .meta({
    id: "ArticleOutline",
    description: "What to write, such as the answer of POST /api/articles/outline. Not for a translation.",
  });

const keywords = z
  .array(line(LIMITS.keyword).trim().min(1, "must not be empty"))
  .max(LIMITS.keywords)
  .default([])
  .meta({
    description: "What readers would search for; the first one is the primary keyword.",
    example: ["porto walks"],
  });

export const generationInput = z
  .strictObject({
    blogId: blogId.optional(),
    topic: text(LIMITS.topic)
      .trim()
      .min(1, "must not be empty")
      .optional()
      .meta({ description: "What to write about.", example: "Six morning walks in Porto" }),
    topicId: identifier("a topic idea to write about").optional(),
    articleId: identifier("an article to translate (another `locale`) or to rewrite (its own)").optional(),
    instructions: text(LIMITS.instructions)
      .default("")
      .meta({ description: "Further instructions. Links given here may appear in the article." }),
    keywords,
    sources: z
      .array(line(LIMITS.url).trim().min(1, "must not be empty"))
      .max(LIMITS.sources)
      .optional()
      .meta({
        description: "Pages, feeds or texts to write from. Not for translations.",
        example: ["https://example.com/ferries"],
      }),
    locale: articleLocale
      .optional()
      .meta({ description: "By default, the blog's default locale; with articleId, the article's." }),
    slug: slug.optional().meta({ description: "Derived by default; a translation shares its article's." }),
    tone: line(LIMITS.tone).default("").meta({ example: "calm, practical" }),
    words: z
      .int()
      .min(LIMITS.wordsLeast)
      .max(LIMITS.wordsMost)
      .default(1200)
      .meta({ description: "The approximate length. A translation is as long as its article.", example: 600 }),
    outline: outline.optional(),
    published: z.boolean().default(true).meta({ description: "false = draft, true = published.", example: false }),
    coverImage: z.boolean().optional().meta({
      description:
        "True by default if an image model is configured. A translation has its article's images unless this is false.",
    }),
    inlineImages: z.boolean().optional().meta({
      description:
        "True by default if an image model is configured. A translation has its article's images unless this is false.",
    }),
  })
  .meta({ id: "GenerationInput" });

export type GenerationInput = z.infer<typeof generationInput>;
