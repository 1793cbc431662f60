import { DomainError } from "../../../domain/errors.ts";
import { parseSecretKind } from "../../../domain/secrets.ts";
import { requireActive } from "../../../store/core/suspension.ts";
import { findConnection, hasExpired, touchConnection } from "../../../store/access/system-oauth-connections.ts";
import { isTouchDue, WRONG_SCHEME, type Authenticated } from "../../auth/authenticate.ts";
import { findMachineToken, type ValidToken } from "./machines.ts";
import { toResourceUrl, type Resource } from "./resources.ts";
import { filterGrantedScopes, openAuthorizationServer } from "./server.ts";
import type { Database } from "../../../store/core/sql.ts";
import type { TokenSetting } from "./storage.ts";

/**
 * Returns the principal of an access token for a resource. Throws `credentials_invalid` if the token or its connection
 * is not valid, and `organization_suspended`. Reads the membership of the person too, so the token stops working as soon as they are removed.
 */
export async function authenticateApp(
  { db, openConnection = () => db, baseUrl }: TokenSetting & { readonly baseUrl: string },
  resource: Resource,
  token: string,
  now: Date,
): Promise<Authenticated> {
  // A text that cannot be our token costs no query.
  if (!TOKEN.test(token))
    throw parseSecretKind(token) === null ? makeInvalidCredentialsError() : makeInvalidCredentialsError(WRONG_SCHEME);
  const valid = (await findMachineToken(db, token, now)) ?? (await validate({ db, baseUrl }, resource, token, now));
  if (valid === null) throw makeInvalidCredentialsError();
  const connection = await findConnection(openConnection(valid.connectionId), valid.connectionId);
  if (connection === null || connection.resource !== toResourceUrl(baseUrl, resource))
    throw makeInvalidCredentialsError();
  if (connection.secretHash !== valid.secretHash || hasExpired(connection, now)) throw makeInvalidCredentialsError();
  const { id, organizationId, role, lastUsedTime, blogId } = connection;
  requireActive(connection.suspension);
  if (connection.rests === 1) throw makeInvalidCredentialsError("The blog to which the app is limited is deleted.");
  return {
    principal: {
      kind: "app",
      id,
      organizationId,
      grants: new Set(filterGrantedScopes(connection, valid.scope)),
      role,
      pinnedBlogId: blogId,
      ...(valid.secretHash !== null && { isMachine: true }),
    },
    secret: valid.secret,
    ...(isTouchDue(lastUsedTime, now) && { touch: (at) => touchConnection(at, id, now) }),
  };
}

async function validate(
  setting: { readonly db: Database; readonly baseUrl: string },
  resource: Resource,
  token: string,
  now: Date,
): Promise<ValidToken | null> {
  const server = openAuthorizationServer({ ...setting, requestId: "", now: () => now });
  const valid = await server.validate(resource, token);
  return valid && { ...valid.props, scope: valid.scope, secretHash: null };
}

/** Access tokens consist of the connection's id, the grant's id and a secret. */
const TOKEN = /^[0-9a-f-]{36}:[\w-]{1,64}:[\w-]{1,128}$/;

const NOT_VALID =
  "The access token has expired, was revoked, or is for something else. Refresh it, or connect the application again.";

const makeInvalidCredentialsError = (detail = NOT_VALID): DomainError => new DomainError("credentials_invalid", detail);
