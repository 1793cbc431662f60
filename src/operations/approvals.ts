/** Requests that somebody with the right publishes, unpublishes or deletes an article (contract 18.29). */
import * as z from "zod";
import { DomainError, invalidField } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { pick } from "../lib/pick.ts";
import { toShortHash } from "../lib/hash.ts";
import type { ApprovalRecord } from "../store/articles/approvals.ts";
import { defineOperation, type Result } from "./define.ts";
import { blogId, deleted, identifier, output, paging, text, toPageSize } from "./fields.ts";
import { toListResult } from "./lists.ts";
import { parsePlan, times } from "./schedules.ts";

const action = z.enum(["publish", "unpublish", "delete"]);
const state = z.enum(["waiting", "declined"]);

const approval = z
  .object({
    articleId: output.id,
    blogId: output.blogId,
    title: z.string().meta({ example: "Slow mornings in Porto" }),
    slug: z.string().meta({ example: "slow-mornings-in-porto" }),
    locale: z.string().meta({ example: "en" }),
    published: z.boolean().meta({ example: false }),
    action: action.meta({ example: "publish" }),
    publishTime: output.dateTime
      .nullable()
      .meta({ description: "When it is to be published; null: at once.", example: null }),
    unpublishTime: output.dateTime
      .nullable()
      .meta({ description: "When it is to be unpublished; null: at once, or not at all.", example: null }),
    timeZone: z.string().meta({ example: "Europe/Lisbon" }),
    note: z.string().meta({ example: "The prices are those of this week." }),
    changed: z.boolean().meta({
      description: "Whether the article, or its working copy, has changed since it was asked.",
      example: false,
    }),
    state: state.meta({ example: "waiting" }),
    declined: z
      .object({ reason: z.string(), time: output.dateTime })
      .nullable()
      .meta({ description: "Why and when it was declined; null while it waits.", example: null }),
    requestedBy: z
      .object({ kind: z.string().meta({ example: "app" }), id: output.id })
      .meta({ description: "Who asked, as in the audit log." }),
    creationTime: output.dateTime,
  })
  .meta({ id: "Approval" });

export type ApprovalValue = z.infer<typeof approval>;

const toApproval = (record: ApprovalRecord): ApprovalValue => ({
  ...pick(record, ["articleId", "blogId", "title", "slug", "locale", "action", "publishTime", "unpublishTime"]),
  ...pick(record, ["timeZone", "note", "creationTime"]),
  published: record.published === 1,
  changed: record.changed === 1,
  state: record.declineTime === null ? "waiting" : "declined",
  declined: record.declineTime === null ? null : { reason: record.declineReason ?? "", time: record.declineTime },
  requestedBy: { kind: record.actorKind, id: record.actorId },
});

/** Returns what changes without a new version. */
const toState = ({ declineTime, changed, published, title, slug, locale }: ApprovalRecord): string =>
  JSON.stringify([declineTime, changed, published, title, slug, locale]);

const articleId = identifier("an article");
const note = text(LIMITS.approvalNote);

export const requestApproval = defineOperation({
  name: "approvals.request",
  summary: "Ask for the approval of an article",
  description:
    "Asks that somebody with `articles:write` publishes, unpublishes or deletes it, at once or at a time. Replaces an earlier request about the article. Nothing changes for readers until it is approved. Publishing, unpublishing, scheduling or deleting the article otherwise ends the request. `If-Match` takes the version of the working copy, or of the article if it has none.",
  scope: "articles:draft",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      articleId,
      action: action.default("publish").meta({
        description: "`publish` is about a draft, or the working copy of a published article.",
        example: "publish",
      }),
      ...times,
      note: note
        .default("")
        .meta({ description: "For whoever approves it.", example: "The prices are those of this week." }),
    })
    .meta({ id: "ApprovalInput" }),
  output: approval,
  refuses: ["not_found"],
  audit: "asked for the approval of *",
  sample: { body: { note: "The prices are those of this week." }, command: "articles approval request {articleId}" },
  async run({ store, ifMatch }, { articleId: id, action: wanted, note: said, ...given }) {
    const record = await store.requestApproval(id, {
      action: wanted,
      note: said,
      plan: await toPlan(wanted, given),
      ifMatch,
    });
    return { value: toApproval(record) };
  },
});

/** Returns the times in UTC; null: at once. Throws an error on a time that does not fit the action. */
async function toPlan(wanted: z.infer<typeof action>, given: z.infer<z.ZodObject<typeof times>>) {
  const { publishTime, unpublishTime, timeZone } = given;
  const refuse = (name: string) => invalidField(name, `does not fit \`${wanted}\``);
  if (publishTime !== undefined && wanted !== "publish") throw refuse("publishTime");
  if (unpublishTime !== undefined && (wanted === "delete" || (wanted === "publish" && publishTime === undefined)))
    throw refuse("unpublishTime");
  if (publishTime === undefined && unpublishTime === undefined)
    return { publishTime: null, unpublishTime: null, timeZone };
  return parsePlan(given, new Date());
}

export const getApproval = defineOperation({
  name: "approvals.get",
  summary: "Get the request for the approval of an article",
  description:
    "Its ETag also changes with the article, its working copy, its tags and its authors: it stands for what was shown, and approving takes it.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId }),
  output: approval,
  refuses: ["not_found"],
  hasEtag: true,
  sample: { command: "articles approval show {articleId}" },
  async run({ store }, { articleId: id }) {
    const found = await store.findApproval(id);
    if (found === null)
      throw new DomainError("not_found", "There is no such article, or nobody has asked for its approval.");
    return { value: toApproval(found.value), version: found.version, state: await toShortHash(toState(found.value)) };
  },
});

export const listApprovals = defineOperation({
  name: "approvals.list",
  summary: "List requests for approval",
  description: "Newest first. A credential pinned to one blog sees only those of its blog.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId: blogId.optional().meta({ description: "Only those of this blog." }),
    state: state.optional().meta({ description: "Only those in this state.", example: "waiting" }),
    ...paging,
  }),
  output: z.array(approval),
  hasEtag: true,
  sample: { query: { state: "waiting" }, command: "articles approval list --state waiting" },
  async run({ store }, input): Promise<Result<ApprovalValue[]>> {
    const page = await store.listApprovals({ ...input, limit: toPageSize(input.limit) });
    const { value, ...rest } = toListResult(page, toState);
    return { ...rest, value: value.map(toApproval) };
  },
});

export const approve = defineOperation({
  name: "approvals.approve",
  summary: "Approve a request",
  description:
    "Publishes, unpublishes, schedules or deletes the article, as was asked, in the caller's name. `If-Match` takes the ETag of the request as it was shown: if the article, its working copy, its tags or the request have changed since, this is precondition_failed, and nothing happens. Without it, the article must be as it was when it was asked. A time that has passed means within a minute.",
  scope: "articles:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      articleId,
      action: action.meta({
        description: "What is approved: refused if it is not what was asked.",
        example: "publish",
      }),
      overwrite: z.boolean().default(false).meta({
        description: "Publish the working copy even if the article has changed since it was begun.",
        example: false,
      }),
    })
    .meta({ id: "ApprovalDecision" }),
  output: z.object({ articleId: output.id, action }).meta({ id: "Approved" }),
  refuses: ["not_found", "slug_taken", "term_limit", "article_changed", "quota_exceeded", "event_limit"],
  sample: { body: { action: "publish" }, command: "articles approval approve {articleId} --action publish --yes" },
  async run({ store, ifMatch }, { articleId: id, action: named, overwrite }) {
    const { action: done } = await store.approve(id, { ifMatch, action: named, overwrite });
    return { value: { articleId: id, action: done } };
  },
});

export const declineApproval = defineOperation({
  name: "approvals.decline",
  summary: "Decline a request",
  description: "Nothing changes for readers. Whoever asked sees the reason, and may ask again.",
  scope: "articles:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      articleId,
      reason: note.default("").meta({ description: "For whoever asked.", example: "Name the source of the figures." }),
    })
    .meta({ id: "Refusal" }),
  output: deleted,
  refuses: ["not_found"],
  audit: "declined the request about *",
  sample: {
    body: { reason: "Name the source of the figures." },
    command: 'articles approval decline {articleId} --reason "Name the source of the figures."',
  },
  async run({ store, ifMatch }, { articleId: id, reason }) {
    await store.declineApproval(id, { reason, ifMatch });
    return { value: { _id: id } };
  },
});

export const withdrawApproval = defineOperation({
  name: "approvals.withdraw",
  summary: "Withdraw a request",
  description: "The article stays as it is.",
  scope: "articles:draft",
  effect: "delete",
  input: z.strictObject({ articleId }),
  output: deleted,
  refuses: ["not_found"],
  audit: "withdrew the request about *",
  sample: { command: "articles approval withdraw {articleId}" },
  async run({ store }, { articleId: id }) {
    await store.withdrawApproval(id);
    return { value: { _id: id } };
  },
});
