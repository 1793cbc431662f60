import * as z from "zod";
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { TOPIC_STATUSES } from "../domain/topic-status.ts";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { blogId, identifier, output, toPageSize, paging, readOnlyMembers } from "./fields.ts";
import { requireSentBack } from "./unchanged.ts";

export const status = z.enum(TOPIC_STATUSES).meta({ example: "new" });

export const origin = z
  .object({
    kind: z.string().meta({ description: "`feed`, or the kind of forum.", example: "hackernews" }),
    name: z.string().meta({ description: "The source's name in the blog.", example: "Hacker News" }),
  })
  .meta({ id: "TopicOrigin" });

const mention = z
  .object({
    url: z.string(),
    source: origin,
    engagement: z
      .int()
      .optional()
      .meta({ description: "Its votes and comments when it was read last. Older mentions lack it.", example: 42 }),
  })
  .meta({ id: "TopicMention" });

export const topic = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    title: z.string().meta({ example: "Why slow ferries are back" }),
    summary: z.string().meta({ description: "The text of the item, as plain text.", example: "Three lines reopened." }),
    angle: z
      .string()
      .meta({ description: "What an article could say that the item does not; empty without a model.", example: "" }),
    url: z.string().meta({ description: "Where it was found.", example: "https://example.com/slow-ferries" }),
    source: origin,
    mentions: z
      .array(mention)
      .meta({ description: "The items about it, one for each source and URL, ten at most.", example: [] }),
    keywords: z.array(z.string()).meta({ example: ["ferries", "slow travel"] }),
    locale: z.string().meta({ description: "The language of its text.", example: "en" }),
    score: z.number().meta({
      description: "The higher, the better: the day, plus a bonus in days for votes and closeness to the blog.",
      example: 2519.375,
    }),
    status: status.meta({ description: "`used` once it has become an article.", example: "new" }),
    articleId: z.string().nullable().meta({ description: "The article that it became.", example: null }),
    creationTime: output.dateTime,
    lastEditTime: output.dateTime,
  })
  .meta({ id: "Topic" });

const { status: _, ...madeByService } = topic.shape;

export const listTopics = defineOperation({
  name: "topics.list",
  summary: "List the topic ideas of a blog",
  description: "Best first. Unused ideas are kept for a year.",
  scope: "topics:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    status: status.optional().meta({ description: "Only ideas of this status.", example: "new" }),
    ...paging,
  }),
  output: z.array(topic),
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: {
    query: { blogId: "{blogId}", limit: "20" },
    command: "topics list --blog {blogId} --limit 20",
  },
  async run({ store }, input) {
    return toListResult(await store.listTopics({ ...input, limit: toPageSize(input.limit) }));
  },
});

export const getTopic = defineOperation({
  name: "topics.get",
  summary: "Get a topic idea",
  description: "With its ETag, for changes with If-Match.",
  scope: "topics:read",
  effect: "read",
  input: z.strictObject({ topicId: identifier("a topic idea") }),
  output: topic,
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store }, { topicId }) {
    const found = await store.findTopic(topicId);
    if (found === null) throw new DomainError("not_found", "There is no such topic idea.");
    return found;
  },
});

export const updateTopic = defineOperation({
  name: "topics.update",
  summary: "Set the status of a topic idea",
  description:
    "`dismissed` hides the idea; refreshes do not bring it back. An idea that has become an article stays `used`.",
  scope: "topics:write",
  effect: "write",
  versioned: true,
  input: z
    .strictObject({ topicId: identifier("a topic idea"), status, ...readOnlyMembers(madeByService) })
    .meta({ id: "TopicChange" }),
  output: topic,
  refuses: ["not_found", "topic_used"],
  hasEtag: true,
  audit: "changed the status of the topic idea *",
  sample: { body: { status: "dismissed" } },
  async run({ store, ifMatch }, { topicId, status: next, ...shown }) {
    await requireSentBack(shown, ifMatch, () => store.findTopic(topicId));
    return store.updateTopic({ id: topicId, status: next, ifMatch });
  },
});

export const count = (description: string) => z.int().meta({ description, example: 0 });

const refresh = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    state: z.enum(["running", "done"]).meta({ example: "running" }),
    sources: z
      .array(
        z.object({
          source: z.looseObject({ kind: z.string(), name: z.string() }).meta({
            description: "As the blog had it when the refresh started.",
            example: { kind: "lobsters", name: "Lobsters: databases", tag: "databases" },
          }),
          state: z
            .enum(["waiting", "reading", "read", "unchanged", "failed"])
            .meta({ description: "`unchanged`: its server reports nothing new.", example: "waiting" }),
          found: count("Items that the source returned."),
          created: count("Ideas that were created from them."),
          merged: count("Items that belong to an existing idea, whose mentions and score they update."),
          refused: z.array(z.object({ reason: z.string(), count: z.int() })).meta({
            description: "Items that were left out, and why.",
            example: [{ reason: "has no title", count: 1 }],
          }),
          reason: z.string().nullable().meta({ description: "Why it failed, as a code.", example: null }),
          detail: z.string().nullable().meta({
            description:
              "The reason as a sentence. Of a source that was read: until when its forum asks for no requests.",
            example: null,
          }),
        }),
      )
      .meta({ description: "In the blog's order." }),
    creationTime: output.dateTime,
    finishTime: output.dateTime.nullable().meta({ description: "null while it is running." }),
  })
  .meta({ id: "TopicRefresh" });

export const refreshTopics = defineOperation({
  name: "topics.refresh",
  summary: "Refresh topic ideas",
  description:
    "Reads the blog's sources in the background. Follow it with the id in the response. A blog has one refresh at a time: while one runs, it is returned.",
  scope: "topics:write",
  effect: "write",
  input: z.strictObject({ blogId: blogId.optional() }).meta({ id: "TopicRefreshInput" }),
  output: refresh,
  refuses: ["blog_required", "blog_forbidden", "no_topic_sources", "rate_limited"],
  audit: "refreshed the topic ideas",
  sample: { body: { blogId: "{blogId}" }, command: "topics refresh --blog {blogId} --no-wait" },
  async run({ store, principal, limit, later }, input) {
    await limit("refreshes", principal.organizationId);
    const value = await store.startRefresh(input.blogId);
    if (value.sources.every(({ state }) => state === "waiting")) {
      later("sources", {
        refreshId: value._id,
        count: value.sources.length,
        organizationId: principal.organizationId,
      });
    }
    return { value };
  },
});

export const showRefresh = defineOperation({
  name: "topics.refresh-status",
  summary: "Get a refresh",
  description: `What each source has returned so far. Kept for ${LIMITS.keptDays.topicRefreshes} days.`,
  scope: "topics:read",
  effect: "read",
  input: z.strictObject({ refreshId: identifier("a refresh") }),
  output: refresh,
  refuses: ["not_found"],
  async run({ store }, { refreshId }) {
    const value = await store.findRefresh(refreshId);
    if (value === null) throw new DomainError("not_found", "There is no such refresh.");
    return { value };
  },
});
