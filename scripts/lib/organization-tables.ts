/**
 * What belongs to an organization: the one list of all tables, from which `admin archive`, `restore` and `remove` follow.
 * Parents come first. A table that is restored later than others acts by itself or lets somebody in, so it waits until the
 * rest is there.
 */
import { Failure } from "./failure.ts";
import type { Cell } from "./place-bindings.ts";
import { listTables, type Part, type Table } from "./backup-tables.ts";
import type { Bindings } from "./place-bindings.ts";

export type Belonging = {
  /** Which rows are an organization's (?1). */
  readonly where: string;
  /** The table that decides it, of which no foreign key has to speak. */
  readonly parent?: { readonly column: string; readonly table: string };
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
  terms: own,
  slug_terms: within("blog_id", "blogs"),
  articles: own,
  article_renderings: own,
  term_articles: { ...within("term_id", "terms"), isMadeAgain: true },
  revisions: own,
  working_copies: own,
  moved_slugs: { ...own, numbered: { column: "id", identity: ["blog_id", "slug", "locale"] } },
  media: own,
  media_uses: own,
  trash: own,
  trashed_rows: own,
  redirects: own,
  contacts: own,
  topics: own,
  topic_items: own,
  topic_source_states: own,
  generations: own,
  audit: own,
  idempotency: { ...own, isSecret: true },
  revoked_credentials: own,
  delivery_hours: own,
  events: { ...own, numbered: { column: "seq", identity: ["id"] } },

  topic_refreshes: late,
  topic_refresh_sources: late,
  imports: late,
  imported_articles: { ...within("import_id", "imports"), isLate: true },
  imported_pictures: { ...within("import_id", "imports"), isLate: true },
  schedules: late,
  deletions: late,
  webhook_subscriptions: late,
  deliveries: { ...late, parent: { column: "event_id", table: "events" } },
  dead_letters: late,
  waiting_outboxes: { ...own, isMadeAgain: true },
  purges: { ...own, isMadeAgain: true, stays: true },
  site_hosts: late,
  hidden_blogs: own,
  contact_requests: { ...late, isSecret: true },
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

/** Returns the tables with rows of organizations, in the order of {@link BELONGINGS}. Throws a `Failure` if one is not in it. */
export async function listOwnedTables(bindings: Bindings): Promise<OwnedTable[]> {
  const tables = await listTables(bindings);
  const unknown = tables.filter(({ name }) => !(name in BELONGINGS)).map(({ name }) => name);
  if (unknown.length > 0)
    throw new Failure(`organization-tables.ts does not say to whom rows belong: ${unknown.join(", ")}.`);
  return Object.entries(BELONGINGS).flatMap(([name, belonging]) => {
    const table = tables.find((each) => each.name === name);
    return table === undefined || belonging === null ? [] : [{ table, belonging }];
  });
}

/** Returns the rows of a table that are an organization's. */
export const selectPart = ({ where }: Belonging, organizationId: string): Part => ({
  where,
  values: [organizationId satisfies Cell],
});

/** The beginnings of the keys of an organization's files: pictures, and files of imports. */
export const listPrefixes = (organizationId: string): string[] => [`${organizationId}/`, `imports/${organizationId}/`];
