/**
 * Several databases (store/database.ts): `DB`, and shards, each with some organizations. All have these tables, but `homes` and
 * `directory` have rows only in `DB`, `unlisted` only in shards. With one database, all are empty.
 * The migration adds WITHOUT ROWID, which Drizzle cannot express: a lookup in an empty table then reads no row.
 */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The organizations that are not in `DB`. */
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

export const directory = sqliteTable("directory", entry, (t) => [primaryKey({ columns: [t.kind, t.key, t.id] })]);

/** Entries that `DB` does not have yet, or still has (`gone`). The triggers of a shard (store/core/shard-triggers.ts) note them, and store/core/directory.ts stores them there. */
export const unlisted = sqliteTable(
  "unlisted",
  {
    ...entry,
    gone: integer("gone", { mode: "boolean" }).notNull(),
    /** Differs with each note, so that a newer one is not taken for done. */ change: text("change").notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.key, t.id] })],
);
