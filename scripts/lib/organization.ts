/** Writes organizations and their first credentials to D1, because no operation of the service creates these. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { hashPassword } from "better-auth/crypto";
import { sha256 } from "../../src/lib/hash.ts";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { Scope } from "../../src/domain/principal.ts";
import { email } from "../../src/operations/fields.ts";
import { parseSecretKind } from "../../src/domain/secrets.ts";
import { isSingleLine, isStorable } from "../../src/lib/text.ts";
import { DAY_MS } from "../../src/lib/time.ts";
import { Failure } from "./failure.ts";
import { listAppliedMigrations, executeLocally, listLocalDatabases, queryLocally } from "./local-database.ts";
import { listShardNames, parseShards } from "./shards.ts";
import { ROOT, runWrangler } from "./wrangler.ts";

/** A local database: a state folder. */
export type LocalPlace = { readonly folder: string };

/** A local database, or that of a deployment, by the path of its configuration for wrangler. */
export type Place = LocalPlace | { readonly config: string };

type FirstCredential = {
  readonly name: string;
  readonly secret: string;
  /** Empty for an operator token, which may do everything. */
  readonly scopes: readonly Scope[];
};

export type NewOrganization = {
  readonly id: string;
  readonly name: string;
  readonly credentials: readonly FirstCredential[];
  readonly owner?: { readonly name: string; readonly email: string; readonly password: string };
  /** Invites this person as an owner. `hash` is the hash of the secret in the invitation's link. */
  readonly invited?: { readonly email: string; readonly hash: string };
};

/**
 * Applies the migrations that local databases lack, all of one in one transaction, and makes the shards that EDGEPRESS_SHARDS wants. Throws a
 * `Failure` if tables do not fit, or if it wants fewer shards than there are.
 */
export async function prepareDatabase({ folder }: LocalPlace): Promise<void> {
  const known = listLocalDatabases(folder).length - 1;
  const shards = parseShards("EDGEPRESS_SHARDS", process.env["EDGEPRESS_SHARDS"] || undefined, known);
  for (const name of ["DB", ...listShardNames(shards)]) prepareOne(folder, name);
}

function prepareOne(folder: string, binding: string): void {
  const migrations = listPendingMigrations(folder, binding);
  if (migrations.length === 0) return;
  try {
    executeLocally(folder, makeMigrationsSql(migrations).join("\n"), binding);
  } catch (error) {
    if (!isRefused(error)) throw error;
    const why = error.message.replace("CHECK constraint failed: ", "");
    const remedy =
      error.errcode === TOO_OLD
        ? ""
        : " Its tables are not those of an earlier version; if they are of no use, remove the folder to start over.";
    throw new Failure(`The database in ${folder} cannot be migrated, and is as it was: ${why}.${remedy}`);
  }
}

/** SQLITE_CONSTRAINT_CHECK. The first migration has a constraint that fails for a database that is too old. */
const TOO_OLD = 275;

/** Returns true if SQLite cannot execute a statement with these tables (SQLITE_ERROR, {@link TOO_OLD}). */
const isRefused = (error: unknown): error is Error & { errcode: number } =>
  error instanceof Error && "errcode" in error && (error.errcode === 1 || error.errcode === TOO_OLD);

function listPendingMigrations(folder: string, binding: string): string[] {
  const applied = listAppliedMigrations(folder, binding);
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql") && !applied.has(name))
    .sort();
}

/** Returns SQL that applies migrations and notes them in wrangler's table. */
function makeMigrationsSql(names: readonly string[]): string[] {
  const applying = names.map(
    (name) =>
      `${readFileSync(path.join(MIGRATIONS, name), "utf8")}\nINSERT INTO d1_migrations (name) VALUES (${toSqlLiteral(name)});`,
  );
  return [MIGRATIONS_TABLE, ...applying];
}

const MIGRATIONS = path.join(ROOT, "migrations");

/** As wrangler creates it. */
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * Executes SQL in the database of a deployment and returns the rows of each statement. The SQL must not contain a secret: every
 * process of the machine can read the command line.
 */
async function queryRemote(config: string, sql: string): Promise<unknown[][]> {
  // One argument, so that wrangler never takes the SQL for another one.
  const args = ["d1", "execute", "DB", "--remote", "--yes", "--json", "--config", config, `--command=${sql}`];
  const outcomes = JSON.parse(await runWrangler(args, null)) as { results: unknown[] }[];
  return outcomes.map(({ results }) => results);
}

/** Stores an organization with its credentials, completely or not at all. Does not change rows that exist. */
export async function storeOrganization(place: Place, organization: NewOrganization): Promise<void> {
  // Contains only the hashes of secrets.
  const sql = `${(await listOrganizationSql(organization, new Date())).join(";\n")};`;
  if ("config" in place) await queryRemote(place.config, sql);
  else executeLocally(place.folder, sql);
}

/** Adds an operator token to an organization. Returns false if there is no organization with this id. */
export async function storeToken(place: Place, organizationId: string, token: FirstCredential): Promise<boolean> {
  const sql = await makeTokenSql(organizationId, token);
  const stored = "config" in place ? (await queryRemote(place.config, sql))[0] : queryLocally(place.folder, sql);
  return stored !== undefined && stored.length > 0;
}

/** Returns the statement that adds an operator token, and returns its id, if there is such an organization. */
export const makeTokenSql = async (organizationId: string, token: FirstCredential): Promise<string> =>
  `${await makeCredentialSql(organizationId, token, toSqlLiteral(new Date().toISOString()))} RETURNING id;`;

/** Throws a `Failure` if `name` is not valid for an organization or a credential. `what` begins the message. */
export function checkName(what: string, name: string): void {
  const fits = name.trim() !== "" && name.length <= LIMITS.name && isStorable(name) && isSingleLine(name);
  if (!fits) throw new Failure(`${what} has to be one line of 1 to ${LIMITS.name} characters.`, 2);
}

/** Returns the e-mail address in lower case. Throws a `Failure` if it is not valid. */
export function checkEmail(given: string): string {
  const parsed = email.safeParse(given);
  if (!parsed.success) throw new Failure(`"${given}" is not an e-mail address.`, 2);
  return parsed.data;
}

/** Returns the statements that store an organization with its credentials, each without its semicolon. */
export async function listOrganizationSql(organization: NewOrganization, now: Date): Promise<string[]> {
  const { id, name, credentials, owner, invited } = organization;
  const time = toSqlLiteral(now.toISOString());
  const statements = [
    `INSERT INTO organizations (id, name, creation_time)
     VALUES (${toSqlLiteral(id)}, ${toSqlLiteral(name)}, ${time}) ON CONFLICT (id) DO NOTHING`,
  ];
  for (const credential of credentials) statements.push(await makeCredentialSql(id, credential, time));
  if (invited !== undefined) statements.push(makeInvitationSql(id, invited, now));
  if (owner !== undefined) statements.push(...(await makeOwnerSql(id, owner, time)));
  return statements;
}

function makeInvitationSql(
  organizationId: string,
  { email, hash }: Required<NewOrganization>["invited"],
  now: Date,
): string {
  const until = new Date(now.getTime() + LIMITS.invitationDays * DAY_MS);
  const texts = [
    newId(),
    organizationId,
    email,
    "owner",
    "pending",
    hash,
    // `mail_hash`, the hash of the link in a mail. No mail is sent, so it is an id that fits no link.
    newId(),
    "admin",
    until.toISOString(),
    now.toISOString(),
  ];
  return `INSERT INTO invitations (id, organization_id, email, role, status, hash, mail_hash, inviter_id, expiration_time, creation_time)
     VALUES (${texts.map(toSqlLiteral).join(", ")})`;
}

/** Returns statements that insert a user, the password in better-auth's form, and the membership. */
async function makeOwnerSql(organizationId: string, owner: Required<NewOrganization>["owner"], time: string) {
  const email = toSqlLiteral(owner.email);
  const user = `(SELECT id FROM users WHERE email = ${email})`;
  const values = [newId(), "credential", await hashPassword(owner.password)].map(toSqlLiteral).join(", ");
  return [
    `INSERT INTO users (id, name, email, email_verified, creation_time, last_edit_time)
     VALUES (${toSqlLiteral(newId())}, ${toSqlLiteral(owner.name)}, ${email}, 1, ${time}, ${time}) ON CONFLICT (email) DO NOTHING`,
    `INSERT INTO accounts (id, provider_id, password, user_id, account_id, creation_time, last_edit_time)
     SELECT ${values}, id, id, ${time}, ${time} FROM users WHERE email = ${email}
     ON CONFLICT (provider_id, account_id) DO NOTHING`,
    `INSERT INTO members (id, organization_id, user_id, role, creation_time)
     SELECT ${toSqlLiteral(newId())}, ${toSqlLiteral(organizationId)}, ${user}, 'owner', ${time} WHERE true
     ON CONFLICT (organization_id, user_id) DO NOTHING`,
  ];
}

async function makeCredentialSql(organizationId: string, credential: FirstCredential, time: string): Promise<string> {
  const { name, secret, scopes } = credential;
  const values = [parseSecretKind(secret) ?? "", name, await sha256(secret), secret.slice(-4), JSON.stringify(scopes)];
  return `INSERT INTO credentials (id, organization_id, kind, name, hash, hint, scopes, creation_time)
     SELECT ${toSqlLiteral(newId())}, id, ${values.map(toSqlLiteral).join(", ")}, ${time}
     FROM organizations WHERE id = ${toSqlLiteral(organizationId)} ON CONFLICT (hash) DO NOTHING`;
}

/** Only the single quote has to be escaped in SQLite. */
const toSqlLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
