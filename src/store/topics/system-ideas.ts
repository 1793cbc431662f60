/** Reads and stores the ideas of refreshes of all organizations, for the consumer of the topics queue. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Quota } from "../../domain/quotas.ts";
import type { Mention, TopicOrigin } from "../../domain/topic-source.ts";
import { newId } from "../../lib/ids.ts";
import { toDay } from "../../lib/time.ts";
import { BLOG_OF_IDEAS, BOARD_IDEA, selectIdeas, selectTitles, type BoardIdea } from "./board.ts";
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
  readonly ideas: readonly BoardIdea[];
  readonly articleTitles: readonly string[];
  /** The ideas to which the given URL keys already belong, by URL key. They need not be among `ideas`. */
  readonly known: ReadonlyMap<string, BoardIdea>;
};

export type NewIdea = {
  readonly title: string;
  readonly summary: string;
  readonly angle: string;
  readonly url: string;
  readonly itemTitle: string;
  readonly source: TopicOrigin;
  /** The items that tell of it, its own first. */
  readonly mentions: readonly Mention[];
  readonly keywords: readonly string[];
  readonly locale: string;
  readonly score: number;
  readonly urlKeys: readonly string[];
};

/** What items of a source change in a stored idea. */
export type Update = {
  readonly id: string;
  readonly mentions: readonly Mention[];
  readonly score: number;
  /** The keys of URLs that did not belong to it. */
  readonly urlKeys: readonly string[];
};

/** What one source gave to a refresh. */
export type Harvest = {
  readonly revision: number;
  readonly found: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly ideas: readonly NewIdea[];
  readonly updates: readonly Update[];
  /** How many items belong to another idea: a stored one, or one of the new `ideas` as a mention. */
  readonly merged: number;
  readonly validators: { readonly etag: string | null; readonly lastModified: string | null };
  /** Until when its forum asks for no request, and a sentence that says so. */
  readonly waitTime: string | null;
  readonly detail: string | null;
};

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
      .select({ urlKey: topicItems.urlKey, ...BOARD_IDEA })
      .from(topicItems)
      .innerJoin(topics, eq(topics.id, topicItems.topicId))
      .where(and(eq(topicItems.blogId, blogId), isAmong(topicItems.urlKey, urlKeys))),
  });
  const [found] = blog;
  if (found === undefined) return null;
  return {
    ...found,
    ideas,
    articleTitles: titles.map(({ title }) => title),
    known: new Map(known.map(({ urlKey, ...idea }) => [urlKey, idea])),
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
      updates: updateIdeas(claim, harvest.updates, time),
      revision: harvest.ideas.length + harvest.updates.length === 0 ? [] : [incrementRevision(claim)],
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

/** Stores the mentions and scores of ideas, as planned (topics/plan.ts). The revision says that nobody else changed them. */
function updateIdeas({ organizationId, blogId }: ClaimedSource, updates: readonly Update[], time: string): Statement[] {
  return updates.flatMap(({ id, mentions, score, urlKeys }) => {
    const isMine = and(eq(topics.id, id), eq(topics.blogId, blogId));
    return [
      ...urlKeys.map((urlKey) =>
        insertWhere(
          topicItems,
          { organizationId, blogId, urlKey, topicId: sql`${topics.id}` },
          sql`from ${topics} where ${isMine}`,
        ).onConflictDoNothing({ target: [topicItems.blogId, topicItems.urlKey] }),
      ),
      builder
        .update(topics)
        .set({ score, mentions: [...mentions], version: newId(), lastEditTime: time })
        .where(isMine),
    ];
  });
}

function recordHarvest(
  claim: ClaimedSource,
  { found, refused, ideas, merged, validators, waitTime, detail }: Harvest,
  time: string,
): Statement[] {
  const { organizationId, blogId } = claim;
  const state = { ...validators, waitTime, readTime: time };
  return [
    builder
      .insert(states)
      .values({ organizationId, blogId, sourceKey: toSourceKey(sql`${JSON.stringify(claim.source)}`), ...state })
      .onConflictDoUpdate({ target: [states.blogId, states.sourceKey], set: state }),
    builder
      .update(sources)
      .set({ state: "read", found, created: ideas.length, merged, refused, detail })
      .where(claimHolds(claim)),
  ];
}
