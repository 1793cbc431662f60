/** Keeps a draft from changing the tags and authors that readers see: its published translations share them. */
import type * as z from "zod";
import { DomainError, invalidField } from "../errors.ts";
import { registry } from "../operations/registry.ts";
import type { Use } from "./tool.ts";

const KINDS = ["tags", "authors"] as const;

type Given = Partial<Pick<z.output<typeof registry.saveArticle.input>, (typeof KINDS)[number]>>;

/**
 * Throws an error on `tags` or `authors` if they differ from those of a published translation. Without `blogId`, the slug is
 * one of the organization's only blog.
 */
export async function requireShared(
  run: Use["run"],
  { blogId, slug }: { readonly blogId: string | undefined; readonly slug: string },
  given: Given,
): Promise<void> {
  if (KINDS.every((kind) => given[kind] === undefined)) return;
  const blog = blogId ?? (await blogOf(run, slug));
  if (blog === null) return;
  const query: z.input<typeof registry.listArticles.input> = {
    blogId: blog,
    slug,
    published: true,
    fields: ["_id", ...KINDS],
    limit: 1,
  };
  const [published] = (await run(registry.listArticles, () => query)).value;
  if (published === undefined) return;
  for (const kind of KINDS) {
    const has = published[kind] ?? [];
    const names = given[kind]?.map((each) => (typeof each === "string" ? each : each.slug).toLowerCase());
    const isSame = names?.every((name, at) => [has[at]?.slug, has[at]?.name.toLowerCase()].includes(name));
    if (names === undefined || (isSame && names.length === has.length)) continue;
    throw invalidField(
      kind,
      `are shared with a published translation, whose readers would see the change. Leave them out, or change them at that article (${published._id}), where they wait for publish_article`,
    );
  }
}

/** Returns the blog of the article with this slug, or null if there is none. */
async function blogOf(run: Use["run"], slug: string): Promise<string | null> {
  try {
    const { value } = await run(registry.getArticle, () => ({ idOrSlug: slug, fields: ["blogId" as const] }));
    return value.blogId ?? null;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}
