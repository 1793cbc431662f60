/** The directory in `DB` (schema/shards.ts): in which shard an organization is, and what leads to it. */
import { and, eq, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { articles, movedSlugs } from "../../schema/articles.ts";
import { directory, homes, unlisted } from "../../schema/shards.ts";
import { isShown } from "../blogs/names.ts";
import { blogs, siteHosts } from "../../schema/blogs.ts";
import { builder, insertWhere, isAmong, orm, queryRows, runTransaction, type Database, type Reader } from "./sql.ts";

export type EntryKind = (typeof directory.$inferSelect)["kind"];

/** Returns the binding of the shard that has an organization; null for `DB`. */
export async function findHome(db: Database, organizationId: string): Promise<string | null> {
  const [found] = await orm(db)
    .select({ shard: homes.shard })
    .from(homes)
    .where(eq(homes.organizationId, organizationId));
  return found?.shard ?? null;
}

/** Returns the bindings of the shards that have what a key names. */
export async function listShardsOf(db: Database, kind: EntryKind, key: string): Promise<string[]> {
  const found = await orm(db)
    .selectDistinct({ shard: homes.shard })
    .from(directory)
    .innerJoin(homes, eq(homes.organizationId, directory.organizationId))
    .where(and(eq(directory.kind, kind), eq(directory.key, key)))
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
    .where(and(eq(directory.kind, kind), isAmong(directory.key, keys)));
  const groups = Map.groupBy(found, ({ shard }) => shard);
  return new Map(Array.from(groups, ([shard, some]) => [shard, some.map(({ key }) => key)]));
}

/** Returns the binding of the shard that has what a key names; null if none has. */
export const findShardOf = async (db: Database, kind: EntryKind, key: string): Promise<string | null> =>
  (await listShardsOf(db, kind, key))[0] ?? null;

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
            and not exists (select 1 from ${directory} h where h.kind = 'hidden' and h.key = ${directory.blogId})
          order by ${directory.since}, ${directory.id} limit 1)
        union all select * from (${own})) order by "since", "id" limit 1`,
  );
  return found?.shard == null || found.blogId === null ? null : { blogId: found.blogId, shard: found.shard };
}

/** The most entries that are stored at once. */
const MOST = 200;

/** The entries of a shard that the directory does not have yet, or still has. With an organization its home goes, so it is last. */
export const SELECT_UNLISTED = sql`select * from (select * from ${unlisted} where kind <> 'organization' limit ${sql.raw(String(MOST))})
  union all select * from ${unlisted} where kind = 'organization' limit ${sql.raw(String(MOST))}`;

export type Unlisted = Record<
  "kind" | "key" | "id" | "organization_id" | "blog_id" | "locale" | "since" | "change",
  string
> & {
  readonly gone: 0 | 1;
};

const NAMES = ["kind", "key", "id", "organization_id", "blog_id", "locale", "since"] as const;

const values = (names: readonly string[]): SQL =>
  sql.join(
    names.map((each) => sql`e.value ->> ${each}`),
    sql`, `,
  );

/**
 * Stores entries of a shard in the directory, or removes them, and forgets in the shard that they were to be. Those of an
 * organization that the shard no longer has, or not yet, are only forgotten.
 */
export async function storeEntries(
  { db, name }: { readonly db: Database; readonly name: string },
  directoryDb: Database,
  entries: readonly Unlisted[],
): Promise<void> {
  const given = sql`from json_each(${JSON.stringify(entries)}) as e join ${homes}
    on ${homes.organizationId} = e.value ->> 'organization_id' and ${homes.shard} = ${name}`;
  await runTransaction(directoryDb, {
    removed: sql`delete from ${directory} where (kind, key, id, organization_id) in
      (select ${values(["kind", "key", "id", "organization_id"])} ${given} where e.value ->> 'gone' = 1)`,
    stored: sql`insert into ${directory} (${sql.raw(NAMES.join(", "))})
      select ${values(NAMES)} ${given} where e.value ->> 'gone' = 0
      on conflict (kind, key, id) do update set organization_id = excluded.organization_id, blog_id = excluded.blog_id,
        locale = excluded.locale, since = excluded.since`,
  });
  const removed = entries.flatMap(({ kind, key, gone }) => (kind === "organization" && gone === 1 ? [key] : []));
  if (removed.length > 0)
    await orm(directoryDb)
      .delete(homes)
      .where(and(isAmong(homes.organizationId, removed), eq(homes.shard, name)));
  await queryRows(
    db,
    sql`delete from ${unlisted} where (kind, key, id, change) in
      (select ${values(["kind", "key", "id", "change"])} from json_each(${JSON.stringify(entries)}) as e)`,
  );
}

type Name = { readonly organizationId: string; readonly kind: "host" | "vanity"; readonly key: string };

/**
 * Stores an entry for a name that only one organization may have. Returns how to remove it, which does nothing if the organization had it already;
 * null if another one has it, in a shard or in `DB`. One that is left over after a crash keeps the name for its organization.
 */
export async function takeName(
  db: Database,
  { organizationId, kind, key }: Name,
): Promise<(() => Promise<void>) | null> {
  const isIt = and(eq(directory.kind, kind), eq(directory.key, key), eq(directory.organizationId, organizationId));
  const isTaken =
    kind === "vanity"
      ? sql`exists (select 1 from ${blogs} where ${blogs.vanityId} = ${key})`
      : sql`exists (select 1 from ${siteHosts} where ${siteHosts.host} = ${key} and ${siteHosts.verifiedTime} is not null)`;
  const row = { kind, key, id: "", organizationId, blogId: "", locale: "", since: "" };
  const { taken, mine } = await runTransaction(db, {
    taken: insertWhere(directory, row, sql`where not ${isTaken}`)
      .onConflictDoNothing()
      .returning({ key: directory.key }),
    mine: builder.select({ key: directory.key }).from(directory).where(isIt),
  });
  if (mine.length === 0) return null;
  return async () => void (taken.length > 0 && (await orm(db).delete(directory).where(isIt)));
}

/** Returns the condition that an organization in a shard has a name; `own` is the organization that may have it. */
export const isListedName = (kind: "host" | "vanity", key: SQLWrapper | string, own?: SQLWrapper | string): SQL =>
  sql`exists (select 1 from ${directory} where ${directory.kind} = ${sql.raw(`'${kind}'`)} and ${directory.key} = ${key}
    and ${own === undefined ? sql`true` : sql`${directory.organizationId} <> ${own}`})`;
