import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { listOf } from "./articles.ts";
import { defineOperation } from "./define.ts";
import { output, pageSize, paging } from "./fields.ts";

const entry = z
  .object({
    _id: output.id,
    actor: z.object({
      kind: z.string().meta({ description: "key, operator, user or app.", example: "key" }),
      id: z.string().meta({
        description: "The identifier of the credential, the person or the connection.",
        example: "019a9d3b-6c7d-7e8f-9a0b-1c2d3e4f5a6b",
      }),
    }),
    action: z.string().meta({ example: "articles.update" }),
    resourceId: output.id,
    blogId: output.blogId.nullable(),
    requestId: z
      .string()
      .meta({ description: "The X-Request-Id of the call.", example: "019a9d3c-9a10-7f3b-8c2d-4e5f6a7b8c9d" }),
    creationTime: output.dateTime,
  })
  .meta({ id: "AuditEntry" });

export const listAudit = defineOperation({
  name: "audit.list",
  summary: "List the organization's writes",
  description: `Who changed what, and when; newest first, kept for ${LIMITS.keptDays.audit} days.`,
  scope: "operator",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(entry),
  async run({ store }, input) {
    return listOf(await store.listAudit({ ...input, limit: pageSize(input.limit) }));
  },
});
