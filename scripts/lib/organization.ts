/** Organizations and their first credentials, written to D1 from outside: no operation creates either. */
import { sha256 } from "../../src/lib/hash.ts";
import { newId } from "../../src/lib/ids.ts";
import { LIMITS } from "../../src/lib/limits.ts";
import type { Scope } from "../../src/lib/principal.ts";
import { kindOfSecret } from "../../src/lib/secrets.ts";
import { isSingleLine, isStorable } from "../../src/lib/text.ts";
import { Failure } from "./failure.ts";
import { runWrangler } from "./wrangler.ts";

/** Where a database is: under a state folder, or at Cloudflare. */
export type Place = { readonly folder: string; readonly wranglerFolder: string } | "remote";

type FirstCredential = {
  readonly name: string;
  readonly secret: string;
  /** None for an operator token, which has them all. */
  readonly scopes: readonly Scope[];
};

export type NewOrganization = {
  readonly id: string;
  readonly name: string;
  readonly credentials: readonly FirstCredential[];
};

/** Applies the migrations that a database lacks. */
export async function migrate(place: Place): Promise<void> {
  await runWrangler(["d1", "migrations", "apply", "DB", ...whereIs(place)], offlineFolder(place));
}

/** Stores an organization with its credentials, all or nothing; what is already there stays as it is. */
export async function storeOrganization(place: Place, organization: NewOrganization): Promise<void> {
  const sql = await organizationSql(organization, new Date());
  // One argument, as its value begins with a word that is no option; it holds hashes, no secrets.
  await runWrangler(["d1", "execute", "DB", ...whereIs(place), "--yes", `--command=${sql}`], offlineFolder(place));
}

/** Adds an operator token to an organization that exists; false where there is none of this id. */
export async function storeToken(place: Place, organizationId: string, token: FirstCredential): Promise<boolean> {
  const sql = `${await credentialSql(organizationId, token, literal(new Date().toISOString()))} RETURNING id;`;
  const args = ["d1", "execute", "DB", ...whereIs(place), "--yes", "--json", `--command=${sql}`];
  const [outcome] = JSON.parse(await runWrangler(args, offlineFolder(place))) as { results: unknown[] }[];
  return outcome !== undefined && outcome.results.length > 0;
}

/** Refuses what cannot be the name of an organization or of a credential. */
export function checkName(what: string, name: string): void {
  const fits = name.trim() !== "" && name.length <= LIMITS.name && isStorable(name) && isSingleLine(name);
  if (!fits) throw new Failure(`${what} has to be one line of 1 to ${LIMITS.name} characters.`, 2);
}

const whereIs = (place: Place): string[] =>
  place === "remote" ? ["--remote"] : ["--local", "--persist-to", place.folder];

const offlineFolder = (place: Place): string | null => (place === "remote" ? null : place.wranglerFolder);

async function organizationSql({ id, name, credentials }: NewOrganization, now: Date): Promise<string> {
  const time = literal(now.toISOString());
  const statements = [
    `INSERT INTO organizations (id, name, creation_time)
     VALUES (${literal(id)}, ${literal(name)}, ${time}) ON CONFLICT (id) DO NOTHING`,
  ];
  for (const credential of credentials) statements.push(await credentialSql(id, credential, time));
  return `${statements.join(";\n")};`;
}

async function credentialSql(organizationId: string, credential: FirstCredential, time: string): Promise<string> {
  const { name, secret, scopes } = credential;
  const values = [kindOfSecret(secret) ?? "", name, await sha256(secret), secret.slice(-4), JSON.stringify(scopes)];
  return `INSERT INTO credentials (id, organization_id, kind, name, hash, hint, scopes, creation_time)
     SELECT ${literal(newId())}, id, ${values.map(literal).join(", ")}, ${time}
     FROM organizations WHERE id = ${literal(organizationId)} ON CONFLICT (hash) DO NOTHING`;
}

/** A text as SQL: in SQLite, only the quote has a meaning inside quotes. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
