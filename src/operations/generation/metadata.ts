import * as z from "zod";
import type { ImageModel, TextModel } from "../../ai/model.ts";
import type { Brief, Generated } from "../../ai/generation/brief.ts";
import type { GenerationInput } from "./input.ts";
import type { OrderedSubject } from "./subject.ts";
import type { Tokens } from "./spending.ts";

const check = z.object({
  name: z.string().meta({ description: "What is checked.", example: "length" }),
  passed: z.boolean().meta({ example: true }),
  detail: z
    .string()
    .meta({ description: "The finding.", example: "The text has 1,740 words; 900 to 1,500 were asked for." }),
});

export const claim = z
  .object({
    kind: z.enum(["figure", "quotation"]).meta({ example: "figure" }),
    text: z.string().meta({ description: "As the article has it.", example: "48 minutes" }),
    context: z.string().meta({ description: "The words around it.", example: "The ferry takes 48 minutes." }),
    backedBy: z.enum(["source", "request", "nothing"]).meta({
      description: "A source has it; or else the request that the article was generated from; or nothing.",
      example: "source",
    }),
    source: z
      .string()
      .nullable()
      .meta({ description: "The address of the first source that has it.", example: "https://example.com/ferries" }),
  })
  .meta({ id: "Claim" });

export const metadata = z
  .object({
    provider: z.string().meta({ description: "Who runs the model.", example: "api.example.com" }),
    model: z.string().meta({ example: "llama3.3" }),
    imageModel: z.string().nullable().meta({ description: "null if no image was made.", example: null }),
    inputTokens: z.int().meta({ description: "As counted by the provider, including repairs.", example: 5210 }),
    outputTokens: z.int().meta({ example: 2433 }),
    durationMs: z.int().meta({ example: 41_250 }),
    wordCount: z.int().meta({ description: "Words of the content.", example: 1240 }),
    keywords: z.array(z.string()).meta({ example: ["porto walks"] }),
    outline: z.array(z.object({ heading: z.string(), points: z.array(z.string()) })).meta({
      description: "The sections, and what they are about.",
      example: [{ heading: "Begin at the river", points: ["The first tram", "Where the light is"] }],
    }),
    images: z
      .array(
        z.object({
          role: z.enum(["cover", "inline"]),
          url: z.string().meta({ example: "https://press.example.com/media/019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" }),
          alt: z.string().meta({ example: "A tram in the morning light" }),
        }),
      )
      .meta({
        description:
          "The generated images. Anybody who knows the URL of one can read it without credentials, even while the article is a draft.",
      }),
    topic: z.string().meta({ description: "The requested topic.", example: "Six morning walks in Porto" }),
    topicId: z.string().nullable().meta({ example: null }),
    sourceArticleId: z
      .string()
      .nullable()
      .meta({ description: "The article that was translated or rewritten.", example: null }),
    checks: z.array(check).meta({ description: "Checks of the article, as an SEO editor would make them." }),
    claims: z
      .array(claim)
      .optional()
      .meta({ description: "The figures and quotations of an article with `sources`, 100 at most." }),
    degradations: z.array(z.string()).meta({
      description: "What falls short of the request.",
      example: ["The cover image could not be made: the model's provider limits the rate of requests."],
    }),
    repairs: z.int().meta({ description: "How often the model had to be asked again.", example: 0 }),
  })
  .meta({ id: "GenerationMetadata" });

export type OrderedBrief = Brief & { readonly subject: OrderedSubject };

/** A checked request that may start. */
export type Order = {
  readonly asked: GenerationInput;
  readonly brief: OrderedBrief;
  readonly model: TextModel;
  readonly image: ImageModel | null;
  /** Unix milliseconds. */
  readonly started: number;
};

/** `tokens` includes those of unusable answers. */
export function makeMetadata(order: Order, generated: Generated, tokens: Tokens): z.infer<typeof metadata> {
  const { asked, brief, model, image } = order;
  const { words, outline, images, checks, claims, degradations, repairs } = generated;
  return {
    provider: model.provider,
    model: model.model,
    imageModel: images.length === 0 ? null : (image?.model ?? null),
    ...tokens,
    durationMs: Date.now() - order.started,
    wordCount: words,
    keywords: [...generated.article.keywords],
    outline: outline.map(({ heading, points }) => ({ heading, points: [...points] })),
    images: [...images],
    topic: getTopicText(brief.subject),
    topicId: asked.topicId ?? null,
    sourceArticleId: asked.articleId ?? null,
    checks: [...checks],
    ...(claims && { claims: [...claims] }),
    degradations: [...degradations],
    repairs,
  };
}

function getTopicText(subject: OrderedSubject): string {
  if (subject.kind === "topic") return subject.topic;
  return subject.kind === "idea" ? subject.idea.title : subject.article.title;
}
