/** Ideas as refreshes find and store them, of all organizations: for the queue's consumer. */
import { sql, type SQL } from "drizzle-orm";
import { newId } from "../../lib/ids.ts";
import type { TopicSourceKind } from "../../domain/topic-source.ts";
import { assertThat, isFailedAssertion } from "../core/assertions.ts";
import { ideasOf, titlesOf } from "./board.ts";
import { topicItems, topicRefreshSources as sources, topicSourceStates as states, topics } from "./schema.ts";
import { blogs } from "../blogs/schema.ts";
import { transaction, type Database } from "../core/sql.ts";
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
    blog: sql<
      Pick<Board, "blogName" | "locale" | "revision">
    >`select name as "blogName", locales ->> '$[0]' as "locale", topics_revision as "revision"
      from ${blogs} where id = ${blogId} and exists (select 1 from ${sources} where ${claimHolds(claim)})`,
    ideas: ideasOf(sql`${blogId}`),
    titles: titlesOf(sql`${blogId}`),
    known: sql<{ key: string }>`select url_key as "key" from ${topicItems}
      where blog_id = ${blogId} and url_key in (select value from json_each(${JSON.stringify(urlKeys)}))`,
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
        and exists (select 1 from ${blogs} where id = ${claim.blogId} and topics_revision = ${revision})`),
      ideas: insertIdeas(claim, harvest.ideas, time),
      merges: insertMerges(claim, harvest.merges, time),
      revision: harvest.ideas.length + harvest.merges.length === 0 ? [] : [nextRevision(claim)],
      settled: settled(claim, harvest, time),
      finished: finished(claim.refreshId, now),
    });
    return true;
  } catch (error) {
    if (isFailedAssertion(error)) return false;
    throw error;
  }
}

const nextRevision = ({ blogId }: ClaimedSource): SQL =>
  sql`update ${blogs} set topics_revision = topics_revision + 1 where id = ${blogId}`;

/** A member of a row that is given as JSON. */
const member = (name: string): SQL => sql`i.value ->> ${`$.${name}`}`;

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
    sql`insert into ${topics} (id, organization_id, blog_id, title, summary, angle, url, source_kind, source_name,
        keywords, locale, item_title, mentions, score, status, version, creation_time, last_edit_time)
      select ${member("id")}, ${organizationId}, ${blogId}, ${member("title")}, ${member("summary")},
        ${member("angle")}, ${member("url")}, ${member("kind")}, ${member("name")}, i.value -> '$.keywords',
        ${member("locale")}, ${member("itemTitle")}, i.value -> '$.mentions', ${member("score")}, 'new',
        ${member("version")}, ${time}, ${time}
      from json_each(${given}) i`,
    sql`insert into ${topicItems} (organization_id, blog_id, url_key, topic_id)
      select ${organizationId}, ${blogId}, k.value, ${member("id")}
      from json_each(${given}) i, json_each(i.value -> '$.urlKeys') k where true
      on conflict (blog_id, url_key) do nothing`,
  ];
}

function insertMerges({ organizationId, blogId }: ClaimedSource, merges: readonly Merge[], time: string): SQL[] {
  const mine = (id: string) => sql`id = ${id} and blog_id = ${blogId}`;
  return merges.flatMap(({ topicId, urlKey, url, source, score }) => [
    sql`insert into ${topicItems} (organization_id, blog_id, url_key, topic_id)
      select ${organizationId}, ${blogId}, ${urlKey}, id from ${topics} where ${mine(topicId)}
      on conflict (blog_id, url_key) do nothing`,
    sql`update ${topics} set score = round(max(score, ${score}) + ${bonus(source)}, 3), version = ${newId()},
        last_edit_time = ${time}, mentions = case when json_array_length(mentions) < ${MOST_MENTIONS}
          then json_insert(mentions, '$[#]', json(${JSON.stringify({ url, source })})) else mentions end
      where ${mine(topicId)}`,
  ]);
}

/** What a source adds that has not mentioned the idea yet: a source that repeats itself adds nothing. */
const bonus = ({ kind, name }: Origin): SQL =>
  sql`case when json_array_length(mentions) >= ${MOST_MENTIONS} or (source_kind = ${kind} and source_name = ${name})
      or exists (select 1 from json_each(mentions) m
        where m.value ->> '$.source.kind' = ${kind} and m.value ->> '$.source.name' = ${name})
    then 0 else ${MENTION_BONUS} end`;

function settled(claim: ClaimedSource, { found, refused, ideas, merged, validators }: Harvest, time: string): SQL[] {
  const key = sourceKey(sql`${JSON.stringify(claim.source)}`);
  return [
    sql`insert into ${states} (organization_id, blog_id, source_key, etag, last_modified, read_time)
      values (${claim.organizationId}, ${claim.blogId}, ${key}, ${validators.etag}, ${validators.lastModified}, ${time})
      on conflict (blog_id, source_key) do update set etag = excluded.etag, last_modified = excluded.last_modified,
        read_time = excluded.read_time`,
    sql`update ${sources} set state = 'read', found = ${found}, created = ${ideas.length}, merged = ${merged},
        refused = ${JSON.stringify(refused)} where ${claimHolds(claim)}`,
  ];
}
