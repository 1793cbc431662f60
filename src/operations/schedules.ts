import * as z from "zod";
import { DomainError, invalidField } from "../domain/errors.ts";
import { toShortHash } from "../lib/hash.ts";
import { pick } from "../lib/pick.ts";
import { isTimeZone, toUtc } from "../lib/zoned.ts";
import { LIMITS } from "../domain/limits.ts";
import type { ScheduleRecord } from "../store/articles/schedules.ts";
import { toListResult } from "./lists.ts";
import { defineOperation, type Result } from "./define.ts";
import { plan, state } from "./schedule-plan.ts";
import {
  blogId,
  dateTime,
  deleted,
  identifier,
  instant,
  line,
  output,
  toPageSize,
  paging,
  readOnly,
} from "./fields.ts";
import { requireSentBack } from "./unchanged.ts";

const schedule = plan
  .extend({
    articleId: output.id,
    blogId: output.blogId,
    title: z.string().meta({ example: "Slow mornings in Porto" }),
    slug: z.string().meta({ example: "slow-mornings-in-porto" }),
    locale: z.string().meta({ example: "en" }),
    published: z.boolean().meta({ example: false }),
  })
  .meta({ id: "Schedule" });

export type ScheduleValue = z.infer<typeof schedule>;

const toSchedule = (record: ScheduleRecord): ScheduleValue => ({
  ...pick(record, ["articleId", "blogId", "title", "slug", "locale"]),
  published: record.published === 1,
  ...(JSON.parse(record.plan) as z.infer<typeof plan>),
});

/** Returns what changes without a new version: what a schedule shows of its article. */
const toState = ({ title, slug, locale, published }: ScheduleRecord): string =>
  JSON.stringify([title, slug, locale, published]);

const articleId = identifier("an article");

export const getSchedule = defineOperation({
  name: "schedules.get",
  summary: "Get the schedule of an article",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId }),
  output: schedule,
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store }, { articleId: id }) {
    const found = await store.findSchedule(id);
    if (found === null) throw new DomainError("not_found", "There is no such article, or it has no schedule.");
    return { value: toSchedule(found.value), version: found.version, state: await toShortHash(toState(found.value)) };
  },
});

const when = line(40).optional();

export const times = {
  publishTime: when.meta({ description: "When to publish it.", example: "2026-12-01T09:00" }),
  unpublishTime: when.meta({ description: "When to unpublish it.", example: "2026-12-24T18:00:00Z" }),
  timeZone: line(64).default("UTC").meta({ description: "The time zone of local times.", example: "Europe/Lisbon" }),
};

export type Times = z.infer<z.ZodObject<typeof times>>;

/** Returns the requested schedule in UTC. Throws an error on the invalid field. */
export async function parsePlan({ timeZone, ...asked }: Times, now: Date) {
  if (!(await isTimeZone(timeZone))) {
    throw invalidField("timeZone", "must be an IANA time zone, such as Europe/Lisbon");
  }
  const parseTime = async (name: "publishTime" | "unpublishTime"): Promise<string | null> => {
    const text = asked[name];
    if (text === undefined) return null;
    const utc = await toUtc(text, timeZone);
    if (utc === null)
      throw invalidField(name, "must be RFC 3339 with an offset, or a local time such as 2026-12-01T09:00");
    if (utc <= now.toISOString()) throw invalidField(name, "must be in the future");
    if (utc > getLatest(now)) throw invalidField(name, `must be within the next ${LIMITS.scheduleYears} years`);
    return utc;
  };
  const [publishTime, unpublishTime] = [await parseTime("publishTime"), await parseTime("unpublishTime")];
  if (publishTime === null && unpublishTime === null)
    throw invalidField("publishTime", "is required, unless you send unpublishTime");
  if (publishTime !== null && unpublishTime !== null && unpublishTime <= publishTime) {
    throw invalidField("unpublishTime", "must be after publishTime");
  }
  return { publishTime, unpublishTime, timeZone };
}

const getLatest = (now: Date): string => {
  const time = new Date(now);
  time.setUTCFullYear(time.getUTCFullYear() + LIMITS.scheduleYears);
  return time.toISOString();
};

/** Read-only members. */
const sentBack = {
  blogId: blogId.optional().meta(readOnly),
  title: line(LIMITS.title).optional().meta(readOnly),
  slug: line(LIMITS.slug).optional().meta(readOnly),
  locale: line(LIMITS.locale).optional().meta(readOnly),
  published: z.boolean().optional().meta(readOnly),
  dueTime: dateTime.optional().meta(readOnly),
  state: state.optional().meta(readOnly),
  failure: plan.shape.failure.optional().meta(readOnly),
  scheduledBy: plan.shape.scheduledBy.optional().meta(readOnly),
  creationTime: dateTime.optional().meta(readOnly),
};

export const setSchedule = defineOperation({
  name: "schedules.set",
  summary: "Schedule an article",
  description:
    "Replaces the schedule it has. A draft needs `publishTime`, a published article only `unpublishTime`. Each is RFC 3339 with an offset, or a local time such as `2026-12-01T09:00` in `timeZone`. Fires no event until the time comes. `If-Match` takes the version of the schedule, or of the article if it has none yet.",
  scope: "articles:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({
      articleId,
      ...times,
      publishTime: times.publishTime.nullable(),
      unpublishTime: times.unpublishTime.nullable(),
      ...sentBack,
    })
    .meta({ id: "ScheduleInput" }),
  output: schedule,
  refuses: ["not_found"],
  hasEtag: true,
  audit: "scheduled *",
  sample: {
    body: { publishTime: "2034-12-01T09:00", timeZone: "Europe/Lisbon" },
    command: 'articles schedule {articleId} --publish "2034-12-01 09:00" --zone Europe/Lisbon',
  },
  async run({ store, ifMatch }, { articleId: id, publishTime, unpublishTime, timeZone, ...shown }) {
    await requireSentBack(shown, ifMatch, async () => {
      const stored = await store.findSchedule(id);
      return stored === null ? { value: {} } : { ...stored, value: toSchedule(stored.value) };
    });
    const asked = { publishTime: publishTime ?? undefined, unpublishTime: unpublishTime ?? undefined, timeZone };
    const { value, version } = await store.setSchedule(id, { plan: await parsePlan(asked, new Date()), ifMatch });
    return { value: toSchedule(value), version };
  },
});

export const deleteSchedule = defineOperation({
  name: "schedules.delete",
  summary: "Delete the schedule of an article",
  description: "The article stays as it is.",
  scope: "articles:write",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ articleId }),
  output: deleted,
  refuses: ["not_found"],
  audit: "unscheduled *",
  sample: { command: "articles unschedule {articleId}" },
  async run({ store, ifMatch }, { articleId: id }) {
    await store.deleteSchedule(id, ifMatch);
    return { value: { _id: id } };
  },
});

export const listSchedules = defineOperation({
  name: "schedules.list",
  summary: "List schedules",
  description: "Next first, including those that failed. A credential pinned to one blog sees only those of its blog.",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    blogId: blogId.optional().meta({ description: "Only those of this blog." }),
    from: instant.optional().meta({ description: "Only those due at this time or later." }),
    to: instant.optional().meta({ description: "Only those due before this time." }),
    time: z.enum(["next", "unpublish"]).default("next").meta({
      description:
        "The time that `from` and `to` filter by: the next one, or `unpublishTime`. The order stays the same.",
      example: "next",
    }),
    state: state.optional().meta({ description: "Only those in this state.", example: "failed" }),
    ...paging,
  }),
  output: z.array(schedule),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: { query: { blogId: "{blogId}" }, command: "schedules --blog {blogId}" },
  async run({ store }, input): Promise<Result<ScheduleValue[]>> {
    const page = await store.listSchedules({ ...input, limit: toPageSize(input.limit) });
    const { value, ...rest } = toListResult(page, toState);
    return { ...rest, value: value.map(toSchedule) };
  },
});
