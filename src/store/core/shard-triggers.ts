/**
 * The triggers of a shard: they note in `unlisted` what the directory of `DB` must know (schema/shards.ts). `DB` has none of them,
 * so an installation without shards pays nothing.
 */
import { sql } from "drizzle-orm";
import type { EntryKind } from "./directory.ts";
import { queryRows, runTransaction, type Database } from "./sql.ts";

/** Which rows of a table are listed, and by what. In the SQL, `@` is the row. */
type Listed = {
  readonly kind: EntryKind;
  readonly table: string;
  readonly key: string;
  readonly id?: string;
  /** The organization; the column `organization_id`, if it is left out. */
  readonly organization?: string;
  /** Of a slug. */
  readonly place?: { readonly locale: string; readonly since: string };
  /** All rows, if it is left out. */
  readonly where?: string;
  /** The columns whose changes change the entry. */
  readonly columns?: readonly string[];
};

const LISTED: readonly Listed[] = [
  { kind: "article", table: "articles", key: "@.id" },
  { kind: "blog", table: "blogs", key: "@.id" },
  { kind: "connection", table: "connected_apps", key: "@.id" },
  { kind: "credential", table: "credentials", key: "@.hash" },
  { kind: "hidden", table: "hidden_blogs", key: "@.blog_id", id: "@.reason" },
  {
    kind: "host",
    table: "site_hosts",
    key: "@.host",
    where: "@.verified_time is not null",
    columns: ["verified_time"],
  },
  { kind: "invitation", table: "invitations", key: "@.hash" },
  { kind: "invitation", table: "invitations", key: "@.mail_hash", columns: ["mail_hash"] },
  { kind: "media", table: "media", key: "@.id" },
  { kind: "member", table: "members", key: "@.user_id", id: "@.organization_id" },
  {
    kind: "moved",
    table: "moved_slugs",
    key: "@.slug",
    id: "@.blog_id || ' ' || @.locale",
    place: { locale: "@.locale", since: "@.move_time" },
    where: "@.live = 1",
    columns: ["live"],
  },
  { kind: "organization", table: "organizations", key: "@.id", organization: "@.id" },
  { kind: "preview", table: "previews", key: "@.token_hash" },
  {
    kind: "slug",
    table: "articles",
    key: "@.slug",
    id: "@.id",
    place: { locale: "@.locale", since: "coalesce(@.public_time, '')" },
    where: "@.published = 1",
    columns: ["slug", "locale", "published", "public_time"],
  },
  { kind: "vanity", table: "blogs", key: "@.vanity_id", columns: ["vanity_id"] },
];

/** The number of a note: above all earlier ones, also of this statement, whose numbers `sqlite_sequence` does not have yet. */
const NEXT = `max(cast(unixepoch('subsec') * 1000000 as integer), coalesce((select max(change) from unlisted), 0) + 1,
    coalesce((select seq from sqlite_sequence where name = 'unlisted'), 0) + 1)`;

/** Returns the statement that notes an entry, if a condition holds. */
const note = (entry: string, gone: 0 | 1, where: string) =>
  `insert into unlisted (change, kind, key, id, organization_id, blog_id, locale, since, gone)
  select ${NEXT}, ${entry}, ${gone} where ${where};`;

/** Returns the values of an entry, and the condition of a row that is listed. */
function toEntry({ kind, key, id = "''", organization = "@.organization_id", place, where = "true" }: Listed) {
  const { locale, since } = place ?? { locale: "''", since: "''" };
  const blog = place === undefined ? "''" : "@.blog_id";
  return { entry: `'${kind}', ${key}, ${id}, ${organization}, ${blog}, ${locale}, ${since}`, where: `(${where})` };
}

/** Returns the triggers of a table. After an update, what is no more is noted before what is, which may have the same key. */
function buildTriggers(listing: Listed): [string, string][] {
  const { kind, table, columns } = listing;
  const { entry, where } = toEntry(listing);
  const [before, after] = ["old", "new"].map((row) => (text: string) => text.replaceAll("@", row)) as [Row, Row];
  const [gone, listed] = [note(before(entry), 1, before(where)), note(after(entry), 0, after(where))];
  const name = `listed_${columns?.[0] ?? kind}_${table}`;
  const make = (event: string, body: string, when = ""): [string, string] => {
    const [does = ""] = event.split(" ");
    return [`${name}_${does}`, `create trigger ${name}_${does} after ${event} on ${table} ${when} begin ${body} end`];
  };
  const changes = columns?.map((column) => `old.${column} is not new.${column}`).join(" or ");
  return [
    make("insert", listed),
    make("delete", gone),
    ...(columns === undefined
      ? []
      : [make(`update of ${columns.join(", ")}`, `${gone} ${listed}`, `when ${changes ?? ""}`)]),
  ];
}

type Row = (text: string) => string;

/** The triggers by their names, in the order of these. */
export const SHARD_TRIGGERS: readonly (readonly [name: string, sql: string])[] = LISTED.flatMap(buildTriggers).toSorted(
  ([one], [other]) => (one < other ? -1 : 1),
);

/** Statements that note all entries of a shard anew. Their numbers are above those of all earlier notes. */
export const RELIST: readonly string[] = LISTED.map((listing) => {
  const { entry, where } = toEntry(listing);
  const columns = "kind, key, id, organization_id, blog_id, locale, since, gone";
  return `insert into unlisted (${columns}) select ${entry}, 0 from ${listing.table} where ${where}`.replaceAll(
    "@",
    listing.table,
  );
});

/** SQLite writes the first words in capitals. */
const toText = (statements: readonly string[]): string => statements.join("\n").toLowerCase();

/** Makes a shard's triggers those that this version needs. It runs before an organization gets its home there, and in each sweep. */
export async function prepareShard(db: Database): Promise<void> {
  const found = await queryRows<{ name: string; sql: string }>(
    db,
    sql`select name, sql from sqlite_schema where type = 'trigger' and name like 'listed!_%' escape '!' order by name`,
  );
  if (toText(found.map((each) => each.sql)) === toText(SHARD_TRIGGERS.map(([, text]) => text))) return;
  await runTransaction(db, {
    dropped: found.map(({ name }) => sql.raw(`drop trigger ${name}`)),
    made: SHARD_TRIGGERS.map(([, text]) => sql.raw(text)),
  });
}
