/**
 * Several databases (store/database.ts): `DB`, and shards, each with some organizations. All have these tables, but `homes`,
 * `directory` and `moves` have rows only in `DB`, `unlisted` only in shards. With one database, all are empty.
 * The migration adds WITHOUT ROWID, which Drizzle cannot express: a lookup in an empty table then reads no row.
 */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The organizations in shards, and those in `DB` that were created since there are shards. */
export const homes = sqliteTable("homes", {
  organizationId: text("organization_id").primaryKey(),
  /** The binding of its database, such as `DB_1`. */
  shard: text("shard").notNull(),
});

/**
 * What is asked before the organization is known, of those in shards. The shard's own rows decide: an entry only says where to
 * ask, so one that is left over leads to nothing.
 */
const entry = {
  kind: text("kind", {
    enum: [
      "article",
      "blog",
      "connection",
      "credential",
      "hidden",
      "host",
      "invitation",
      "media",
      "member",
      "moved",
      "organization",
      "preview",
      "slug",
      "vanity",
    ],
  }).notNull(),
  /** What is asked, such as the hash of a credential. */
  key: text("key").notNull(),
  /** What tells entries with one key apart, such as the article that has a slug; "" where there is only one. */
  id: text("id").notNull(),
  organizationId: text("organization_id").notNull(),
  /** Of a slug: its blog and locale, and since when readers find it. */
  blogId: text("blog_id").notNull(),
  locale: text("locale").notNull(),
  since: text("since").notNull(),
};

export const directory = sqliteTable(
  "directory",
  {
    ...entry,
    /** 1 if it leads nowhere any more. Such an entry stays for a day, so that no older note comes after it. */
    gone: integer("gone").notNull(),
    /** The number of its note in `unlisted`; 0 if it has been claimed only. */
    change: integer("change").notNull(),
    /** When it may be removed: one that is gone, or a claim (directory.ts) that no note has confirmed. */
    until: text("until"),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.key, t.id] }),
    index("directory_until")
      .on(t.until)
      .where(sql`${t.until} is not null`),
  ],
);

/** What has changed of the entries of a shard. Its triggers note it (store/core/shard-triggers.ts), and store/core/directory.ts stores it in `DB`. */
export const unlisted = sqliteTable("unlisted", {
  /** Rises by the time in microseconds, also after all notes were removed. */
  change: integer("change").primaryKey({ autoIncrement: true }),
  ...entry,
  gone: integer("gone").notNull(),
});

/** Organizations on their way to another database (store/moving/), and for a day after it. One at a time moves. */
export const moves = sqliteTable("moves", {
  organizationId: text("organization_id").primaryKey(),
  /** The bindings of the database that it leaves, and of the one to which it goes. */
  source: text("source").notNull(),
  target: text("target").notNull(),
  state: text("state", {
    enum: ["copying", "following", "resting", "switching", "finishing", "switched", "cancelled"],
  })
    .notNull()
    .default("copying"),
  /** Behind which row of which table the copy goes on, as JSON text; null before it has begun. */
  cursor: text("cursor"),
  /** Since when the organization is moving, and since when in this state. */
  creationTime: text("creation_time").notNull(),
  time: text("time").notNull(),
  /** Until when an invocation works on it; "" if none does. */
  leaseTime: text("lease_time").notNull().default(""),
});

/** Rows of the organization that is moving, in both of its databases, that have changed there: temporary triggers note them. */
export const moveChanges = sqliteTable(
  "move_changes",
  {
    tableName: text("table_name").notNull(),
    /** The key of the row, as a JSON list. */
    key: text("key").notNull(),
    /** Differs with each change, so that a newer one is not taken for done. */
    change: text("change").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tableName, t.key] })],
);
