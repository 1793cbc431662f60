/** The authorization server (OAuth 2.1) of a base URL, by @cloudflare/workers-oauth-provider. */
import {
  GrantType,
  OAuthAuthorizationServer,
  OAuthError,
  type OAuthHelpers,
  type TokenExchangeCallbackOptions,
  type TokenExchangeCallbackResult,
  type ValidatedAccessToken,
} from "@cloudflare/workers-oauth-provider";
import { DomainError } from "../../errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { log } from "../../lib/log.ts";
import { ROLE_GRANTS, SCOPES, type Scope } from "../../domain/principal.ts";
import type { Database } from "../../store/core/sql.ts";
import { findConnection, noteGrant, type Connection } from "../../store/access/system-oauth-connections.ts";
import { RecordConflict, type Records } from "../../store/access/system-oauth-records.ts";
import { redirectProblem } from "./redirects.ts";
import { AUTHORIZE_PATH, REGISTER_PATH, RESOURCES, resourceOf, TOKEN_PATH, type Resource } from "./resources.ts";
import { CLIENT_SECONDS, openStorage, type StorageSetting } from "./storage.ts";

/** What the library keeps encrypted with each grant and hands back with each token. */
export type Props = {
  readonly connectionId: string;
  /** Known to nobody but the holders of the connection's tokens, and the same for all of them. */
  readonly secret: string;
};

export type AuthorizationServer = {
  /** Answers requests to the token and registration endpoints and to the metadata. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly api: OAuthHelpers;
  readonly storage: Records;
  /** What a token of a resource says; null for any other. */
  readonly validate: (resource: Resource, token: string) => Promise<ValidatedAccessToken<Props> | null>;
};

export type ServerSetting = StorageSetting & { readonly baseUrl: string };

/** What the library gets as the bindings of its Worker. */
type Bindings = { readonly OAUTH_KV: Records; readonly db: Database };

/** Opens the authorization server for one request. */
export function openAuthorizationServer({ baseUrl, ...setting }: ServerSetting): AuthorizationServer {
  const server = serverOf(baseUrl);
  const storage = openStorage(setting);
  const bindings: Bindings = { OAUTH_KV: storage, db: setting.db };
  return {
    fetch: (request) => afterConflicts(() => server.fetch(request.clone(), bindings, NO_CONTEXT)),
    api: server.getOAuthApi(bindings),
    storage,
    validate: (resource, token) => server.validateToken<Props>(resourceOf(baseUrl, resource), token, bindings),
  };
}

/** Of those who refresh with one token at the same moment, each try lets one through. */
const MOST_TRIES = 10;

/**
 * Answers again what has lost a race. A refresh token that another process of its client has just rotated is the
 * previous one by then, and is accepted: `invalid_grant` would make the client sign out.
 */
async function afterConflicts(answer: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof RecordConflict)) throw error;
      if (tries === MOST_TRIES) throw new DomainError("rate_limited", BUSY, { retryAfterSeconds: 1 });
    }
  }
}

const BUSY = "Too many requests refresh this token at the same moment.";

/** The library answers before it returns: it has nothing to wait for. */
const NO_CONTEXT = {
  waitUntil: () => undefined,
  passThroughOnException: () => undefined,
} as unknown as ExecutionContext;

// The last one is kept for the keys of clients that it remembers; a deployment has one base URL.
let kept: { readonly baseUrl: string; readonly server: OAuthAuthorizationServer<Bindings> } | null = null;

function serverOf(baseUrl: string): OAuthAuthorizationServer<Bindings> {
  if (kept?.baseUrl !== baseUrl) kept = { baseUrl, server: newServer(baseUrl) };
  return kept.server;
}

const DAY = 24 * 60 * 60;

function newServer(baseUrl: string): OAuthAuthorizationServer<Bindings> {
  return new OAuthAuthorizationServer<Bindings>({
    issuer: baseUrl,
    authorizeEndpoint: AUTHORIZE_PATH,
    tokenEndpoint: TOKEN_PATH,
    clientRegistrationEndpoint: REGISTER_PATH,
    resources: RESOURCES.map((resource) => resourceOf(baseUrl, resource)),
    // MCP clients of the 2025 revisions leave the resource out.
    defaultResource: resourceOf(baseUrl, "/mcp"),
    scopesSupported: [...SCOPES],
    accessTokenTTL: LIMITS.accessTokenSeconds,
    refreshTokenTTL: LIMITS.refreshTokenDays * DAY,
    refreshTokenIdleTTL: LIMITS.refreshTokenDays * DAY,
    clientRegistrationTTL: CLIENT_SECONDS,
    clientIdMetadataDocumentEnabled: true,
    // For applications on people's computers. Which schemes, redirects.ts says.
    allowPrivateUseRedirectUris: true,
    clientRegistrationCallback: ({ clientMetadata }) => refuseRegistration(clientMetadata),
    tokenExchangeCallback: (options) => checkStanding(options),
    onError: ({ code, internal }) => {
      log({ level: "info", message: "oauth refused", code, category: internal.category, reason: internal.reason });
    },
  });
}

/** What the library leaves open: how long and how many things may be, and the schemes of redirect URIs. */
function refuseRegistration({ client_name: name, redirect_uris: uris }: Readonly<Record<string, unknown>>) {
  if (typeof name === "string" && name.length > MOST_NAME) return { description: "client_name is too long" };
  const all = Array.isArray(uris) ? uris : [];
  if (all.length > MOST_REDIRECTS || all.some((uri) => String(uri).length > LIMITS.url)) {
    return { description: "redirect_uris are too many or too long" };
  }
  // As with those that the library refuses: one that can be used is enough.
  if (all.length > 0 && all.every((uri) => redirectProblem(String(uri)) !== undefined)) {
    return { code: "invalid_redirect_uri", description: "None of the redirect_uris can be used" };
  }
  return undefined;
}

/** Before it is cut to be shown. */
const MOST_NAME = 10 * LIMITS.appName;
const MOST_REDIRECTS = 20;

/**
 * Lets tokens be issued only for a connection that is in force, and only with what its person may do at
 * this moment. A refusal ends the grant.
 */
async function checkStanding(options: TokenExchangeCallbackOptions<Bindings>): Promise<TokenExchangeCallbackResult> {
  const { env, grantType, grantId, props, requestedScope } = options;
  const { connectionId } = props as Props;
  const connection =
    grantType === GrantType.AUTHORIZATION_CODE
      ? await noteGrant(env.db, connectionId, grantId)
      : await findConnection(env.db, connectionId);
  if (connection === null) throw new OAuthError("invalid_grant", { description: "The connection has ended" });
  const accessTokenScope = grantedOf(connection, requestedScope);
  if (accessTokenScope.length === 0) {
    throw new OAuthError("invalid_scope", { description: "The person may no longer grant any of these scopes" });
  }
  return { accessTokenScope };
}

/** Of scopes, those that a connection carries and its person's role still allows. Never "operator". */
export function grantedOf({ scopes, role }: Connection, asked: readonly string[]): Scope[] {
  return SCOPES.filter((scope) => asked.includes(scope) && scopes.includes(scope) && ROLE_GRANTS[role].includes(scope));
}
