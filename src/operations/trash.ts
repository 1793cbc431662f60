/** Deleted articles, which can be restored for a while (contract 18.27). */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import type { TrashedRecord } from "../store/articles/trash.ts";
import { article } from "./article-members.ts";
import { defineOperation, type Result } from "./define.ts";
import { blogId, deleted, identifier, output, paging, slug, toPageSize } from "./fields.ts";
import { toListResult } from "./lists.ts";

const trashed = z
  .object({
    articleId: output.id,
    blogId: output.blogId,
    title: z.string().meta({ example: "Slow mornings in Porto" }),
    slug: z.string().meta({ example: "slow-mornings-in-porto" }),
    locale: z.string().meta({ example: "en" }),
    published: z.boolean().meta({ description: "Whether it was published, and will be again if it is restored." }),
    deletedBy: z.object({ kind: z.string().meta({ example: "user" }), id: output.id }),
    deletionTime: output.dateTime,
    dueTime: output.dateTime.meta({ description: "Until when it can be restored." }),
  })
  .meta({ id: "TrashedArticle" });

export type TrashedValue = z.infer<typeof trashed>;

const toTrashed = ({ actorKind, actorId, ...record }: TrashedRecord): TrashedValue => ({
  ...record,
  deletedBy: { kind: actorKind, id: actorId },
});

const articleId = identifier("a deleted article");

export const listTrash = defineOperation({
  name: "trash.list",
  summary: "List deleted articles",
  description: `Those that can be restored, the last deleted first. An article stays in the trash for ${LIMITS.trashDays} days; if the trash has more articles or bytes of text than the organization's quota for articles, the oldest go early. Images in it count against the quota for images. A credential pinned to one blog sees only those of its blog.`,
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId: blogId.optional().meta({ description: "Only those of this blog." }),
    articleId: articleId.optional().meta({ description: "Only this article." }),
    ...paging,
  }),
  output: z.array(trashed),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: { command: "articles trash list" },
  async run({ store }, input): Promise<Result<TrashedValue[]>> {
    const { value, ...rest } = toListResult(await store.listTrash({ ...input, limit: toPageSize(input.limit) }));
    return { ...rest, value: value.map(toTrashed) };
  },
});

export const restoreArticle = defineOperation({
  name: "trash.restore",
  summary: "Restore a deleted article",
  description:
    "With its id, history, working copy, tags and authors, and public again if it was, but without its schedule and preview links. Fires article.created. `slug` gives it another slug, if an article has taken its own.",
  scope: "articles:write",
  effect: "write",
  input: z
    .strictObject({
      articleId,
      slug: slug.optional().meta({ description: "Another slug; its former one by default." }),
    })
    .meta({ id: "ArticleRestoration" }),
  output: article,
  refuses: ["not_found", "slug_taken", "quota_exceeded", "event_limit"],
  hasEtag: true,
  audit: "restored *",
  sample: { body: {}, command: "articles trash restore {articleId}" },
  run: ({ store }, input) => store.restoreArticle(input.articleId, input.slug),
});

export const deleteTrash = defineOperation({
  name: "trash.delete",
  summary: "Delete a deleted article for good",
  description: "It can no longer be restored. What is left of it is deleted within minutes.",
  scope: "articles:write",
  effect: "delete",
  input: z.strictObject({ articleId }),
  output: deleted,
  refuses: ["not_found"],
  audit: "deleted * for good",
  sample: { command: "articles trash delete {articleId} --yes" },
  async run({ store }, input) {
    await store.deleteTrash(input.articleId);
    return { value: { _id: input.articleId } };
  },
});
