/** The authorization server (OAuth 2.1), which @cloudflare/workers-oauth-provider implements. */
import {
  GrantType,
  OAuthAuthorizationServer,
  OAuthError,
  type OAuthHelpers,
  type TokenExchangeCallbackOptions,
  type TokenExchangeCallbackResult,
  type ValidatedAccessToken,
} from "@cloudflare/workers-oauth-provider";
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { log } from "../../../lib/log.ts";
import { utf8Length } from "../../../lib/text.ts";
import { ROLE_GRANTS, SCOPES, type Scope } from "../../../domain/principal.ts";
import type { Database } from "../../../store/core/sql.ts";
import { findConnection, recordGrant, type Connection } from "../../../store/access/system-oauth-connections.ts";
import { RecordConflict, type Records } from "../../../store/access/system-oauth-records.ts";
import { findRedirectProblem } from "./redirects.ts";
import { AUTHORIZE_PATH, REGISTER_PATH, RESOURCES, toResourceUrl, TOKEN_PATH, type Resource } from "./resources.ts";
import { CLIENT_SECONDS, openStorage, type StorageSetting } from "./storage.ts";

/** The library stores this data encrypted in each grant, and returns it with each valid token. */
export type Props = {
  readonly connectionId: string;
  /** Only holders of the connection's tokens can learn this secret. All of its tokens share it. */
  readonly secret: string;
};

export type AuthorizationServer = {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly api: OAuthHelpers;
  readonly storage: Records;
  /** Returns null if the token is not a valid access token for the resource. */
  readonly validate: (resource: Resource, token: string) => Promise<ValidatedAccessToken<Props> | null>;
};

export type ServerSetting = StorageSetting & { readonly baseUrl: string };

/** The library expects the name `OAUTH_KV`. */
type Bindings = { readonly OAUTH_KV: Records; readonly openConnection: (id: string) => Database };

export function openAuthorizationServer({ baseUrl, ...setting }: ServerSetting): AuthorizationServer {
  const server = getServer(baseUrl);
  const storage = openStorage(setting);
  const bindings: Bindings = { OAUTH_KV: storage, openConnection: setting.openConnection ?? (() => setting.db) };
  return {
    fetch: (request) => retryOnConflict(() => server.fetch(request.clone(), bindings, NO_CONTEXT)),
    api: server.getOAuthApi(bindings),
    storage,
    validate: (resource, token) => server.validateToken<Props>(toResourceUrl(baseUrl, resource), token, bindings),
  };
}

/** If several requests refresh with one token at the same moment, each attempt lets one succeed. */
const MOST_TRIES = 10;

/**
 * Answers a request again after it lost a race for a record. Another process of the client may have replaced the refresh
 * token: the library still accepts the previous one, while `invalid_grant` would make the client sign out. Throws
 * `rate_limited` after too many attempts.
 */
async function retryOnConflict(answer: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof RecordConflict)) throw error;
      if (tries === MOST_TRIES) throw new DomainError("rate_limited", BUSY, { retryAfterSeconds: 1 });
    }
  }
}

const BUSY = "Too many requests are refreshing this token at the same time.";

/** An execution context that does nothing: the library completes its work before it returns. */
const NO_CONTEXT = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
} as unknown as ExecutionContext;

// Kept between requests, because it caches the keys of clients. A deployment has only one base URL.
let cachedServer: { readonly baseUrl: string; readonly server: OAuthAuthorizationServer<Bindings> } | null = null;

function getServer(baseUrl: string): OAuthAuthorizationServer<Bindings> {
  if (cachedServer?.baseUrl !== baseUrl) cachedServer = { baseUrl, server: createServer(baseUrl) };
  return cachedServer.server;
}

const DAY = 24 * 60 * 60;

function createServer(baseUrl: string): OAuthAuthorizationServer<Bindings> {
  return new OAuthAuthorizationServer<Bindings>({
    issuer: baseUrl,
    authorizeEndpoint: AUTHORIZE_PATH,
    tokenEndpoint: TOKEN_PATH,
    clientRegistrationEndpoint: REGISTER_PATH,
    resources: RESOURCES.map((resource) => toResourceUrl(baseUrl, resource)),
    // MCP clients of the 2025 revisions of the specification send no resource.
    defaultResource: toResourceUrl(baseUrl, "/mcp"),
    scopesSupported: [...SCOPES],
    accessTokenTTL: LIMITS.accessTokenSeconds,
    refreshTokenTTL: LIMITS.refreshTokenDays * DAY,
    refreshTokenIdleTTL: LIMITS.refreshTokenDays * DAY,
    clientRegistrationTTL: CLIENT_SECONDS,
    clientIdMetadataDocumentEnabled: true,
    // For applications on people's computers. redirects.ts decides which schemes are allowed.
    allowPrivateUseRedirectUris: true,
    clientRegistrationCallback: ({ clientMetadata }) => refuseRegistration(clientMetadata),
    tokenExchangeCallback: (options) => resolveTokenScopes(options),
    onError: ({ code, internal }) => {
      log({ level: "info", message: "oauth refused", code, category: internal.category, reason: internal.reason });
    },
  });
}

/**
 * Returns why a registration is refused, or undefined if it is accepted. The library does not check the length of the
 * name, the number, lengths and schemes of redirect URIs, and how much would be stored.
 */
function refuseRegistration(metadata: Readonly<Record<string, unknown>>) {
  const { client_name: name, redirect_uris: uris, grant_types: grants, response_types: responses } = metadata;
  if (typeof name === "string" && name.length > MOST_NAME) return { description: "client_name is too long" };
  const all = Array.isArray(uris) ? uris : [];
  if (all.length > LIMITS.appRedirects || all.some((uri) => String(uri).length > LIMITS.url)) {
    return { description: `redirect_uris are too long, or more than ${LIMITS.appRedirects}` };
  }
  if (utf8Length(JSON.stringify([name, all, grants, responses])) > LIMITS.appStoredBytes) {
    return {
      description: `The name and the redirect_uris have more than ${LIMITS.appStoredBytes / 1024} KiB together`,
    };
  }
  // One usable URI is enough, as in the library's own check.
  if (all.length > 0 && all.every((uri) => findRedirectProblem(String(uri)) !== undefined)) {
    return { code: "invalid_redirect_uri", description: "None of the redirect_uris can be used" };
  }
  return undefined;
}

/** Maximum characters of a registered name. Pages show only the first `LIMITS.appName` of them. */
const MOST_NAME = 10 * LIMITS.appName;

/**
 * Returns the scopes of a new access token: the requested scopes that the connection has and its person's role allows.
 * Throws `invalid_grant` if the connection has ended, or if the role allows none of its scopes: the library then deletes
 * the grant, and clients ask for consent again. Throws `invalid_scope` if only the requested scopes are not allowed
 * (RFC 6749, 5.2): the grant stays, because the client can still get the other scopes.
 */
async function resolveTokenScopes(
  options: TokenExchangeCallbackOptions<Bindings>,
): Promise<TokenExchangeCallbackResult> {
  const { env, grantType, grantId, props, requestedScope } = options;
  const { connectionId } = props as Props;
  const connection =
    grantType === GrantType.AUTHORIZATION_CODE
      ? await recordGrant(env.openConnection(connectionId), connectionId, grantId)
      : await findConnection(env.openConnection(connectionId), connectionId);
  if (connection === null) throw new OAuthError("invalid_grant", { description: "The connection has ended" });
  if (filterGrantedScopes(connection, connection.scopes).length === 0) {
    throw new OAuthError("invalid_grant", { description: "The person's role no longer allows any of its scopes" });
  }
  const accessTokenScope = filterGrantedScopes(connection, requestedScope);
  if (accessTokenScope.length === 0) {
    throw new OAuthError("invalid_scope", { description: "The person's role no longer allows any of these scopes" });
  }
  return { accessTokenScope };
}

/** Returns the requested scopes that a connection has and its person's role allows. Never "operator". */
export function filterGrantedScopes(
  { scopes, role }: Pick<Connection, "scopes" | "role">,
  asked: readonly string[],
): Scope[] {
  return SCOPES.filter((scope) => asked.includes(scope) && scopes.includes(scope) && ROLE_GRANTS[role].includes(scope));
}
