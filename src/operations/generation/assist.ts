/** AI suggestions for a text. Nothing but the cost is stored. */
import { MODEL_ERRORS } from "./spending.ts";
import * as z from "zod";
import { invalidField } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { hasAtMost } from "../../lib/text.ts";
import { ARTICLE_TASKS, PASSAGE_TASKS } from "../../ai/generation/assist-tasks.ts";
import { defineOperation, type OrganizationContext } from "../define.ts";
import { blogId, line, locale, text } from "../fields.ts";
import { toDollars, trackGeneration, requireModels, makeSignal } from "./spending.ts";

const input = z
  .strictObject({
    blogId: blogId.optional(),
    task: z.enum([...PASSAGE_TASKS, ...ARTICLE_TASKS]).meta({
      description:
        "`shorten`, `rephrase`, `correct` and `translate` rework a passage; `titles`, `description`, `alternatives` (alt texts for its images) and `tags` suggest something for an article.",
      example: "shorten",
    }),
    text: text(LIMITS.assistArticle).meta({
      description: `Markdown: the passage, at most ${LIMITS.assistPassage} characters, or the content of the article.`,
      example: "The first ferry, which is the one that leaves before all others, leaves at six.",
    }),
    title: line(LIMITS.title).default("").meta({ description: "The article's title.", example: "Six walks in Porto" }),
    context: text(LIMITS.assistContext)
      .default("")
      .meta({ description: "The text around the passage, which is read but not changed.", example: "" }),
    locale: locale.optional().meta({ description: "The text's locale; by default the blog's default locale." }),
    targetLocale: locale
      .optional()
      .meta({ description: "The locale to translate into, only for `translate`.", example: "de" }),
  })
  .meta({ id: "AssistInput" });

const suggestion = z.object({
  value: z.string().meta({ example: "Porto before six" }),
  picture: z.string().nullable().meta({ description: "The image that it describes.", example: null }),
  known: z.boolean().meta({ description: "For a tag: whether the blog has it.", example: false }),
});

const output = z
  .object({
    task: z.string().meta({ example: "shorten" }),
    text: z
      .string()
      .nullable()
      .meta({ description: "The new passage; null for other tasks.", example: "The first ferry leaves at six." }),
    suggestions: z.array(suggestion).meta({ description: "The suggestions, best first.", example: [] }),
    warnings: z
      .array(z.string())
      .meta({ description: "What to check before you use it, one sentence each.", example: ["1 link is changed."] }),
    provider: z.string().meta({ example: "api.example.com" }),
    model: z.string().meta({ example: "llama3.3" }),
    inputTokens: z.int().meta({ description: "As counted by the provider, including repairs.", example: 410 }),
    outputTokens: z.int().meta({ example: 33 }),
    cost: z
      .number()
      .nullable()
      .meta({ description: "US dollars; null if the service has no price for the model.", example: null }),
  })
  .meta({ id: "Assistance" });

type Asked = z.infer<typeof input>;

export const assistArticle = defineOperation({
  name: "articles.assist",
  summary: "Get AI suggestions for a text",
  description:
    "Reworks a passage, or suggests titles, descriptions, alt texts or tags for an article. Nothing is stored or changed. With `Accept: text/event-stream` the passage is sent while it is written (`step`), and the checked `result` or an `error` at the end. It counts as a generation.",
  scope: "articles:draft",
  effect: "write",
  lengthy: true,
  input,
  output,
  refuses: ["blog_required", "blog_forbidden", ...MODEL_ERRORS],
  bodies: {
    passage: {
      summary: "Rework a passage",
      value: {
        task: "shorten",
        text: "The first ferry, which is the one that leaves before all others, leaves at six.",
      },
    },
    translation: {
      summary: "Translate a passage",
      value: { task: "translate", text: "The first ferry leaves at six.", locale: "en", targetLocale: "de" },
    },
    titles: {
      summary: "Propose titles",
      value: { task: "titles", text: "The first ferry leaves at six. Whoever takes it has the river for themselves." },
    },
  },
  sample: {
    body: {
      blogId: "{blogId}",
      task: "shorten",
      text: "The first ferry, which is the one that leaves before all others, leaves at six.",
    },
  },
  async run(context, asked) {
    const { store } = context;
    const services = await context.services();
    refuseUnfit(asked);
    const blog = await store.findBlogForText(asked);
    if (asked.targetLocale === blog.locale) throw invalidField("targetLocale", "is already the locale of the text");
    const { text: model } = await requireModels(services);
    const tags = asked.task === "tags" ? await listTagNames(context, blog._id) : [];
    const { countTokens } = await import("../../ai/generation/tokens.ts");
    const read = countTokens(asked.title + asked.context + asked.text);
    const estimate = { inputTokens: read + AROUND, outputTokens: read };
    return trackGeneration(context, services, { blogId: blog._id, model, estimate }, async (entry) => {
      const { assist } = await import("../../ai/generation/assist.ts");
      const signal = makeSignal(context.progress.signal, LIMITS.assistTimeoutMs);
      const { locale: own, styleGuide } = blog;
      const wish = { ...asked, locale: own, targetLocale: asked.targetLocale ?? own, tags, styleGuide };
      const { repairs: _, ...help } = await assist(wish, { text: entry.model, tell: context.progress.tell, signal });
      signal.throwIfAborted();
      const spent = entry.cost();
      await store.answerGeneration(entry.id, spent);
      const { provider, model: name } = model;
      const value = { task: asked.task, ...help, provider, model: name, ...entry.tokens, cost: toDollars(spent) };
      return { value: output.parse(value), uncommitted: true };
    });
  },
});

/** Tokens of the instructions. */
const AROUND = 500;

/** Throws `invalid_request` before anything is paid for. */
function refuseUnfit({ task, text, targetLocale }: Asked): void {
  const isPassage = (PASSAGE_TASKS as readonly string[]).includes(task);
  if (text.trim() === "") throw invalidField("text", "must not be blank");
  if (isPassage && !hasAtMost(text, LIMITS.assistPassage)) {
    const most = LIMITS.assistPassage.toLocaleString("en");
    throw invalidField("text", `must have at most ${most} characters for this task; select less`);
  }
  if ((task === "translate") !== (targetLocale !== undefined)) {
    throw invalidField(
      "targetLocale",
      task === "translate" ? "is required to translate" : "is only allowed for `translate`",
    );
  }
}

/** Returns the names of a blog's tags, at most a page of the oldest. */
async function listTagNames({ store }: OrganizationContext, blogId: string): Promise<string[]> {
  const { items } = await store.listTerms("tag", { blogId, limit: LIMITS.page, skip: 0 });
  return items.map(({ value }) => value.name);
}
