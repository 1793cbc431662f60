/**
 * The only file that names the D1 binding. One database holds all organizations. To spread them over several, {@link
 * databaseOf} would look up the organization's database, and the callers of {@link getSharedDatabase} would ask every
 * database in turn, or a directory.
 */

type Bindings = { readonly DB: D1Database };

/** Returns the database that holds the rows of an organization. */
export const openDatabase = ({ DB }: Bindings, _organizationId: string): D1Database => DB;

/**
 * Returns the database for queries that do not belong to one organization: lookups of credentials, people and public
 * slugs, which run before the organization is known, and the queues and sweeps.
 */
export const getSharedDatabase = ({ DB }: Bindings): D1Database => DB;
