import * as z from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import { describeCursor, defineTool, nextCursor, describeLimit, readPage, READS, WRITES } from "../tool.ts";

// Tools do not show people (contract 15.5).
const scheduled = registry.getSchedule.output.omit({ scheduledBy: true });

const { articleId, publishTime, unpublishTime, timeZone } = registry.setSchedule.input.shape;

export const scheduleArticle = defineTool({
  name: "schedule_article",
  title: "Schedule an article",
  description:
    "Sets when an article is published and unpublished, in place of the schedule it has. Call it only when the user has asked for these times. A draft needs `publishTime`; a published article can only have `unpublishTime`. Without both, its schedule is deleted. Pass local times with the user's `timeZone`.",
  operations: [registry.setSchedule, registry.deleteSchedule],
  annotations: { ...WRITES, idempotentHint: true },
  // Without the fields that only the service sets.
  input: z.strictObject({ articleId, publishTime, unpublishTime, timeZone }),
  output: z.object({ schedule: scheduled.nullable() }),
  holdsTexts: true,
  async run({ run }, input) {
    if ((input.publishTime ?? input.unpublishTime ?? null) === null) {
      await run(registry.deleteSchedule, () => ({ articleId: input.articleId }));
      return { schedule: null };
    }
    return { schedule: (await run(registry.setSchedule, () => input)).value };
  },
  asks: {
    wish({ publishTime, unpublishTime, ...input }) {
      if ((publishTime ?? unpublishTime ?? null) === null) return null;
      const given = { publishTime: publishTime ?? undefined, unpublishTime: unpublishTime ?? undefined };
      return { ...input, ...given, action: given.publishTime === undefined ? "unpublish" : "publish" };
    },
    async result({ run }, { articleId: id }) {
      return { schedule: (await run(registry.getSchedule, () => ({ articleId: id }))).value };
    },
  },
});

const { cursor, ...narrowing } = registry.listSchedules.input.shape;

export const listSchedules = defineTool({
  name: "list_schedules",
  title: "List schedules",
  description:
    "Lists what is scheduled to be published or unpublished, next first, including what has failed (`failed`).",
  operations: [registry.listSchedules],
  annotations: READS,
  input: z.strictObject({
    blogId: narrowing.blogId,
    from: narrowing.from,
    to: narrowing.to,
    state: narrowing.state,
    limit: describeLimit(LIMITS.page, 20),
    cursor: describeCursor(cursor),
  }),
  output: z.object({ schedules: z.array(scheduled), nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(input, (asked) => run(registry.listSchedules, () => asked));
    return { schedules: value, nextCursor: next ?? null };
  },
});
