/** Deletions that can be undone for a while (contract 18.26). */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import type { DeletionRecord } from "../store/articles/deletions.ts";
import { toListResult } from "./lists.ts";
import { defineOperation, type OrganizationContext, type Result } from "./define.ts";
import { deleted, identifier, output, toPageSize, paging } from "./fields.ts";

const deletion = z
  .object({
    articleId: output.id,
    blogId: output.blogId,
    title: z.string().meta({ example: "Slow mornings in Porto" }),
    slug: z.string().meta({ example: "slow-mornings-in-porto" }),
    locale: z.string().meta({ example: "en" }),
    dueTime: output.dateTime.meta({ description: "Until when the deletion can be undone." }),
    state: z.enum(["waiting", "failed"]).meta({
      description: "`failed`: the article was not deleted. See `failure`.",
      example: "waiting",
    }),
    failure: z
      .object({ code: z.string(), detail: z.string() })
      .nullable()
      .meta({ description: "Why it was not deleted; null while it waits.", example: null }),
    deletedBy: z.object({ kind: z.string().meta({ example: "user" }), id: output.id }),
    creationTime: output.dateTime,
  })
  .meta({ id: "Deletion" });

export type DeletionValue = z.infer<typeof deletion>;

const toDeletion = (record: DeletionRecord): DeletionValue => {
  const { failureCode, failureDetail, actorKind, actorId, ...rest } = record;
  return {
    ...rest,
    state: failureCode === null ? "waiting" : "failed",
    failure: failureCode === null ? null : { code: failureCode, detail: failureDetail ?? "" },
    deletedBy: { kind: actorKind, id: actorId },
  };
};

/** Returns what changes without a new version: what a deletion shows of its article. */
const toState = ({ title, slug, locale }: DeletionRecord): string => JSON.stringify([title, slug, locale]);

const articleId = identifier("an article");

const enqueueDeletion = ({ later, principal }: OrganizationContext, { articleId: id }: DeletionRecord): void =>
  later("deletion", { articleId: id, organizationId: principal.organizationId, actorId: principal.id });

/** Returns false if the caller has already started the deletion. Throws the errors of the store. */
export async function deleteLater(context: OrganizationContext, id: string): Promise<boolean> {
  const asked = await context.store.setDeletionIfChanged(id);
  if (asked !== null) enqueueDeletion(context, asked.value);
  return asked !== null;
}

export const setDeletion = defineOperation({
  name: "deletions.set",
  summary: "Delete an article, with time to undo it",
  description: `The article stays as it is for ${LIMITS.undoSeconds} seconds, also for readers. Then it is deleted, with its event, unless the article or its working copy was changed in the meantime. \`DELETE /api/articles/{articleId}\` deletes at once.`,
  scope: "articles:write",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ articleId }),
  output: deletion,
  refuses: ["not_found"],
  audit: "requested the deletion of *",
  sample: { body: {} },
  async run(context, { articleId: id }) {
    const { value } = await context.store.setDeletion(id, context.ifMatch);
    enqueueDeletion(context, value);
    return { value: toDeletion(value) };
  },
});

export const cancelDeletion = defineOperation({
  name: "deletions.cancel",
  summary: "Undo the deletion of an article",
  description: "The article stays as it was. If the deletion failed, this removes the record of the failure.",
  scope: "articles:write",
  effect: "delete",
  input: z.strictObject({ articleId }),
  output: deleted,
  refuses: ["not_found"],
  audit: "undid the deletion of *",
  async run({ store }, { articleId: id }) {
    await store.cancelDeletion(id);
    return { value: { _id: id } };
  },
});

export const listDeletions = defineOperation({
  name: "deletions.list",
  summary: "List pending deletions",
  description: "Next first, including those that failed. A credential pinned to one blog sees only those of its blog.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    articleId: articleId.optional().meta({ description: "Only the deletion of this article." }),
    ...paging,
  }),
  output: z.array(deletion),
  hasEtag: true,
  async run({ store }, input): Promise<Result<DeletionValue[]>> {
    const page = await store.listDeletions({ ...input, limit: toPageSize(input.limit) });
    const { value, ...rest } = toListResult(page, toState);
    return { ...rest, value: value.map(toDeletion) };
  },
});
