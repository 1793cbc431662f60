/** The style guide of a blog, as it is sent and shown. */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { line, text } from "./fields.ts";

const description =
  "How the blog writes. Generation, help with a text, and the editor's advice follow it. Only for the organization.";

const given = z
  .strictObject({
    text: text(LIMITS.styleGuide)
      .default("")
      .meta({ description: "Voice, audience and conventions, as Markdown.", example: "We address readers as “you”." }),
    avoid: z
      .array(
        z.strictObject({
          term: line(LIMITS.avoidedTerm).trim().min(1, "must not be empty").meta({ example: "utilize" }),
          use: line(LIMITS.avoidedTerm)
            .trim()
            .default("")
            .meta({ description: "What to say instead.", example: "use" }),
        }),
      )
      .max(LIMITS.avoidedTerms)
      .default([])
      .check(({ value, issues }) => {
        for (const [index, { term }] of value.entries()) {
          const isNew = value.findIndex((other) => other.term.toLowerCase() === term.toLowerCase()) === index;
          if (!isNew) issues.push({ code: "custom", path: [index, "term"], message: "is a duplicate", input: term });
        }
      })
      .meta({ description: "Words and phrases that its texts do not use." }),
  })
  .meta({ id: "StyleGuideInput", description: `${description} It is replaced as a whole.` });

const shown = z
  .object({
    text: z.string().meta({ description: "Voice, audience and conventions, as Markdown.", example: "" }),
    avoid: z.array(z.object({ term: z.string(), use: z.string().meta({ description: "What to say instead." }) })).meta({
      description: "Words and phrases that its texts do not use.",
      example: [{ term: "utilize", use: "use" }],
    }),
  })
  .meta({ id: "StyleGuide", description });

export const styleGuide = { given, shown };
