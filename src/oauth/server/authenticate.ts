/** From an application's access token to a principal. */
import { DomainError } from "../../errors.ts";
import type { Database } from "../../store/core/sql.ts";
import { findConnection, touchConnection } from "../../store/access/system-oauth-connections.ts";
import { isTouchDue, type Authenticated } from "../../auth/authenticate.ts";
import { resourceOf, type Resource } from "./resources.ts";
import { grantedOf, openAuthorizationServer } from "./server.ts";

/**
 * Resolves an access token of a resource. Two queries at every call: the token's record, and the connection
 * with the membership of its person; so a member who was removed loses access at once. Throws
 * `credentials_invalid` for everything else.
 */
export async function authenticateApp(
  { db, baseUrl }: { readonly db: Database; readonly baseUrl: string },
  resource: Resource,
  token: string,
  now: Date,
): Promise<Authenticated> {
  // Shape first: anything that is not one of our tokens costs no query.
  if (!TOKEN.test(token)) throw invalid();
  const server = openAuthorizationServer({ db, baseUrl, requestId: "", now: () => now });
  const valid = await server.validate(resource, token);
  if (valid === null) throw invalid();
  const connection = await findConnection(db, valid.props.connectionId);
  if (connection === null || connection.resource !== resourceOf(baseUrl, resource)) throw invalid();
  const { id, organizationId, role, lastUsedTime } = connection;
  return {
    principal: {
      kind: "app",
      id,
      organizationId,
      grants: new Set(grantedOf(connection, valid.scope)),
      role,
      pinnedBlogId: null,
    },
    // Not the token, of which there is a new one each hour: answers that show a secret are sealed under this.
    secret: valid.props.secret,
    ...(isTouchDue(lastUsedTime, now) && { touch: () => touchConnection(db, id, now) }),
  };
}

/** A connection's id, the grant's, and what is secret. */
const TOKEN = /^[0-9a-f-]{36}:[\w-]{1,64}:[\w-]{1,128}$/;

const invalid = (): DomainError =>
  new DomainError(
    "credentials_invalid",
    "The access token has expired, was revoked, or is for something else. Refresh it, or connect the application again.",
  );
