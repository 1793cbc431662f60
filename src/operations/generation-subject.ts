/** What a generation is about, and the blog that its article goes to. */
import { DomainError, invalidField } from "../errors.ts";
import type { Subject } from "../generation/brief.ts";
import { refuseUnreadable } from "../generation/source.ts";
import type { OrganizationStore } from "../store/organization.ts";
import type { TargetBlogRecord } from "../store/generation/articles.ts";
import type { GenerationInput } from "./generation-input.ts";

/** The subject, with what a translation shares with its source. */
export type OrderedSubject =
  | Exclude<Subject, { kind: "translation" }>
  | (Subject & { kind: "translation"; readonly slug: string; readonly coverUrl: string });

export type Ordered = {
  readonly subject: OrderedSubject;
  /** `locale` is the article's. */
  readonly blog: TargetBlogRecord;
  /** The idea that becomes `used`. */
  readonly topicId: string | undefined;
};

/**
 * Finds what is asked for. Refuses everything that storing the article would refuse later, while nothing
 * has been paid for.
 */
export async function subjectOf(store: OrganizationStore, asked: GenerationInput): Promise<Ordered> {
  const { topic, topicId, articleId } = asked;
  const named = Object.entries({ topic, topicId, articleId }).filter(([, value]) => value !== undefined);
  if (named.length !== 1) {
    const message = "Exactly one of topic, topicId and articleId must say what to write about.";
    const paths = named.length === 0 ? ["topic"] : named.map(([path]) => path);
    throw new DomainError("invalid_request", message, { errors: paths.map((path) => ({ path, message })) });
  }
  if (topicId !== undefined) return ofIdea(store, asked, topicId);
  if (articleId !== undefined) return ofArticle(store, asked, articleId);
  const blog = await store.findTargetBlog(asked);
  return { subject: { kind: "topic", topic: topic ?? "" }, blog, topicId: undefined };
}

async function ofIdea(store: OrganizationStore, asked: GenerationInput, topicId: string): Promise<Ordered> {
  const found = await store.findTopic(topicId);
  if (found === null) throw new DomainError("not_found", "There is no such topic idea.");
  const { title, summary, angle, url, keywords, articleId, blogId } = found.value;
  requireSameBlog(asked, blogId);
  if (articleId !== null) throw new DomainError("topic_used", `It has become the article ${articleId}.`);
  const blog = await store.findTargetBlog({ ...asked, blogId });
  return { subject: { kind: "idea", idea: { title, summary, angle, url, keywords } }, blog, topicId };
}

async function ofArticle(store: OrganizationStore, asked: GenerationInput, articleId: string): Promise<Ordered> {
  const found = await store.findOwnArticle(articleId);
  if (found === null) throw new DomainError("not_found", "There is no such article.");
  const { title, description, content, locale, slug, coverUrl, blogId } = found;
  requireSameBlog(asked, blogId);
  if (content.trim() === "") throw invalidField("articleId", "the article has no content");
  const source = { title, description, content, locale };
  await refuseUnreadable(source);
  const translates = asked.locale !== undefined && asked.locale !== locale;
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
        slug,
        coverUrl: asked.coverImage === false ? "" : coverUrl,
      }
    : { kind: "rewrite", article: source };
  return { subject, blog, topicId: undefined };
}

function requireSameBlog(asked: GenerationInput, blogId: string): void {
  if (asked.blogId !== undefined && asked.blogId !== blogId) {
    throw invalidField("blogId", "is not the blog of the topic idea or article; leave it out");
  }
}
