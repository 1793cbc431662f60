/** A draft shares its tags and authors with its published translations, so it must not change what readers see. */
import { DomainError, invalidField } from "../../domain/errors.ts";
import { registry } from "../../operations/registry.ts";
import { findDifferingTerms, type GivenTerms } from "../../operations/shared-terms.ts";
import type { Use } from "./tool.ts";

/**
 * Throws `invalid_request` if the tags or authors differ from those of a published translation. Without `blogId`, the slug
 * belongs to the organization's only blog.
 */
export async function requireSharedTerms(
  run: Use["run"],
  { blogId, slug }: { readonly blogId: string | undefined; readonly slug: string },
  given: GivenTerms,
): Promise<void> {
  if (given.tags === undefined && given.authors === undefined) return;
  const blog = blogId ?? (await findBlogId(run, slug));
  if (blog === null) return;
  const list = async (query: Parameters<Parameters<typeof findDifferingTerms>[0]>[0]) =>
    (await run(registry.listArticles, () => query)).value;
  const differing = await findDifferingTerms(list, { blogId: blog, slug }, given);
  if (differing === null) return;
  throw invalidField(
    differing.kind,
    `are shared with a published translation, whose readers would see the change. Leave them out, or change them at that article (${differing.articleId}), where they wait for publish_article`,
  );
}

async function findBlogId(run: Use["run"], slug: string): Promise<string | null> {
  try {
    const { value } = await run(registry.getArticle, () => ({ idOrSlug: slug, fields: ["blogId" as const] }));
    return value.blogId ?? null;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}
