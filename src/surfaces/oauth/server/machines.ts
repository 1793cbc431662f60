/**
 * The grant `client_credentials` (OAuth 2.1, 4.2; MCP, OAuth Client Credentials), which the library does not have: a program
 * shows the id and the secret of its machine connection, and gets an access token for an hour.
 */
import { LIMITS } from "../../../domain/limits.ts";
import { isMachineSecret, newLinkSecret } from "../../../domain/secrets.ts";
import { sha256 } from "../../../lib/hash.ts";
import { isUuid } from "../../../lib/ids.ts";
import type { Database } from "../../../store/core/sql.ts";
import { requireActive } from "../../../store/core/suspension.ts";
import { findConnection, hasExpired, type Connection } from "../../../store/access/system-oauth-connections.ts";
import { openRecords } from "../../../store/access/system-oauth-records.ts";
import { toResourceUrl } from "./resources.ts";
import { filterGrantedScopes } from "./server.ts";
import type { TokenSetting } from "./storage.ts";

export const CLIENT_CREDENTIALS = "client_credentials";

type Setting = TokenSetting & { readonly baseUrl: string; readonly now: Date };

type Issued = {
  readonly access_token: string;
  readonly token_type: "bearer";
  readonly expires_in: number;
  readonly scope: string;
  readonly resource: string;
};

type Refused = { readonly error: string; readonly error_description: string };

/** Returns a token, or why there is none (RFC 6749, 5.2). Throws `organization_suspended`. */
export async function issueMachineToken(
  setting: Setting,
  form: URLSearchParams,
  basic: readonly [string, string] | null,
): Promise<Issued | Refused> {
  const posted = form.has("client_secret");
  if ([...new Set(form.keys())].some((name) => form.getAll(name).length > 1))
    return refuse("invalid_request", "A parameter is there twice.");
  if (posted && basic !== null) return refuse("invalid_request", "The client authenticates in two ways.");
  const [clientId, secret] = basic ?? [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
  const connection = await findMachine(setting, clientId, secret);
  if (connection === null) return refuse("invalid_client", "There is no such client, or its secret is another.");
  requireActive(connection.suspension);
  const resource = toResourceUrl(setting.baseUrl, "/mcp");
  if ((form.get("resource") ?? resource) !== connection.resource)
    return refuse("invalid_target", `The connection is for ${connection.resource}.`);
  const asked = form.get("scope")?.split(" ").filter(Boolean) ?? [];
  const scope = filterGrantedScopes(connection, asked.length === 0 ? connection.scopes : asked);
  if (scope.length === 0) return refuse("invalid_scope", "The connection has none of these scopes.");
  return { ...(await storeToken(setting, connection, scope)), token_type: "bearer", scope: scope.join(" "), resource };
}

const refuse = (error: string, description: string): Refused => ({ error, error_description: description });

/** Returns a machine connection in force. Null if there is none, or it has another secret. A text that cannot be right costs no query. */
async function findMachine(
  { db, openConnection = () => db, now }: Setting,
  id: string,
  secret: string,
): Promise<Connection | null> {
  if (!isUuid(id) || !isMachineSecret(secret)) return null;
  const connection = await findConnection(openConnection(id), id);
  const isRight = connection !== null && connection.secretHash === (await sha256(secret));
  return isRight && !hasExpired(connection, now) ? connection : null;
}

/** `of` is the hash of the secret at that time: with another secret, the connection has no token any more. */
type Stored = { readonly scope: readonly string[]; readonly of: string | null };

/** The key ends with the connection ({@link TokenSetting}), as those of the library do. */
const toKey = async (token: string): Promise<string> =>
  `token:${token.slice(0, token.lastIndexOf(":"))}:${await sha256(token)}`;

async function storeToken({ db, now }: Setting, { id, secretHash, expirationTime }: Connection, scope: string[]) {
  const left = expirationTime === null ? Infinity : (Date.parse(expirationTime) - now.getTime()) / 1000;
  const seconds = Math.min(LIMITS.accessTokenSeconds, Math.ceil(left));
  const { secret } = await newLinkSecret();
  const token = `${id}:${GRANT}:${secret}`;
  const stored: Stored = { scope, of: secretHash };
  await openRecords(db, () => now).put(await toKey(token), JSON.stringify(stored), { expirationTtl: seconds });
  return { access_token: token, expires_in: seconds };
}

/** Stands where tokens of apps have the id of their grant. */
const GRANT = "machine";

export type ValidToken = {
  readonly connectionId: string;
  readonly scope: readonly string[];
  /** Encrypts stored responses that contain a secret. That of an app is the same for all its tokens, which change every hour. */
  readonly secret: string;
  /** The hash of the secret for which a machine connection got the token; null for apps. */
  readonly secretHash: string | null;
};

/** Returns what a token of a machine connection is for. Null if it is of another kind, unknown or too old. */
export async function findMachineToken(db: Database, token: string, now: Date): Promise<ValidToken | null> {
  const [connectionId = "", grant] = token.split(":");
  if (grant !== GRANT) return null;
  const stored = (await openRecords(db, () => now).get(await toKey(token), "json")) as Stored | null;
  return stored && { connectionId, scope: stored.scope, secret: token, secretHash: stored.of };
}
