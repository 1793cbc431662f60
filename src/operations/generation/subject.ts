import { DomainError, invalidField } from "../../domain/errors.ts";
import type { Subject } from "../../ai/generation/brief.ts";
import { requireReadable } from "../../ai/generation/source.ts";
import type { OrganizationStore } from "../../store/organization.ts";
import type { TargetBlogRecord } from "../../store/generation/articles.ts";
import { findUnusedTopic, requireSameBlog } from "../unused-topic.ts";
import type { GenerationInput } from "./input.ts";

/** A translation takes over the slug and cover of its source. */
export type OrderedSubject =
  | Exclude<Subject, { kind: "translation" }>
  | (Subject & { kind: "translation"; readonly slug: string; readonly coverUrl: string });

export type Ordered = {
  readonly subject: OrderedSubject;
  /** `locale` is that of the article. */
  readonly blog: TargetBlogRecord;
  /** The idea that the commit marks as `used`. */
  readonly topicId: string | undefined;
};

/** Throws every error that storing the article could throw later, before anything is paid for. */
export async function findSubject(store: OrganizationStore, asked: GenerationInput): Promise<Ordered> {
  const { topic, topicId, articleId } = asked;
  const named = Object.entries({ topic, topicId, articleId }).filter(([, value]) => value !== undefined);
  if (named.length !== 1) {
    const message = "Send exactly one of topic, topicId and articleId.";
    const paths = named.length === 0 ? ["topic"] : named.map(([path]) => path);
    throw new DomainError("invalid_request", message, { errors: paths.map((path) => ({ path, message })) });
  }
  if (topicId !== undefined) return findIdeaSubject(store, asked, topicId);
  if (articleId !== undefined) return findArticleSubject(store, asked, articleId);
  const blog = await store.findTargetBlog(asked);
  return { subject: { kind: "topic", topic: topic ?? "" }, blog, topicId: undefined };
}

async function findIdeaSubject(store: OrganizationStore, asked: GenerationInput, topicId: string): Promise<Ordered> {
  const { title, summary, angle, url, keywords, blogId } = await findUnusedTopic(store, topicId, asked);
  const blog = await store.findTargetBlog({ ...asked, blogId });
  return { subject: { kind: "idea", idea: { title, summary, angle, url, keywords } }, blog, topicId };
}

async function findArticleSubject(
  store: OrganizationStore,
  asked: GenerationInput,
  articleId: string,
): Promise<Ordered> {
  const found = await store.findOwnArticle(articleId);
  if (found === null) throw new DomainError("not_found", "There is no such article.");
  const { title, description, content, locale, slug, blogId } = found;
  requireSameBlog(asked, blogId);
  if (content.trim() === "") throw invalidField("articleId", "the article has no content");
  const translates = asked.locale !== undefined && asked.locale !== locale;
  if (translates && asked.outline !== undefined) {
    throw invalidField("outline", "is not allowed for a translation, which has that of its article");
  }
  const source = { title, description, content, locale };
  await requireReadable(source, translates);
  const blog = await store.findTargetBlog({
    blogId,
    locale: asked.locale ?? locale,
    slug: asked.slug ?? (translates ? slug : undefined),
    published: asked.published,
  });
  const subject: OrderedSubject = translates
    ? {
        kind: "translation",
        article: source,
        keepsImages: asked.inlineImages !== false,
        ...pickTakenOver(found, asked),
      }
    : { kind: "rewrite", article: source };
  return { subject, blog, topicId: undefined };
}

const pickTakenOver = ({ slug, coverUrl }: TakenOver, { coverImage }: GenerationInput): TakenOver => ({
  slug,
  coverUrl: coverImage === false ? "" : coverUrl,
});

type TakenOver = { readonly slug: string; readonly coverUrl: string };

/**
 * Reads again the slug and cover that a translation takes over, because a generation takes minutes. If the article is
 * gone, the store refuses the translation.
 */
export async function refreshSubject(
  store: OrganizationStore,
  subject: OrderedSubject,
  asked: GenerationInput,
): Promise<OrderedSubject> {
  if (subject.kind !== "translation") return subject;
  const found = await store.findOwnArticle(asked.articleId ?? "");
  return found === null ? subject : { ...subject, ...pickTakenOver(found, asked) };
}
