/** Defines the operation that lists the former slugs of a blog. */
import * as z from "zod";
import { listOf } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { blogId, output, pageSize, paging, slugCursor } from "./fields.ts";

const movedSlug = z
  .object({
    slug: z.string().meta({ description: "What the article was found by.", example: "slow-mornings" }),
    locale: z.string().meta({ example: "en" }),
    to: z.object({
      articleId: output.id,
      slug: z.string().meta({ example: "slow-mornings-in-porto" }),
      locale: z.string().meta({ example: "en" }),
    }),
    published: z.boolean().meta({ description: "false: the article is a draft by now, so nobody is led to it." }),
    moveTime: output.dateTime,
  })
  .meta({ id: "MovedSlug" });

export const listMovedSlugs = defineOperation({
  name: "blogs.movedslugs",
  summary: "List the former slugs of a blog",
  description:
    "In alphabetical order: slugs under which published articles were found before, and what they are now. A static host makes its redirects of those with `published`.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    limit: paging.limit,
    cursor: slugCursor(80),
  }),
  output: z.array(movedSlug),
  async run({ store }, { limit, ...input }) {
    return listOf(await store.listMovedSlugs({ ...input, limit: pageSize(limit) }));
  },
});
