import { MODEL_ERRORS } from "./spending.ts";
import * as z from "zod";
import type { ImageModel } from "../../ai/model.ts";
import { DomainError } from "../../domain/errors.ts";
import type { Brief, Generated, Step } from "../../ai/generation/brief.ts";
import { newId } from "../../lib/ids.ts";
import { pick } from "../../lib/pick.ts";
import { LIMITS } from "../../domain/limits.ts";
import { UploadedFile } from "../../domain/pictures.ts";
import { article } from "../article-members.ts";
import { defineOperation, type OrganizationContext, type Result, type Services } from "../define.ts";
import { line, slug, text } from "../fields.ts";
import { generationInput as input } from "./input.ts";
import { metadata, makeMetadata, type Order } from "./metadata.ts";
import { refreshSubject, findSubject } from "./subject.ts";
import { trackGeneration, requireModels, makeSignal, type Entry } from "./spending.ts";

const output = z.object({ article, metadata }).meta({ id: "GeneratedArticle" });

type Answer = z.infer<typeof output>;

export const generateArticle = defineOperation({
  name: "articles.generate",
  summary: "Generate an article with AI",
  description:
    "From one of `topic`, `topicId` and `articleId`. It takes seconds to minutes. With `Accept: text/event-stream` it reports each step (`step`), and ends with `result` or `error`. The article is stored, and article.created fired, only when it is complete; if the generation fails or the caller disconnects, nothing is stored. An Idempotency-Key prevents a repeated call from paying twice.",
  scope: "articles:draft",
  scopeOf: ({ published }) => (published === false ? null : "articles:write"),
  effect: "write",
  lengthy: true,
  input,
  output,
  refuses: [
    "blog_required",
    "blog_forbidden",
    "not_found",
    "slug_taken",
    "topic_used",
    "quota_exceeded",
    "event_limit",
    ...MODEL_ERRORS,
  ],
  hasEtag: true,
  bodies: {
    topic: {
      summary: "About a topic",
      value: { topic: "Six morning walks in Porto", keywords: ["porto walks"], words: 600, published: false },
    },
    idea: { summary: "From a topic idea", value: { topicId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d" } },
    translation: {
      summary: "Translate an article",
      value: { articleId: "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d", locale: "de" },
    },
  },
  audit: "generated * with AI",
  sample: {
    body: { blogId: "{blogId}", topic: "Six morning walks in Porto", words: 300, published: false },
    command: 'articles generate --blog {blogId} --topic "Six morning walks in Porto" --words 300',
  },
  async run(context, asked) {
    const { store } = context;
    const services = await context.services();
    const { subject, blog, topicId } = await findSubject(store, asked);
    const { text: model, image } = await requireModels(services);
    const order: Order = { asked, subject, locale: blog.locale, model, image, started: Date.now() };
    // Throws without a base URL, which the URLs of images need, before anything is paid for.
    if (image !== null && Object.values(chooseImages(order)).includes(true)) context.service.baseUrl();
    return trackGeneration(context, services, { blogId: blog._id, model }, async (entry) => {
      const links = { blogId: blog._id, locale: blog.locale, most: LIMITS.linkTargets };
      const brief = makeBrief(order, blog.name, await store.listLinkTargets(links));
      return write(context, { order, brief, blogId: blog._id, topicId, entry, services });
    });
  },
});

/** By default all if there is an image model, but none for a translation, which keeps those of its source. */
function chooseImages({ asked, subject, image }: Order): Pick<Brief, "coverImage" | "inlineImages"> {
  const images = image !== null && subject.kind !== "translation";
  return { coverImage: asked.coverImage ?? images, inlineImages: asked.inlineImages ?? images };
}

const makeBrief = (order: Order, name: string, articles: Brief["blog"]["articles"]): Brief => ({
  ...pick(order, ["subject", "locale"]),
  blog: { name, articles },
  ...pick(order.asked, ["instructions", "keywords", "tone", "words"]),
  ...chooseImages(order),
});

type Writing = {
  readonly order: Order;
  readonly brief: Brief;
  readonly blogId: string;
  readonly topicId: string | undefined;
  readonly entry: Entry;
  readonly services: Pick<Services, "putFile" | "readPicture" | "count">;
};

/** Generates and stores the article. Throws if the caller disconnects or it takes too long. */
async function write(context: OrganizationContext, writing: Writing): Promise<Result<Answer>> {
  const { order, brief, blogId, topicId, entry, services } = writing;
  const { store, progress } = context;
  const mediaIds: string[] = [];
  const signal = makeSignal(progress.signal, LIMITS.generationTimeoutMs);
  let total = 1;
  const tell = (step: Step) => {
    if ("total" in step) ({ total } = step);
    progress.tell(step);
  };
  const { writeArticle } = await import("../../ai/generation/write.ts");
  const generated = await writeArticle(brief, {
    text: entry.model,
    image: order.image && withinQuota(order.image, context, services),
    keepImage: async (image) => {
      // Throws if the image is damaged or too large. It is stored unchanged: its metadata may say that a model made it.
      await services.readPicture(await UploadedFile.of(image.bytes));
      const id = newId();
      await store.reserveMedia({ id, mediaType: image.mediaType, bytes: image.bytes.byteLength });
      await services.putFile({ id, organizationId: context.principal.organizationId }, image);
      mediaIds.push(id);
      return `${context.service.baseUrl()}/media/${id}`;
    },
    tell,
    signal,
  });
  signal.throwIfAborted();
  const about = makeMetadata(order, generated, entry.tokens);
  const subject = await refreshSubject(store, order.subject, order.asked);
  const translatedId = subject.kind === "translation" ? order.asked.articleId : undefined;
  const stored = await store.createGeneratedArticle(
    { ...toArticle(generated, { ...order, subject }), blogId, topicId },
    { generationId: entry.id, model: order.model.model, spent: entry.cost(), translatedId, mediaIds, metadata: about },
  );
  tell({ step: "stored", done: total, total });
  return { value: { article: stored.value, metadata: about }, version: stored.version };
}

/** Checks the quota before each image, and counts it. Throws `quota_exceeded`. */
const withinQuota = (
  model: ImageModel,
  { store, principal }: OrganizationContext,
  { count }: Pick<Services, "count">,
): ImageModel => ({
  ...model,
  async image(request) {
    await store.requireMediaRoom();
    count(principal.organizationId, { pictureOperations: 1 });
    return model.image(request);
  },
});

/** Throws `ai_invalid_answer` if the model's answer cannot be stored. */
function toArticle({ article: made }: Generated, { asked, locale: tag, subject }: Order) {
  const checked = storable.safeParse(made);
  if (!checked.success) throw new DomainError("ai_invalid_answer");
  const { title, description, content, coverUrl, slug: proposed } = checked.data;
  const given = asked.slug ?? (subject.kind === "translation" ? subject.slug : undefined);
  return {
    title,
    description,
    content,
    coverUrl: subject.kind === "translation" ? subject.coverUrl : coverUrl,
    locale: tag,
    published: asked.published,
    slug: given === undefined ? { derived: proposed } : { given },
  };
}

const storable = z.object({
  title: line(LIMITS.title).min(1),
  description: text(LIMITS.metaDescription),
  content: text(LIMITS.contentBytes / 4).min(1),
  coverUrl: z.string(),
  slug: z.union([slug, z.literal("")]),
});
