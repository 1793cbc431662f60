/** Deleting a blog, and restoring it (contract 5.9). */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { blog } from "./blogs.ts";
import { defineOperation } from "./define.ts";
import { blogId, deleted, output, toPageSize, paging } from "./fields.ts";
import { toListResult } from "./lists.ts";

const deletedBlog = z
  .object({
    _id: output.id,
    name: z.string().meta({ example: "Field Notes" }),
    vanityId: z.string().meta({ example: "field-notes" }),
    deletionTime: output.dateTime,
    dueTime: output.dateTime.meta({ description: "Until when it can be restored." }),
  })
  .meta({ id: "DeletedBlog" });

export const deleteBlog = defineOperation({
  name: "blogs.delete",
  summary: "Delete a blog",
  description: `Nobody sees it any more, and what is planned for it rests. It can be restored for ${LIMITS.trashDays} days, then it is deleted for good. Fires blog.deleted, and no event of its articles.`,
  scope: "operator",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ blogId }),
  output: deleted,
  refuses: ["blog_forbidden", "event_limit"],
  audit: "deleted the blog *",
  sample: { command: "blogs delete {blogId} --yes" },
  async run({ store, ifMatch }, { blogId: id }) {
    await store.deleteBlog(id, ifMatch);
    return { value: { _id: id } };
  },
});

export const listDeletedBlogs = defineOperation({
  name: "blogs.deleted",
  summary: "List deleted blogs",
  description: "Those that can be restored, the last one first.",
  scope: "operator",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(deletedBlog),
  hasEtag: true,
  sample: { command: "blogs deleted" },
  async run({ store }, input) {
    return toListResult(await store.listDeletedBlogs({ ...input, limit: toPageSize(input.limit) }));
  },
});

export const restoreBlog = defineOperation({
  name: "blogs.restore",
  summary: "Restore a deleted blog",
  description: "With everything in it, as it was. What became due meanwhile is done now. Fires blog.created.",
  scope: "operator",
  effect: "write",
  input: z.strictObject({ blogId }),
  output: blog,
  refuses: ["not_found", "event_limit"],
  hasEtag: true,
  audit: "restored the blog *",
  sample: { body: {}, command: "blogs restore {blogId}" },
  run: ({ store }, { blogId: id }) => store.restoreBlog(id),
});

export const eraseBlog = defineOperation({
  name: "blogs.erase",
  summary: "Delete a deleted blog for good",
  description: "Everything in it is deleted within minutes, and cannot be restored.",
  scope: "operator",
  effect: "delete",
  input: z.strictObject({ blogId }),
  output: deleted,
  refuses: ["not_found"],
  audit: "deleted the blog * for good",
  sample: { command: "blogs purge {blogId} --yes" },
  async run({ store }, { blogId: id }) {
    await store.eraseBlog(id);
    return { value: { _id: id } };
  },
});
