import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError, type FieldError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import type { TopicSource } from "../domain/topic-source.ts";
import type { KnownTopic } from "../store/topics/research.ts";
import type { ResearchedIdea, ResearchedSource } from "../background/topics/research.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { blogId } from "./fields.ts";
import { toSourceKey, source } from "./topic-sources.ts";
import { count, origin, status, topic } from "./topics.ts";

const { title, summary, url, source: foundIn, mentions, keywords, locale } = topic.shape;

const idea = z.object({
  title,
  summary,
  url,
  source: foundIn,
  mentions,
  keywords,
  locale,
  score: z.number().meta({ description: "As for a topic idea: the higher, the better.", example: 2519.375 }),
  known: z
    .object({ topicId: z.string(), status })
    .nullable()
    .meta({ description: "The blog's own idea about the same subject; null if it has none.", example: null }),
});

const research = z
  .object({
    blogId: z.string().meta({ description: "The blog that the ideas were compared with." }),
    sources: z.array(
      z.object({
        source: origin,
        state: z
          .enum(["read", "failed", "left"])
          .meta({ description: "`left`: the blog has more sources than one call reads.", example: "read" }),
        found: count("Items that the source returned."),
        refused: z
          .array(z.object({ reason: z.string(), count: z.int() }))
          .meta({ description: "Items that were left out, and why.", example: [{ reason: "has no title", count: 1 }] }),
        reason: z.string().nullable().meta({ description: "Why it failed, as a code.", example: null }),
        detail: z.string().nullable().meta({ description: "The reason as a sentence.", example: null }),
      }),
    ),
    ideas: z.array(idea).meta({ description: "Best first." }),
  })
  .meta({ id: "TopicResearch" });

export const researchTopics = defineOperation({
  name: "topics.research",
  summary: "Research topic ideas",
  description: `Reads up to ${LIMITS.researchSources} feeds and forums immediately, either the given ones or the blog's own, and shows what they contain, as a refresh would find it. Nothing is stored. A source that cannot be read is reported. A caller can do this ${RATES.researches} times a minute, an organization ${RATES.comparisons} times.`,
  scope: "topics:read",
  effect: "read",
  input: z
    .strictObject({
      blogId: blogId.optional(),
      sources: z
        .array(source)
        .min(1, "must not be empty")
        .max(LIMITS.researchSources)
        .optional()
        .meta({
          description: "Feeds and forums, as in a blog's `topicSources`. By default, the blog's own.",
          example: [{ kind: "lobsters", tag: "databases" }],
        }),
      limit: z
        .int()
        .min(1)
        .max(LIMITS.researchIdeas)
        .default(20)
        .meta({ description: `Ideas to list, ${LIMITS.researchIdeas} at most.`, example: 20 }),
    })
    .meta({ id: "TopicResearchInput" }),
  output: research,
  refuses: ["blog_required", "blog_forbidden", "no_topic_sources"],
  sample: { body: { blogId: "{blogId}", limit: 10 } },
  async run(context, { blogId: id, sources: asked, limit }) {
    const { store, services } = context;
    const { research: look } = await services();
    const named = asked && requireDistinct(asked);
    const board = await store.readTopicBoard(id);
    const sources = named ?? board.sources;
    if (sources.length === 0) throw new DomainError("no_topic_sources");
    await limitResearch(context);
    const found = await look(sources.slice(0, LIMITS.researchSources), board);
    const ideas = found.ideas.slice(0, limit);
    const names = {
      urlKeys: ideas.flatMap((each) => each.idea.urlKeys),
      ids: ideas.flatMap(({ topicId }) => topicId ?? []),
    };
    const known = await store.findKnownTopics(board.blogId, names);
    const left = sources.slice(LIMITS.researchSources).map(toLeftSource);
    return {
      value: {
        blogId: board.blogId,
        sources: [...found.sources.map(toSource), ...left],
        ideas: ideas.map((each) => toIdea(each, known)),
      },
    };
  },
});

type Asked = z.infer<typeof source>;

/** Throws `invalid_request` if a source is repeated. */
function requireDistinct(asked: readonly Asked[]): TopicSource[] {
  const keys = asked.map(toSourceKey);
  const errors = keys.flatMap((key, place): FieldError[] =>
    keys.indexOf(key) < place ? [{ path: `sources.${place}`, message: "is a duplicate" }] : [],
  );
  if (errors.length > 0) throw new DomainError("invalid_request", undefined, { errors });
  return asked.map((each) => ({ ...each, name: each.name ?? "" }));
}

const toSource = ({ refused, ...told }: ResearchedSource) => ({
  ...told,
  refused: Object.entries(refused).map(([reason, times]) => ({ reason, count: times })),
});

/** A source above the number that one research reads. */
const toLeftSource = ({ kind, name }: TopicSource) => ({
  source: { kind, name },
  state: "left" as const,
  found: 0,
  refused: [],
  reason: null,
  detail: null,
});

function toIdea({ idea: found, topicId }: ResearchedIdea, known: readonly KnownTopic[]) {
  const { title, summary, url, source: from, mentions, keywords, locale, score, urlKeys } = found;
  const own = known.find(({ urlKey, topicId: id }) => (urlKey === null ? id === topicId : urlKeys.includes(urlKey)));
  return {
    title,
    summary,
    url,
    source: from,
    mentions: [...mentions],
    keywords: [...keywords],
    locale,
    score,
    known: own === undefined ? null : { topicId: own.topicId, status: own.status },
  };
}

/** Counts a research of the caller and of the organization. Throws `rate_limited`. */
export async function limitResearch({ limit, principal }: OrganizationContext): Promise<void> {
  await limit("researches", principal.id);
  await limit("organizationResearches", principal.organizationId);
}
