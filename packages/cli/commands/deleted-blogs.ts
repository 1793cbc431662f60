/** Commands that delete a blog, and restore it. */
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { toPrintableLine } from "../terminal.ts";
import { NAMED } from "./blogs.ts";
import { addRows, declare, getGroup, defineRow, openOperatorClient, YES, type Taken } from "./declare.ts";
import { formatTime } from "./shared.ts";

const DELETED: Taken = ["<blog>", "its id or vanityId, as `blogs deleted` lists it"];

const ROWS = [
  defineRow("GET /api/deletedblogs", "blogs deleted", "list deleted blogs, which can be restored", {
    operator: true,
    example: "blogs deleted",
    none: "No deleted blogs.",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "VANITY ID", cell: ({ vanityId }) => vanityId },
      { head: "NAME", cell: ({ name }) => name, shrinks: true },
      { head: "DELETED (UTC)", cell: ({ deletionTime }) => formatTime(deletionTime) },
      { head: "UNTIL (UTC)", cell: ({ dueTime }) => formatTime(dueTime) },
    ],
  }),
];

export function addDeletedBlogCommands(program: Command, context: Context): void {
  addRows(program, context, ROWS);
  const blogs = getGroup(program, "blogs");
  declare(blogs, "delete", "delete a blog; it can be restored for 30 days", {
    takes: [NAMED, YES],
    example: "blogs delete field-notes --yes",
    run: (named: string, options: Confirmed) => remove(context, named, options),
  });
  declare(blogs, "restore", "restore a deleted blog", {
    takes: [DELETED],
    example: "blogs restore field-notes",
    run: (named: string) => restore(context, named),
  });
  declare(blogs, "purge", "delete a deleted blog for good", {
    takes: [DELETED, YES],
    example: "blogs purge field-notes --yes",
    run: (named: string, options: Confirmed) => purge(context, named, options),
  });
}

type Confirmed = { readonly yes?: boolean };

async function remove(context: Context, named: string, { yes }: Confirmed): Promise<void> {
  const params = { blogId: await context.blog(named) };
  const client = await openOperatorClient(context);
  const { value, etag } = await client.request("GET /api/blogs/{blogId}", { params });
  const name = toPrintableLine(value.name);
  await context.confirm(`Delete the blog ${name}? Nobody will see it. It can be restored for 30 days.`, yes);
  const { value: deleted } = await client.request("DELETE /api/blogs/{blogId}", { params, ifMatch: etag });
  context.output.result(
    deleted,
    () => `Deleted the blog ${name}. To restore it within 30 days: edgepress blogs restore ${value._id}`,
  );
}

async function restore(context: Context, named: string): Promise<void> {
  const { client, _id } = await findDeleted(context, named);
  const { value } = await client.request("POST /api/blogs/{blogId}/restore", { params: { blogId: _id } });
  context.output.result(value, () => `Restored the blog ${toPrintableLine(value.name)}.`);
}

async function purge(context: Context, named: string, { yes }: Confirmed): Promise<void> {
  const { client, _id, name } = await findDeleted(context, named);
  await context.confirm(`Delete the blog ${toPrintableLine(name)} for good? It cannot be restored.`, yes);
  const { value } = await client.request("DELETE /api/deletedblogs/{blogId}", { params: { blogId: _id } });
  context.output.result(value, () => `Deleted the blog ${toPrintableLine(name)} for good.`);
}

/** Returns a deleted blog by its id or vanityId, and a client for it. An unknown name is sent as an id, and refused. */
async function findDeleted(context: Context, named: string) {
  const client = await openOperatorClient(context);
  const all = await client.list("GET /api/deletedblogs", {}).all();
  const found = all.find(({ _id, vanityId }) => [_id, vanityId].includes(named.toLowerCase()));
  return { client, _id: found?._id ?? named, name: found?.name ?? named };
}
