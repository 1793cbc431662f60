/** Generates and stores an article, for a caller who waits and for a queue. */
import * as z from "zod";
import type { Image, ImageModel } from "../../ai/model.ts";
import type { Brief, Generated, Step } from "../../ai/generation/brief.ts";
import type { BackgroundActor } from "../../domain/background-actor.ts";
import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { UploadedFile } from "../../domain/pictures.ts";
import { newId } from "../../lib/ids.ts";
import { pick } from "../../lib/pick.ts";
import type { ArticleRecord } from "../../store/articles/rows.ts";
import type { OrganizationContext, Result, Services } from "../define.ts";
import { line, slug, text } from "../fields.ts";
import type { GenerationInput } from "./input.ts";
import { findLinkTargets } from "./link-targets.ts";
import { makeMetadata, type metadata, type Order, type OrderedBrief } from "./metadata.ts";
import { remember, rememberImages } from "./remembering.ts";
import type { KeptProposal } from "./proposing.ts";
import { readOrderedSources, toStored } from "./sources.ts";
import { makeSignal, requireModels, type Entry } from "./spending.ts";
import { findSubject, refreshSubject, type OrderedSubject } from "./subject.ts";

/** What a generation keeps of its order. The subject is kept as it was read, so that the same questions are asked again. */
export type Kept = {
  readonly asked: GenerationInput;
  readonly brief: OrderedBrief;
  readonly blogId: string;
  readonly topicId: string | undefined;
  /** In whose name a queue runs it; undefined if the caller waits. */
  readonly actor?: BackgroundActor;
  /** Only of an update that is proposed. */
  readonly proposal?: KeptProposal;
};

/** Throws every error that storing the article could throw later, before anything is paid for. Also returns what it takes. */
export async function prepare(
  context: OrganizationContext,
  services: Services,
  asked: GenerationInput,
  links: "related" | "newest" = "related",
) {
  const { store, service } = context;
  const { subject, blog, topicId } = await findSubject(store, asked);
  const { text: model, image } = await requireModels(services);
  // For an outline, which has no links, and an estimate, it does not matter which articles are offered.
  const about = links === "related" ? { subject, keywords: asked.keywords } : null;
  const brief: OrderedBrief = {
    subject,
    sources: await readOrderedSources(context, services, asked.sources ?? [], subject),
    locale: blog.locale,
    blog: { name: blog.name, articles: await findLinkTargets(store, { blogId: blog._id, locale: blog.locale }, about) },
    styleGuide: blog.styleGuide,
    ...pick(asked, ["instructions", "keywords", "tone", "outline"]),
    words: sumWords(asked) || asked.words,
    ...chooseImages(asked, subject, image),
  };
  // Throws without a base URL, which the URLs of images need.
  if (image !== null && (brief.coverImage || brief.inlineImages)) service.baseUrl();
  const order: Order = { asked, brief, model, image, started: Date.now() };
  const { estimateArticle } = await import("../../ai/generation/estimate.ts");
  return { order, blogId: blog._id, topicId, estimate: estimateArticle(brief, image !== null) };
}

/** Returns how many words the sections of an outline have, at most as many as an article can; 0 without lengths. */
const sumWords = ({ outline }: GenerationInput): number =>
  Math.min(LIMITS.wordsMost, outline?.sections.reduce((sum, { words }) => sum + words, 0) ?? 0);

/** By default all if there is an image model, but none for a translation, which keeps those of its source. */
function chooseImages(
  asked: GenerationInput,
  subject: OrderedSubject,
  image: ImageModel | null,
): Pick<Brief, "coverImage" | "inlineImages"> {
  const images = image !== null && subject.kind !== "translation";
  return { coverImage: asked.coverImage ?? images, inlineImages: asked.inlineImages ?? images };
}

export type Answer = { readonly article: ArticleRecord; readonly metadata: z.infer<typeof metadata> };

type Writing = Order & {
  readonly blogId: string;
  readonly topicId: string | undefined;
  readonly entry: Entry;
  readonly services: Pick<Services, "putFile" | "readPicture" | "count">;
};

/** Generates and stores the article. Throws if the caller disconnects or it takes too long. */
export async function write(context: OrganizationContext, writing: Writing): Promise<Result<Answer>> {
  const { asked, brief, blogId, topicId, entry } = writing;
  const { store, progress } = context;
  const signal = makeSignal(progress.signal, LIMITS.generationTimeoutMs);
  let total = 1;
  const tell = (step: Step) => {
    if ("total" in step) ({ total } = step);
    entry.tell(step);
  };
  const { mediaIds, ...images } = openImages(context, writing);
  const { writeArticle } = await import("../../ai/generation/write.ts");
  const generated = await writeArticle(brief, { text: remember(entry), ...images, tell, signal });
  signal.throwIfAborted();
  const about = makeMetadata(writing, generated, entry.tokens);
  const subject = await refreshSubject(store, brief.subject, asked);
  const translatedId = subject.kind === "translation" ? asked.articleId : undefined;
  const stored = await store.createGeneratedArticle(
    { ...toArticle(generated, writing, subject), blogId, topicId },
    {
      generation: entry,
      model: writing.model.model,
      spent: entry.cost(),
      translatedId,
      mediaIds,
      metadata: about,
      sources: toStored(brief),
    },
  );
  tell({ step: "stored", done: total, total });
  return { value: { article: stored.value, metadata: about }, version: stored.version };
}

/** Returns what draws and stores images. Those that an earlier run has drawn are taken as they are. */
function openImages(context: OrganizationContext, { entry, image, services }: Writing) {
  const { store, service, principal } = context;
  const mediaIds: string[] = [];
  const former = rememberImages(entry);
  const take = (id: string): string => {
    mediaIds.push(id);
    return `${service.baseUrl()}/media/${id}`;
  };
  return {
    mediaIds,
    image: image && withinQuota(image, context, services),
    findImage: async (prompt: string) => {
      const id = await former.find(prompt);
      return id && take(id);
    },
    keepImage: async ({ bytes, mediaType }: Image, prompt: string) => {
      // Throws if the image is damaged or too large. It is stored unchanged: its metadata may say that a model made it.
      await services.readPicture(await UploadedFile.of(bytes));
      const id = newId();
      await store.reserveMedia({ id, mediaType, bytes: bytes.byteLength });
      await services.putFile({ id, organizationId: principal.organizationId }, { bytes, mediaType });
      await former.keep(prompt, id);
      return take(id);
    },
  };
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
function toArticle({ article: made }: Generated, { asked, brief }: Order, subject: OrderedSubject) {
  const checked = storable.safeParse(made);
  if (!checked.success) throw new DomainError("ai_invalid_answer");
  const { title, description, content, coverUrl, slug: proposed } = checked.data;
  const given = asked.slug ?? (subject.kind === "translation" ? subject.slug : undefined);
  return {
    title,
    description,
    content,
    coverUrl: subject.kind === "translation" ? subject.coverUrl : coverUrl,
    locale: brief.locale,
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
