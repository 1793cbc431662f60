/**
 * Where a database is obtained: no other file names the binding. Today one D1 holds all organizations; to spread them
 * over several, {@link databaseOf} looks the organization's one up, and what {@link sharedDatabase} serves is asked of
 * each in turn, or of a directory.
 */

type Bindings = { readonly DB: D1Database };

/** The database that holds the rows of an organization. */
export const databaseOf = ({ DB }: Bindings, _organizationId: string): D1Database => DB;

/**
 * The database for what is not asked by organization: credentials, people and public slugs, which have to be found
 * before their organization is known, and the queues and sweeps, which serve all organizations at once.
 */
export const sharedDatabase = ({ DB }: Bindings): D1Database => DB;
