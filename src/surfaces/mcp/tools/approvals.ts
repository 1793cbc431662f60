import * as z from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import {
  describeCursor,
  describeLimit,
  defineTool,
  expectedVersion,
  nextCursor,
  readPage,
  READS,
  toIfMatch,
  WRITES,
} from "../tool.ts";

// Tools do not show people (contract 15.5).
const approval = registry.getApproval.output.omit({ requestedBy: true });

const { articleId, action, publishTime, unpublishTime, timeZone, note } = registry.requestApproval.input.shape;

export const requestApproval = defineTool({
  name: "request_approval",
  title: "Ask for approval",
  description:
    "Asks a person to publish an article, or the unpublished changes of a published one, at once or at a time; or to unpublish or delete it. It waits in the console until somebody approves exactly the state they see. Use it when you may only write drafts. Replaces an earlier request about the article.",
  operations: [registry.requestApproval],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({ articleId, action, publishTime, unpublishTime, timeZone, note, version: expectedVersion }),
  output: approval,
  holdsTexts: true,
  async run({ run }, { version, ...wish }) {
    return (await run(registry.requestApproval, () => wish, toIfMatch(version))).value;
  },
});

const { blogId, state, cursor } = registry.listApprovals.input.shape;

export const listApprovals = defineTool({
  name: "list_approvals",
  title: "List requests for approval",
  description:
    "Lists the requests that wait or were declined (`declined` says why), newest first. Approved ones are gone.",
  operations: [registry.listApprovals],
  annotations: READS,
  input: z.strictObject({ blogId, state, limit: describeLimit(LIMITS.page, 20), cursor: describeCursor(cursor) }),
  output: z.object({ approvals: z.array(approval), nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(input, (asked) => run(registry.listApprovals, () => asked));
    return { approvals: value, nextCursor: next ?? null };
  },
});
