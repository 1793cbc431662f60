import { DomainError, invalidField } from "../domain/errors.ts";
import type { OrganizationStore } from "../store/organization.ts";

type Asked = { readonly blogId?: string | undefined };

/**
 * Returns a topic idea about which an article may be written. Throws `not_found`, `topic_used`, and an error on `blogId`
 * if the idea is another blog's. The article's commit checks again that it is not used.
 */
export async function findUnusedTopic(store: Pick<OrganizationStore, "findTopic">, topicId: string, asked: Asked) {
  const found = await store.findTopic(topicId);
  if (found === null) throw new DomainError("not_found", "There is no such topic idea.");
  const { articleId, blogId } = found.value;
  requireSameBlog(asked, blogId);
  if (articleId !== null) throw new DomainError("topic_used", `It is already the article ${articleId}.`);
  return found.value;
}

export function requireSameBlog(asked: Asked, blogId: string): void {
  if (asked.blogId !== undefined && asked.blogId !== blogId) {
    throw invalidField("blogId", "is not the blog of the topic idea or article; leave it out");
  }
}
