import * as z from "zod";
import { defineOperation } from "../define.ts";
import { identifier, output, toPageSize, paging } from "../fields.ts";
import { toListResult } from "../lists.ts";
import { metadata } from "./metadata.ts";
import { toDollars } from "./spending.ts";

const state = z.enum(["running", "stored", "answered", "failed"]);

export const generation = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    state: state.meta({
      description: "`stored`: the article was stored; `answered`: help with a text, which stores nothing.",
      example: "stored",
    }),
    code: z.string().nullable().meta({ description: "The error code of a failed generation.", example: null }),
    provider: z.string().meta({ example: "openai-compatible" }),
    model: z.string().meta({ example: "llama3.2" }),
    inputTokens: z.int().meta({ example: 2140 }),
    outputTokens: z.int().meta({ example: 1630 }),
    cost: z.number().nullable().meta({
      description: "US dollars for its tokens; null if the service has no price for the model.",
      example: 0.0038,
    }),
    durationMs: z.int().nullable().meta({ description: "Milliseconds; null while it runs.", example: 21_400 }),
    articleId: z
      .string()
      .nullable()
      .meta({ description: "The article that it created, which may have been deleted since.", example: null }),
    progress: z
      .object({
        step: z.string().meta({ description: "The step that began last.", example: "section" }),
        done: z
          .number()
          .meta({ description: "Calls of models that are done, with parts of those that run.", example: 2.4 }),
        total: z.int().meta({ example: 7 }),
      })
      .nullable()
      .meta({
        description: "How far an article is that is not stored yet; null before its first step.",
        example: null,
      }),
    actor: z.object({ kind: z.string().meta({ example: "key" }), id: output.id }),
    creationTime: output.dateTime,
    finishTime: output.dateTime.nullable().meta({ description: "Null while it runs.", format: "date-time" }),
  })
  .meta({ id: "Generation" });

export const listGenerations = defineOperation({
  name: "generations.list",
  summary: "List the generations",
  description: "Newest first. A credential pinned to one blog sees those of its blog.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    state: state.optional().meta({ description: "Only those in this state.", example: "failed" }),
    ...paging,
  }),
  output: z.array(generation),
  refuses: [],
  hasEtag: true,
  sample: { query: { limit: "20" }, command: "generations --limit 20" },
  async run({ store }, input) {
    const { value, ...rest } = toListResult(await store.listGenerations({ ...input, limit: toPageSize(input.limit) }));
    return { ...rest, value: value.map(toGeneration) };
  },
});

export const getGeneration = defineOperation({
  name: "generations.get",
  summary: "Get a generation",
  description:
    "Its state, how far it is, and its article. `metadata` is what POST /api/articles/generate returns beside the article, for 7 days.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ generationId: identifier("the generation") }),
  output: generation
    .extend({
      metadata: metadata.nullable().meta({ description: "null if there is no article, or none any more." }),
      resumable: z.boolean().meta({ description: "Whether it can go on where it stopped.", example: false }),
    })
    .meta({ id: "GenerationDetails" }),
  refuses: ["not_found"],
  sample: { command: "generations get {generationId}" },
  async run({ store }, { generationId }) {
    const { generation: found, report, resumable } = await store.findGeneration(generationId);
    const parsed = report === null ? null : metadata.parse(JSON.parse(report));
    return { value: { ...toGeneration(found), metadata: parsed, resumable } };
  },
});

type Stored = Omit<z.infer<typeof generation>, "cost" | "durationMs"> & { readonly microdollars: number | null };

export const toGeneration = ({ microdollars, ...rest }: Stored): z.infer<typeof generation> => ({
  ...rest,
  cost: toDollars({ microdollars }),
  durationMs: rest.finishTime === null ? null : Date.parse(rest.finishTime) - Date.parse(rest.creationTime),
});
