import * as z from "zod";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { blogId, output, toPageSize, paging, slugCursor } from "./fields.ts";

const movedSlug = z
  .object({
    slug: z.string().meta({ description: "The previous slug.", example: "slow-mornings" }),
    locale: z.string().meta({ example: "en" }),
    to: z.object({
      articleId: output.id,
      slug: z.string().meta({ example: "slow-mornings-in-porto" }),
      locale: z.string().meta({ example: "en" }),
    }),
    published: z.boolean().meta({ description: "false: the article is a draft now, so the slug leads nowhere." }),
    moveTime: output.dateTime,
  })
  .meta({ id: "MovedSlug" });

export const listMovedSlugs = defineOperation({
  name: "blogs.movedslugs",
  summary: "List the previous slugs of a blog",
  description:
    "In alphabetical order: slugs that published articles had before, and their current ones. A static host can make redirects of those with `published`.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    limit: paging.limit,
    cursor: slugCursor(80),
  }),
  output: z.array(movedSlug),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: { command: "blogs moved --blog {blogId}" },
  async run({ store }, { limit, ...input }) {
    return toListResult(await store.listMovedSlugs({ ...input, limit: toPageSize(limit) }));
  },
});
