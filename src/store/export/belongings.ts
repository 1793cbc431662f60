/**
 * What belongs to an organization: the one list of all tables, from which its export and `admin archive`, `restore` and `remove` follow.
 * Parents come first. A table that is restored later than others acts by itself or lets somebody in, so it waits until the
 * rest is there.
 */
import type { Row } from "../../lib/rows.ts";
import { listTables, type Part, type Source, type Table } from "./tables.ts";

export type Belonging = {
  /** Which rows are an organization's (?1). */
  readonly where: string;
  /**
   * The same by an index, if none has `where`: without what nobody can see any more, such as pings. The owner's export has
   * these, and a removal begins with them: it reads the rows of others only once, at its end.
   */
  readonly exported?: string;
  /** The table that decides it, of which no foreign key has to speak, and its column, if that is not `id`. */
  readonly parent?: { readonly column: string; readonly table: string; readonly to?: string };
  /** Not in an archive: triggers or the service make these rows again, or they only hold at one address. */
  readonly isMadeAgain?: true;
  /** Not in an archive without secrets: keys, and what lets somebody in. */
  readonly isSecret?: true;
  /** Not removed with the organization: the accounts of people. */
  readonly stays?: true;
  /** Restored when everything else is there. */
  readonly isLate?: true;
  /** A column that counts rows of all organizations, so that the database numbers them anew; and what identifies a row instead. */
  readonly numbered?: { readonly column: string; readonly identity: readonly string[] };
};

const OWN = "organization_id = ?1";
const own: Belonging = { where: OWN };
const within = (column: string, table: string): Belonging => ({
  where: `${column} IN (SELECT id FROM ${table} WHERE ${OWN})`,
  parent: { column, table },
});
const late: Belonging = { where: OWN, isLate: true };
const ofBlog = within("blog_id", "blogs");
/** Articles are found by their blogs: no index has their organization. */
const ARTICLES = `SELECT id FROM articles WHERE ${ofBlog.where}`;
const ofArticle: Belonging = {
  where: `article_id IN (${ARTICLES})`,
  parent: { column: "article_id", table: "articles" },
};

/** Selects the people of an organization, also those who have left and whose apps its audit log names. */
const PEOPLE = `SELECT user_id FROM members WHERE ${OWN} UNION SELECT user_id FROM connected_apps WHERE ${OWN}`;

/** Selects the OAuth records of connected apps, whose keys have the id of the connection. */
const OAUTH_RECORDS = `SELECT r.key FROM connected_apps AS c, json_each('["grant:", "token:", "awaited:"]') AS kind
  JOIN oauth_records AS r ON r.key >= kind.value || c.id AND r.key < kind.value || c.id || ';' WHERE c.${OWN}`;

/** Each table, and what of it belongs to an organization; null if nothing does. */
export const BELONGINGS: Readonly<Record<string, Belonging | null>> = {
  organizations: { where: "id = ?1" },
  suspensions: own,
  blogs: own,
  terms: ofBlog,
  slug_terms: ofBlog,
  articles: ofBlog,
  article_renderings: ofArticle,
  term_articles: {
    where: `term_id IN (SELECT id FROM terms WHERE blog_id IN (SELECT id FROM blogs WHERE ${OWN}))`,
    parent: { column: "term_id", table: "terms" },
    isMadeAgain: true,
  },
  revisions: own,
  working_copies: ofArticle,
  article_sources: ofArticle,
  moved_slugs: { ...own, numbered: { column: "id", identity: ["blog_id", "slug", "locale"] } },
  media: { ...own, exported: `${OWN} AND library = 1 OR article_id IN (${ARTICLES})` },
  media_uses: ofArticle,
  trash: own,
  trashed_rows: {
    where: `article_id IN (SELECT article_id FROM trash WHERE ${OWN})`,
    parent: { column: "article_id", table: "trash", to: "article_id" },
  },
  redirects: ofBlog,
  contacts: ofBlog,
  topics: ofBlog,
  topic_items: ofBlog,
  topic_source_states: ofBlog,
  generations: own,
  generation_answers: within("generation_id", "generations"),
  audit: own,
  idempotency: { ...own, isSecret: true },
  revoked_credentials: own,
  delivery_hours: own,
  ledger: { ...own, isMadeAgain: true },
  events: { ...own, exported: `${OWN} AND kind <> 'ping'`, numbered: { column: "seq", identity: ["id"] } },

  topic_refreshes: late,
  topic_refresh_sources: late,
  imports: late,
  imported_articles: { ...within("import_id", "imports"), isLate: true },
  imported_pictures: { ...within("import_id", "imports"), isLate: true },
  schedules: late,
  deletions: late,
  approvals: late,
  webhook_subscriptions: late,
  deliveries: {
    ...late,
    exported: `subscription_id IN (SELECT id FROM webhook_subscriptions WHERE ${OWN})
      AND EXISTS (SELECT 1 FROM events AS e WHERE e.id = event_id AND e.kind <> 'ping')`,
    parent: { column: "event_id", table: "events" },
  },
  dead_letters: late,
  waiting_outboxes: { ...own, isMadeAgain: true },
  purges: { ...own, isMadeAgain: true, stays: true },
  site_hosts: { ...ofBlog, isLate: true },
  hidden_blogs: own,
  contact_requests: { ...ofBlog, isLate: true, isSecret: true },
  previews: { ...late, isSecret: true },
  users: { where: `id IN (${PEOPLE})`, isLate: true, stays: true },
  // Not those of an OpenID Connect provider: another installation may have another one, with the same ids for other people.
  accounts: {
    where: `provider_id = 'credential' AND user_id IN (${PEOPLE})`,
    isLate: true,
    isSecret: true,
    stays: true,
  },
  connected_apps: late,
  oauth_records: { where: `key IN (${OAUTH_RECORDS})`, isMadeAgain: true },
  members: late,
  invitations: { ...late, isSecret: true },
  credentials: { ...late, isSecret: true },

  assertions: null,
  last_times: null,
  local_mails: null,
  sessions: null,
  verifications: null,
};

export type OwnedTable = { readonly table: Table; readonly belonging: Belonging };

/** Returns the tables with rows of organizations, in the order of {@link BELONGINGS}. Throws if one is not in it. */
export async function listOwnedTables(source: Source): Promise<OwnedTable[]> {
  const tables = await listTables(source);
  const unknown = tables.filter(({ name }) => !(name in BELONGINGS)).map(({ name }) => name);
  if (unknown.length > 0) throw new Error(`belongings.ts does not say to whom rows belong: ${unknown.join(", ")}.`);
  return Object.entries(BELONGINGS).flatMap(([name, belonging]) => {
    const table = tables.find((each) => each.name === name);
    return table === undefined || belonging === null ? [] : [{ table, belonging }];
  });
}

/** Returns the tables of an archive, parents first. */
export const listArchived = async (
  source: Source,
  { hasSecrets }: { readonly hasSecrets: boolean },
): Promise<OwnedTable[]> =>
  (await listOwnedTables(source)).filter(
    ({ belonging: { isMadeAgain, isSecret } }) => !isMadeAgain && (hasSecrets || !isSecret),
  );

/** Returns a row as an archive without secrets has it. */
export const leaveOutSecret = (table: string, row: Row): Row => ({ ...row, ...LEFT_OUT[table] });

/** What stands in place of a secret, by its table. */
const LEFT_OUT: Readonly<Record<string, Row>> = {
  webhook_subscriptions: { secret: "" },
  connected_apps: { secret_hash: null },
};

export const readMigrations = async ({ query }: Source): Promise<string[]> =>
  (await query("SELECT name FROM d1_migrations ORDER BY id")).map(({ name }) => String(name));

/** Returns the rows of a table that are an organization's. */
export const selectPart = ({ where }: Pick<Belonging, "where">, organizationId: string): Part => ({
  where,
  values: [organizationId],
});

/** The beginnings of the keys of an organization's files: pictures, and files of imports. */
export const listPrefixes = (organizationId: string): string[] => [`${organizationId}/`, `imports/${organizationId}/`];
