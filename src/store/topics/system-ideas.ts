/** Ideas as refreshes find and store them, of all organizations: for the queue's consumer. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import type { TopicSourceKind } from "../../domain/topic-source.ts";
import { assertThat, isFailedAssertion } from "../core/assertions.ts";
import { BLOG_OF_IDEAS, ideasOf, titlesOf } from "./board.ts";
import { topicItems, topicRefreshSources as sources, topicSourceStates as states, topics } from "./schema.ts";
import { blogs } from "../blogs/schema.ts";
import {
  bare,
  insertInto,
  insertWhere,
  isOneOf,
  orm,
  transaction,
  type Database,
  type Statement,
} from "../core/sql.ts";
import { claimHolds, finished, sourceKey, type ClaimedSource } from "./system-sources.ts";

/** What a blog has already. */
export type Board = {
  readonly blogName: string;
  /** The blog's default locale. */
  readonly locale: string;
  /** Changes with every refresh that stores something. */
  readonly revision: number;
  readonly ideas: readonly { readonly id: string; readonly itemTitle: string; readonly url: string }[];
  readonly articleTitles: readonly string[];
  /** Which of the URL keys asked for belong to an idea. */
  readonly knownKeys: ReadonlySet<string>;
};

export type Origin = { readonly kind: TopicSourceKind; readonly name: string };

/** An idea to store. */
export type NewIdea = {
  readonly title: string;
  readonly summary: string;
  readonly angle: string;
  readonly url: string;
  readonly itemTitle: string;
  readonly source: Origin;
  readonly mentions: readonly { readonly url: string; readonly source: Origin }[];
  readonly keywords: readonly string[];
  readonly locale: string;
  readonly score: number;
  /** The keys of its item and of its mentions. */
  readonly urlKeys: readonly string[];
};

/** A further item of an idea that is there. */
export type Merge = {
  readonly topicId: string;
  readonly urlKey: string;
  readonly url: string;
  readonly source: Origin;
  readonly score: number;
};

export type Harvest = {
  readonly found: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly ideas: readonly NewIdea[];
  readonly merges: readonly Merge[];
  /** Items that became no idea of their own: the merges, and those of the new ideas. */
  readonly merged: number;
  readonly validators: { readonly etag: string | null; readonly lastModified: string | null };
};

/** Mentions that an idea lists. */
export const MOST_MENTIONS = 10;
/** What each further source of an idea adds to its score, for as long as its mentions are listed. */
export const MENTION_BONUS = 0.5;

/** Reads what a blog has, and which of the items' URL keys it knows; null where the claim is no longer held. */
export async function readBoard(db: Database, claim: ClaimedSource, urlKeys: readonly string[]): Promise<Board | null> {
  const { blogId } = claim;
  const { blog, ideas, titles, known } = await transaction(db, {
    blog: orm(db)
      .select({ ...BLOG_OF_IDEAS, revision: blogs.topicsRevision })
      .from(blogs)
      .where(and(eq(blogs.id, blogId), sql`exists (select 1 from ${sources} where ${claimHolds(claim)})`)),
    ideas: ideasOf(db, blogId),
    titles: titlesOf(db, blogId),
    known: orm(db)
      .select({ key: topicItems.urlKey })
      .from(topicItems)
      .where(and(eq(topicItems.blogId, blogId), isOneOf(topicItems.urlKey, urlKeys))),
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
 * Stores what a source gave and settles it, in one transaction. Returns false, and stores nothing, where
 * another source has changed the board since it was read, or the claim is no longer held.
 */
export async function storeHarvest(
  db: Database,
  claim: ClaimedSource,
  { revision }: Pick<Board, "revision">,
  harvest: Harvest,
  now: Date,
): Promise<boolean> {
  const time = now.toISOString();
  try {
    await transaction(db, {
      unchanged: assertThat(sql`exists (select 1 from ${sources} where ${claimHolds(claim)})
        and exists (select 1 from ${blogs} where ${blogs.id} = ${claim.blogId} and ${blogs.topicsRevision} = ${revision})`),
      ideas: insertIdeas(claim, harvest.ideas, time),
      merges: insertMerges(db, claim, harvest.merges, time),
      revision: harvest.ideas.length + harvest.merges.length === 0 ? [] : [nextRevision(db, claim)],
      settled: settled(db, claim, harvest, time),
      finished: finished(db, claim.refreshId, now),
    });
    return true;
  } catch (error) {
    if (isFailedAssertion(error)) return false;
    throw error;
  }
}

const nextRevision = (db: Database, { blogId }: ClaimedSource): Statement =>
  orm(db)
    .update(blogs)
    .set({ topicsRevision: sql`${blogs.topicsRevision} + 1` })
    .where(eq(blogs.id, blogId));

/** A member of a row that is given as JSON. */
const member = (name: string): SQL => sql`i.value ->> ${`$.${name}`}`;

const INTO_TOPICS = insertInto(topics, [
  "id",
  "organizationId",
  "blogId",
  "title",
  "summary",
  "angle",
  "url",
  "sourceKind",
  "sourceName",
  "keywords",
  "locale",
  "itemTitle",
  "mentions",
  "score",
  "status",
  "version",
  "creationTime",
  "lastEditTime",
]);

const INTO_TOPIC_ITEMS = insertInto(topicItems, ["organizationId", "blogId", "urlKey", "topicId"]);

function insertIdeas({ organizationId, blogId }: ClaimedSource, ideas: readonly NewIdea[], time: string): SQL[] {
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
    sql`${INTO_TOPICS} select ${member("id")}, ${organizationId}, ${blogId}, ${member("title")}, ${member("summary")},
        ${member("angle")}, ${member("url")}, ${member("kind")}, ${member("name")}, i.value -> '$.keywords',
        ${member("locale")}, ${member("itemTitle")}, i.value -> '$.mentions', ${member("score")}, 'new',
        ${member("version")}, ${time}, ${time}
      from json_each(${given}) i`,
    sql`${INTO_TOPIC_ITEMS} select ${organizationId}, ${blogId}, k.value, ${member("id")}
      from json_each(${given}) i, json_each(i.value -> '$.urlKeys') k where true
      on conflict (${bare(topicItems.blogId)}, ${bare(topicItems.urlKey)}) do nothing`,
  ];
}

/** Adds items to ideas that are stored, by the same rule as `mentioned` (topics/mention.ts), in SQL, as said there. */
function insertMerges(
  db: Database,
  { organizationId, blogId }: ClaimedSource,
  merges: readonly Merge[],
  time: string,
): Statement[] {
  const mine = (id: string) => and(eq(topics.id, id), eq(topics.blogId, blogId));
  return merges.flatMap(({ topicId, urlKey, url, source, score }) => [
    insertWhere(
      db,
      topicItems,
      { organizationId, blogId, urlKey, topicId: sql`${topics.id}` },
      sql`from ${topics} where ${mine(topicId)}`,
    ).onConflictDoNothing({ target: [topicItems.blogId, topicItems.urlKey] }),
    orm(db)
      .update(topics)
      .set({
        score: sql`round(max(${topics.score}, ${score}) + ${bonus(source)}, 3)`,
        version: newId(),
        lastEditTime: time,
        mentions: sql`case when json_array_length(${topics.mentions}) < ${MOST_MENTIONS}
          then json_insert(${topics.mentions}, '$[#]', json(${JSON.stringify({ url, source })}))
          else ${topics.mentions} end`,
      })
      .where(mine(topicId)),
  ]);
}

/** What a source adds that has not mentioned the idea yet: a source that repeats itself adds nothing. */
const bonus = ({ kind, name }: Origin): SQL =>
  sql`case when json_array_length(${topics.mentions}) >= ${MOST_MENTIONS}
      or (${topics.sourceKind} = ${kind} and ${topics.sourceName} = ${name})
      or exists (select 1 from json_each(${topics.mentions}) m
        where m.value ->> '$.source.kind' = ${kind} and m.value ->> '$.source.name' = ${name})
    then 0 else ${MENTION_BONUS} end`;

function settled(
  db: Database,
  claim: ClaimedSource,
  { found, refused, ideas, merged, validators }: Harvest,
  time: string,
): Statement[] {
  const { organizationId, blogId } = claim;
  const state = { ...validators, readTime: time };
  return [
    orm(db)
      .insert(states)
      .values({ organizationId, blogId, sourceKey: sourceKey(sql`${JSON.stringify(claim.source)}`), ...state })
      .onConflictDoUpdate({ target: [states.blogId, states.sourceKey], set: state }),
    orm(db)
      .update(sources)
      .set({ state: "read", found, created: ideas.length, merged, refused })
      .where(claimHolds(claim)),
  ];
}
