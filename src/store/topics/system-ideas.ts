/** Reads and stores the ideas of refreshes of all organizations, for the consumer of the topics queue. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Quota } from "../../domain/quotas.ts";
import type { TopicOrigin } from "../../domain/topic-source.ts";
import { newId } from "../../lib/ids.ts";
import { toDay } from "../../lib/time.ts";
import { BLOG_OF_IDEAS, selectIdeas, selectTitles } from "./board.ts";
import {
  topicItems,
  topicRefreshSources as sources,
  topicSourceStates as states,
  topics,
} from "../../schema/topics.ts";
import { blogs } from "../../schema/blogs.ts";
import { selectQuota } from "../core/quota.ts";
import { organizations } from "../../schema/core.ts";
import {
  assertThat,
  builder,
  insertWhere,
  isFailedAssertion,
  isAmong,
  runTransaction,
  type Database,
  type Statement,
} from "../core/sql.ts";
import {
  claimHolds,
  finishRefresh,
  toSourceKey,
  takeNextSource,
  type ClaimedSource,
  type SourceName,
} from "./system-sources.ts";

/** The board of a blog: its best ideas and newest titles, with which new items are compared. */
export type Board = {
  readonly blogName: string;
  readonly locale: string;
  /** Increases each time that a harvest stores something. */
  readonly revision: number;
  /** How many ideas the organization may still create on this day. */
  readonly room: number;
  readonly ideas: readonly { readonly id: string; readonly itemTitle: string; readonly url: string }[];
  readonly articleTitles: readonly string[];
  /** Those of the given URL keys that already belong to an idea. */
  readonly knownKeys: ReadonlySet<string>;
};

export type NewIdea = {
  readonly title: string;
  readonly summary: string;
  readonly angle: string;
  readonly url: string;
  readonly itemTitle: string;
  readonly source: TopicOrigin;
  readonly mentions: readonly { readonly url: string; readonly source: TopicOrigin }[];
  readonly keywords: readonly string[];
  readonly locale: string;
  readonly score: number;
  readonly urlKeys: readonly string[];
};

/** A further item of a stored idea. */
export type Merge = {
  readonly topicId: string;
  readonly urlKey: string;
  readonly url: string;
  readonly source: TopicOrigin;
  readonly score: number;
};

/** What one source gave to a refresh. */
export type Harvest = {
  readonly revision: number;
  readonly found: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly ideas: readonly NewIdea[];
  readonly merges: readonly Merge[];
  /** How many items joined another idea: a stored one (`merges`), or one of the new `ideas` as a mention. */
  readonly merged: number;
  readonly validators: { readonly etag: string | null; readonly lastModified: string | null };
};

export const MOST_MENTIONS = 10;
/** How much each further source adds to the score of an idea, until the idea lists {@link MOST_MENTIONS}. */
export const MENTION_BONUS = 0.5;

/** The time at which ideas are stored, and how many an organization may create on its day. */
export type Day = { readonly now: Date; readonly quota: Pick<Quota, "ideasPerDay"> };

/** Returns the board of the claimed source's blog, and which URL keys it knows. Null if the claim no longer holds. */
export async function readBoard(
  db: Database,
  claim: ClaimedSource,
  urlKeys: readonly string[],
  day: Day,
): Promise<Board | null> {
  const { blogId } = claim;
  const { blog, ideas, titles, known } = await runTransaction(db, {
    blog: builder
      .select({ ...BLOG_OF_IDEAS, revision: blogs.topicsRevision, room: selectRoom(claim, day).as("room") })
      .from(blogs)
      .where(and(eq(blogs.id, blogId), sql`exists (select 1 from ${sources} where ${claimHolds(claim)})`)),
    ideas: selectIdeas(blogId),
    titles: selectTitles(blogId),
    known: builder
      .select({ key: topicItems.urlKey })
      .from(topicItems)
      .where(and(eq(topicItems.blogId, blogId), isAmong(topicItems.urlKey, urlKeys))),
  });
  const [found] = blog;
  if (found === undefined) return null;
  return {
    ...found,
    ideas,
    articleTitles: titles.map(({ title }) => title),
    knownKeys: new Set(known.map(({ key }) => key)),
  };
}

/**
 * Stores the harvest of a source and settles the source, in one transaction. Returns the source whose message is to be
 * sent next (`takeNextSource`). Returns null, and stores nothing, if another source has changed the board since it was
 * read, if the day no longer has room for the ideas, or if the claim no longer holds.
 */
export async function storeHarvest(
  db: Database,
  claim: ClaimedSource,
  harvest: Harvest,
  day: Day,
): Promise<SourceName[] | null> {
  const { now } = day;
  const time = now.toISOString();
  const created = harvest.ideas.length;
  try {
    const { next } = await runTransaction(db, {
      unchanged: assertThat(sql`exists (select 1 from ${sources} where ${claimHolds(claim)})
        and exists (select 1 from ${blogs} where ${blogs.id} = ${claim.blogId} and ${blogs.topicsRevision} = ${harvest.revision})
        and (${created} = 0 or ${selectRoom(claim, day)} >= ${created})`),
      counted: created === 0 ? [] : [countIdeas(claim, created, now)],
      ideas: insertIdeas(claim, harvest.ideas, time),
      merges: insertMerges(claim, harvest.merges, time),
      revision: harvest.ideas.length + harvest.merges.length === 0 ? [] : [incrementRevision(claim)],
      settled: recordHarvest(claim, harvest, time),
      finished: finishRefresh(claim.refreshId, now),
      next: takeNextSource(claim, now),
    });
    return next;
  } catch (error) {
    if (isFailedAssertion(error)) return null;
    throw error;
  }
}

/** Returns SQL for how many ideas the day still has room for. Below 0 if the quota was lowered. */
const selectRoom = ({ organizationId }: ClaimedSource, { now, quota }: Day): SQL<number> =>
  sql<number>`(select ${selectQuota(quota, "ideasPerDay")} - case when ${organizations.ideasDay} < ${toDay(now.toISOString())} then 0
    else ${organizations.dayIdeas} end from ${organizations} where ${organizations.id} = ${organizationId})`;

/** If the clock is behind that of another invocation, the ideas count for the later day. */
function countIdeas({ organizationId }: ClaimedSource, created: number, now: Date): Statement {
  const day = toDay(now.toISOString());
  return builder
    .update(organizations)
    .set({
      ideasDay: sql`max(${organizations.ideasDay}, ${day})`,
      dayIdeas: sql`${created} + case when ${organizations.ideasDay} < ${day} then 0 else ${organizations.dayIdeas} end`,
    })
    .where(eq(organizations.id, organizationId));
}

const incrementRevision = ({ blogId }: ClaimedSource): Statement =>
  builder
    .update(blogs)
    .set({ topicsRevision: sql`${blogs.topicsRevision} + 1` })
    .where(eq(blogs.id, blogId));

const getField = (name: string): SQL => sql`i.value ->> ${`$.${name}`}`;

function insertIdeas({ organizationId, blogId }: ClaimedSource, ideas: readonly NewIdea[], time: string): Statement[] {
  if (ideas.length === 0) return [];
  const rows = ideas.map(({ source, ...idea }) => ({
    ...idea,
    id: newId(),
    version: newId(),
    kind: source.kind,
    name: source.name,
  }));
  const given = JSON.stringify(rows);
  return [
    insertWhere(
      topics,
      {
        id: getField("id"),
        organizationId,
        blogId,
        title: getField("title"),
        summary: getField("summary"),
        angle: getField("angle"),
        url: getField("url"),
        sourceKind: getField("kind"),
        sourceName: getField("name"),
        keywords: sql`i.value -> '$.keywords'`,
        locale: getField("locale"),
        itemTitle: getField("itemTitle"),
        mentions: sql`i.value -> '$.mentions'`,
        score: getField("score"),
        status: "new",
        version: getField("version"),
        creationTime: time,
        lastEditTime: time,
      },
      sql`from json_each(${given}) i`,
    ),
    insertWhere(
      topicItems,
      { organizationId, blogId, urlKey: sql`k.value`, topicId: getField("id") },
      sql`from json_each(${given}) i, json_each(i.value -> '$.urlKeys') k where true`,
    ).onConflictDoNothing({ target: [topicItems.blogId, topicItems.urlKey] }),
  ];
}

/** Adds items to stored ideas, by the rule of `mentioned` (topics/plan.ts), which explains why it is repeated. */
function insertMerges({ organizationId, blogId }: ClaimedSource, merges: readonly Merge[], time: string): Statement[] {
  const mine = (id: string) => and(eq(topics.id, id), eq(topics.blogId, blogId));
  return merges.flatMap(({ topicId, urlKey, url, source, score }) => [
    insertWhere(
      topicItems,
      { organizationId, blogId, urlKey, topicId: sql`${topics.id}` },
      sql`from ${topics} where ${mine(topicId)}`,
    ).onConflictDoNothing({ target: [topicItems.blogId, topicItems.urlKey] }),
    builder
      .update(topics)
      .set({
        score: sql`round(max(${topics.score}, ${score}) + ${computeBonus(source)}, 3)`,
        version: newId(),
        lastEditTime: time,
        mentions: sql`case when json_array_length(${topics.mentions}) < ${MOST_MENTIONS}
          then json_insert(${topics.mentions}, '$[#]', json(${JSON.stringify({ url, source })}))
          else ${topics.mentions} end`,
      })
      .where(mine(topicId)),
  ]);
}

/** {@link MENTION_BONUS}, or 0 if the source has an item of the idea, or the idea lists no more mentions. */
const computeBonus = ({ kind, name }: TopicOrigin): SQL =>
  sql`case when json_array_length(${topics.mentions}) >= ${MOST_MENTIONS}
      or (${topics.sourceKind} = ${kind} and ${topics.sourceName} = ${name})
      or exists (select 1 from json_each(${topics.mentions}) m
        where m.value ->> '$.source.kind' = ${kind} and m.value ->> '$.source.name' = ${name})
    then 0 else ${MENTION_BONUS} end`;

function recordHarvest(
  claim: ClaimedSource,
  { found, refused, ideas, merged, validators }: Harvest,
  time: string,
): Statement[] {
  const { organizationId, blogId } = claim;
  const state = { ...validators, readTime: time };
  return [
    builder
      .insert(states)
      .values({ organizationId, blogId, sourceKey: toSourceKey(sql`${JSON.stringify(claim.source)}`), ...state })
      .onConflictDoUpdate({ target: [states.blogId, states.sourceKey], set: state }),
    builder
      .update(sources)
      .set({ state: "read", found, created: ideas.length, merged, refused })
      .where(claimHolds(claim)),
  ];
}
