import * as z from "zod";
import { AUDIT_KINDS } from "../domain/audit-kinds.ts";
import { LIMITS } from "../domain/limits.ts";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { instant, line, output, toPageSize, paging } from "./fields.ts";

const entry = z
  .object({
    _id: output.id,
    actor: z.object({
      kind: z
        .string()
        .meta({ description: "key, operator, user or app; reader, schedule or service.", example: "key" }),
      id: z.string().meta({
        description: "The identifier of the credential, the person or the connection.",
        example: "019a9d3b-6c7d-7e8f-9a0b-1c2d3e4f5a6b",
      }),
      name: z
        .string()
        .nullable()
        .meta({ description: "Its current name; null once it is gone.", example: "Continuous integration" }),
    }),
    action: z.string().meta({ example: "articles.update" }),
    resourceId: output.id,
    resourceName: z.string().nullable().meta({
      description: "The current title, name or URL of what was changed; null if it has none or is gone.",
      example: "Slow mornings in Porto",
    }),
    blogId: output.blogId.nullable(),
    requestId: z
      .string()
      .meta({ description: "The X-Request-Id of the call.", example: "019a9d3c-9a10-7f3b-8c2d-4e5f6a7b8c9d" }),
    creationTime: output.dateTime,
  })
  .meta({ id: "AuditEntry" });

export const listAudit = defineOperation({
  name: "audit.list",
  summary: "List the audit log",
  description: `Who changed what, and when: newest first, kept for ${LIMITS.keptDays.audit} days. With \`actor\` or \`kind\`, a page looks through at most ${LIMITS.auditScanned} entries, so it can have fewer than \`limit\`, or none, and still a \`Link\` to more.`,
  scope: "operator",
  effect: "read",
  input: z.strictObject({
    actor: line(100).min(1, "must not be empty").optional().meta({
      description: "Only changes by this credential, person or connection, by its identifier.",
      example: "019a9d3b-6c7d-7e8f-9a0b-1c2d3e4f5a6b",
    }),
    kind: z
      .enum(AUDIT_KINDS)
      .optional()
      .meta({ description: "Only changes of this kind of thing: the first part of `action`.", example: "articles" }),
    from: instant.optional().meta({ description: "Only changes at this time or later." }),
    to: instant.optional().meta({ description: "Only changes before this time." }),
    ...paging,
  }),
  output: z.array(entry),
  hasEtag: true,
  sample: { query: { limit: "20" } },
  async run({ store }, { from, to, ...query }) {
    const limit = toPageSize(query.limit);
    const page = await store.listAudit({ ...query, from: toDate(from), to: toDate(to), limit });
    return toListResult(page, ({ actor, resourceName }) => JSON.stringify([actor.name, resourceName]));
  },
});

const toDate = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
