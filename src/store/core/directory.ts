/** The directory in `DB` (schema/shards.ts): in which shard an organization is, and what leads to it. */
import { and, eq, ne, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { articles, movedSlugs } from "../../schema/articles.ts";
import { directory, homes, moves, unlisted } from "../../schema/shards.ts";
import { isShown } from "../blogs/names.ts";
import { blogs, siteHosts } from "../../schema/blogs.ts";
import { isAmong, orm, queryRows, runTransaction, type Database, type Reader } from "./sql.ts";

export type EntryKind = (typeof directory.$inferSelect)["kind"];

/** The binding of a database, and whether an organization is moving to another one: then nobody remembers what leads where. */
export type Found = { readonly shard: string | null; readonly isMoving: boolean };

async function findOne(db: Database, shard: SQL): Promise<Found> {
  const [found] = await queryRows<{ shard: string | null; moving: number }>(
    db,
    sql`select (${shard}) as "shard", exists (select 1 from ${moves} where ${moves.state} <> 'switched') as "moving"`,
  );
  return { shard: found?.shard ?? null, isMoving: found?.moving === 1 };
}

/** Returns where an organization is; null if it has been in `DB` since before there were shards. */
export const findHome = (db: Database, organizationId: string): Promise<Found> =>
  findOne(db, sql`select ${homes.shard} from ${homes} where ${homes.organizationId} = ${organizationId}`);

/** Returns the bindings of the shards that have what a key names. */
export async function listShardsOf(db: Database, kind: EntryKind, key: string): Promise<string[]> {
  const found = await orm(db)
    .selectDistinct({ shard: homes.shard })
    .from(directory)
    .innerJoin(homes, eq(homes.organizationId, directory.organizationId))
    .where(and(eq(directory.kind, kind), eq(directory.key, key), eq(directory.gone, 0), ne(homes.shard, "DB")))
    .orderBy(homes.shard);
  return found.map(({ shard }) => shard);
}

/** Returns which of these keys name what is in shards, by the bindings of these. */
export async function groupByShard(
  db: Database,
  kind: EntryKind,
  keys: readonly string[],
): Promise<Map<string, string[]>> {
  const found = await orm(db)
    .select({ key: directory.key, shard: homes.shard })
    .from(directory)
    .innerJoin(homes, eq(homes.organizationId, directory.organizationId))
    .where(and(eq(directory.kind, kind), isAmong(directory.key, keys), eq(directory.gone, 0)));
  const groups = Map.groupBy(found, ({ shard }) => shard);
  return new Map(Array.from(groups, ([shard, some]) => [shard, some.map(({ key }) => key)]));
}

/** Returns which shard has what a key names; null if none has. */
export const findShardOf = (db: Database, kind: EntryKind, key: string): Promise<Found> =>
  findOne(
    db,
    sql`select ${homes.shard} from ${directory} join ${homes} on ${homes.organizationId} = ${directory.organizationId}
      where ${directory.kind} = ${kind} and ${directory.key} = ${key} and ${directory.gone} = 0 and ${homes.shard} <> 'DB' limit 1`,
  );

/**
 * Returns the blog in a shard that a slug means without a blog, and its shard; null if it means none, or one in `DB`: the one
 * that readers have found there the longest, in one of these locales if there are any.
 */
export async function findBlogOfSlug(
  read: Reader,
  {
    slug,
    locales,
    isFormer,
  }: { readonly slug: string; readonly locales?: readonly string[] | undefined; readonly isFormer?: true },
): Promise<{ readonly blogId: string; readonly shard: string } | null> {
  const isWanted = (locale: SQLiteColumn) =>
    locales === undefined ? sql`true` : sql`${locale} in (select value from json_each(${JSON.stringify(locales)}))`;
  const own =
    isFormer === undefined
      ? sql`select null, null, ${articles.publicTime}, ${articles.id} from ${articles} indexed by articles_public_slug
          where ${articles.slug} = ${slug} and ${articles.published} = 1 and ${isShown(articles.blogId)} and ${isWanted(articles.locale)}
          order by ${articles.publicTime}, ${articles.id} limit 1`
      : sql`select null, null, ${movedSlugs.moveTime}, '' from ${movedSlugs} indexed by moved_slugs_live
          where ${movedSlugs.slug} = ${slug} and ${movedSlugs.live} = 1 and ${isShown(movedSlugs.blogId)} and ${isWanted(movedSlugs.locale)}
          order by ${movedSlugs.moveTime} limit 1`;
  const [found] = await read<{ blogId: string | null; shard: string | null }>(
    sql`select * from (select * from (select ${directory.blogId} as "blogId", ${homes.shard} as "shard", ${directory.since} as "since", ${directory.id} as "id"
          from ${directory} join ${homes} on ${homes.organizationId} = ${directory.organizationId}
          where ${directory.kind} = ${isFormer === undefined ? "slug" : "moved"} and ${directory.key} = ${slug} and ${isWanted(directory.locale)}
            and ${directory.gone} = 0
            and not exists (select 1 from ${directory} h where h.kind = 'hidden' and h.key = ${directory.blogId} and h.gone = 0)
          order by ${directory.since}, ${directory.id} limit 1)
        union all select * from (${own})) order by "since", "id" limit 1`,
  );
  return found?.shard == null || found.blogId === null ? null : { blogId: found.blogId, shard: found.shard };
}

/** The most notes that are stored at once. */
const MOST = 200;

/** The oldest notes of a shard. */
export const SELECT_UNLISTED = sql`select * from ${unlisted} order by ${unlisted.change} limit ${sql.raw(String(MOST))}`;

const ENTRY = ["kind", "key", "id", "organization_id", "blog_id", "locale", "since", "gone", "change"] as const;

export type Unlisted = Readonly<Record<(typeof ENTRY)[number], string | number>>;

/** The kinds of which only one organization may have an entry. */
const NAMES = sql`('host', 'vanity')`;

/**
 * Stores notes of a shard in the directory, and removes them from the shard. Requests overtake each other, so an entry is changed only by a
 * newer note. The notes of an organization that the shard no longer has, or not yet, are only removed, unless it is moving there from `DB`, which has no
 * notes. With an organization its home goes.
 */
export async function storeEntries(
  { db, name }: { readonly db: Database; readonly name: string },
  directoryDb: Database,
  notes: readonly Unlisted[],
): Promise<void> {
  const given = JSON.stringify(notes);
  const values = sql.join(
    ENTRY.map((each) => sql`e.value ->> ${each}`),
    sql`, `,
  );
  const ended = notes.flatMap(({ kind, key }) => (kind === "organization" ? [String(key)] : []));
  await runTransaction(directoryDb, {
    stored: sql`insert into ${directory} (${sql.raw(ENTRY.join(", "))}, until)
      select ${values}, iif(e.value ->> 'gone' = 1, ${aDayLater()}, null) from json_each(${given}) as e
        where exists (select 1 from ${homes} where ${homes.organizationId} = e.value ->> 'organization_id' and ${homes.shard} = ${name})
          or exists (select 1 from ${moves} where ${moves.organizationId} = e.value ->> 'organization_id' and ${moves.target} = ${name} and ${moves.source} = 'DB')
        order by e.value ->> 'change'
      on conflict (kind, key, id) do update set organization_id = excluded.organization_id, blog_id = excluded.blog_id, locale = excluded.locale,
        since = excluded.since, gone = excluded.gone, change = excluded.change, until = excluded.until
      where excluded.change > ${directory.change} and (${directory.kind} not in ${NAMES}
        or ${directory.organizationId} = excluded.organization_id or ${directory.gone} = 1)`,
    ...(ended.length > 0 && {
      ended: sql`delete from ${homes} where ${homes.shard} = ${name} and ${isAmong(homes.organizationId, ended)}
        and exists (select 1 from ${directory} where ${directory.kind} = 'organization' and ${directory.key} = ${homes.organizationId} and ${directory.gone} = 1)`,
    }),
  });
  await queryRows(
    db,
    sql`delete from ${unlisted} where ${unlisted.change} in (select value from json_each(${JSON.stringify(notes.map(({ change }) => change))}))`,
  );
}

const aDayLater = (): string => new Date(Date.now() + 86_400_000).toISOString();

/** Removes entries that have ended, and claims that nothing has confirmed for a day. */
export const removeEnded = (db: Database): Promise<unknown> =>
  queryRows(db, sql`delete from ${directory} where ${directory.until} < ${new Date().toISOString()}`);

type Names = {
  readonly organizationId: string;
  readonly shard: string;
  readonly kind: "host" | "vanity";
  /** In the order of preference. */
  readonly keys: readonly string[];
};

/** A name that an organization may now store. `release` gives it up; it does nothing once a note of the shard has confirmed the name. */
export type Claim = { readonly key: string; readonly isOwn: boolean; readonly release: () => Promise<void> };

/**
 * Claims the first of these names that no organization in another database has. A claim ends after a day, unless the shard notes
 * that it has stored the name. Returns null if others have all of them. `isOwn` is true if the organization had it already, or, of a host,
 * one in the same shard, whose statements then decide.
 */
export async function takeName(db: Database, { organizationId, shard, kind, keys }: Names): Promise<Claim | null> {
  const key = sql`c.value`;
  const isTaken =
    kind === "vanity"
      ? sql`exists (select 1 from ${blogs} where ${blogs.vanityId} = ${key} and ${blogs.organizationId} <> ${organizationId})`
      : sql`exists (select 1 from ${siteHosts} where ${siteHosts.host} = ${key} and ${siteHosts.verifiedTime} is not null
          and ${siteHosts.organizationId} <> ${organizationId})`;
  const found = await queryRows<{ key: string; owner: string | null; home: string | null; until: string | null }>(
    db,
    sql`select ${key} as "key", ${directory.organizationId} as "owner", ${homes.shard} as "home", ${directory.until} as "until"
      from json_each(${JSON.stringify(keys)}) as c
      left join ${directory} on ${directory.kind} = ${kind} and ${directory.key} = ${key} and ${directory.gone} = 0
      left join ${homes} on ${homes.organizationId} = ${directory.organizationId}
      where not ${isTaken} order by c.key`,
  );
  for (const { key: name, owner, home, until } of found) {
    // Of several, it wants one that it does not have yet.
    if (owner === organizationId && until === null && keys.length > 1) continue;
    if (owner === organizationId ? until === null : kind === "host" && home === shard)
      return { key: name, isOwn: true, release: async () => undefined };
    if (owner !== null && owner !== organizationId) continue;
    const token = crypto.randomUUID();
    const [claimed] = await queryRows(
      db,
      sql`insert into ${directory} (${sql.raw(ENTRY.join(", "))}, until)
        select ${kind}, ${key}, '', ${organizationId}, '', '', ${token}, 0, 0, ${aDayLater()}
          from json_each(${JSON.stringify([name])}) as c where not ${isTaken}
        on conflict (kind, key, id) do update set organization_id = excluded.organization_id, since = excluded.since, gone = 0, until = excluded.until
        where ${directory.gone} = 1 or ${directory.organizationId} = excluded.organization_id and ${directory.until} is not null
        returning 1`,
    );
    const isIt = sql`${directory.kind} = ${kind} and ${directory.key} = ${name} and ${directory.since} = ${token} and ${directory.until} is not null`;
    const release = async () => void (await queryRows(db, sql`update ${directory} set gone = 1 where ${isIt}`));
    if (claimed !== undefined) return { key: name, isOwn: false, release };
  }
  return null;
}

/** Returns the condition that an organization in a shard has a name; `own` is the organization that may have it. */
export const isListedName = (kind: "host" | "vanity", key: SQLWrapper | string, own?: SQLWrapper | string): SQL =>
  sql`exists (select 1 from ${directory} where ${directory.kind} = ${sql.raw(`'${kind}'`)} and ${directory.key} = ${key}
    and ${directory.gone} = 0 and ${own === undefined ? sql`true` : sql`${directory.organizationId} <> ${own}`})`;
