/** Connects applications of people through the real endpoints, except for the consent page. */
import { env } from "cloudflare:workers";
import { parseSettings } from "../../src/env.ts";
import { grantAccess } from "../../src/surfaces/oauth/server/consent.ts";
import { AUTHORIZE_PATH } from "../../src/surfaces/oauth/server/resources.ts";
import { openAuthorizationServer } from "../../src/surfaces/oauth/server/server.ts";
import type { Role, Scope } from "../../src/domain/principal.ts";
import { disconnect } from "../../src/store/access/system-oauth-connections.ts";
import { openDatabase } from "../../src/store/database.ts";
import type { Writer } from "../../src/store/core/writer.ts";
import { send, ORIGIN } from "./requests.ts";

export const REDIRECT = "https://client.example/callback";

export const VERIFIER = "a-code-verifier-of-at-least-forty-three-characters";

export type Tokens = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly resource: string;
  readonly token_type: string;
};

export type Connecting = {
  readonly userId: string;
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  readonly resource: "/mcp" | "/api";
  readonly role?: Role;
  readonly clientName?: string;
  readonly blogId?: string;
  /** The id of a registered application. Without it, a new one is registered. */
  readonly clientId?: string;
  /** Those of the shards, if the organization is in one. */
  readonly bindings?: Partial<Env>;
};

/** Connects an application and returns its tokens. The person must be a member with `role`, by default an owner. */
export async function connect(connecting: Connecting): Promise<Tokens & { clientId: string; connectionId: string }> {
  const { clientId, code } = await authorized(connecting);
  const response = await exchange(
    { grant_type: "authorization_code", code, client_id: clientId },
    {},
    connecting.bindings,
  );
  const body = await response.text();
  if (response.status !== 200) throw new Error(`token: ${response.status} ${body}`);
  return { ...(JSON.parse(body) as Tokens), clientId, connectionId: code.slice(0, code.indexOf(":")) };
}

/** Disconnects an application, as this person. */
export async function disconnected(id: string, userId: string): Promise<void> {
  const actor = { kind: "user", id: userId } as const;
  const ended = await disconnect({ db: env.DB, records: env.DB, id, actor, requestId: "test", now: new Date() });
  if (!ended) throw new Error("the application was not connected");
}

/** Connects an application and returns its access token. */
export const connectApp = async (connecting: Connecting): Promise<string> => (await connect(connecting)).access_token;

/** Returns a client id and an authorization code for it. */
export async function authorized(connecting: Connecting): Promise<{ clientId: string; code: string }> {
  const {
    userId,
    organizationId,
    scopes,
    resource,
    role = "owner",
    clientName = "Test client",
    blogId = null,
    bindings,
  } = connecting;
  const clientId = connecting.clientId ?? (await register({ client_name: clientName }));
  const now = () => new Date();
  const server = openAuthorizationServer({ db: env.DB, baseUrl: ORIGIN, requestId: "test", now });
  const request = await server.api.parseAuthRequest(new Request(await authorizeUrl({ clientId, scopes, resource })));
  const writer: Writer = {
    db: openDatabase({ ...env, ...bindings }, organizationId),
    organizationId,
    pinnedBlogId: null,
    actor: { kind: "user", id: userId, role },
    requestId: "test",
    now,
    quota: parseSettings(env).quota,
    announce: () => undefined,
    afterwards: () => undefined,
  };
  const redirectTo = await grantAccess(server, writer, { request, userId, clientName, scopes, blogId });
  return { clientId, code: String(new URL(redirectTo).searchParams.get("code")) };
}

/** Registers a public client and returns its id. */
export async function register(metadata: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const body = {
    client_name: "Test client",
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    ...metadata,
  };
  // Each registration comes from its own address, because registrations are limited by address.
  const response = await send("/oauth/register", { body, headers: { "CF-Connecting-IP": newAddress() } });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`register: ${response.status} ${text}`);
  return (JSON.parse(text) as { client_id: string }).client_id;
}

/** Returns an IPv6 address that no other test uses. */
export const newAddress = (): string =>
  `2001:db8:${[...crypto.getRandomValues(new Uint16Array(2))].map((part) => part.toString(16)).join(":")}::1`;

type Asked = { clientId: string; scopes: readonly string[]; resource: "/mcp" | "/api" };

/** Returns the URL to which an application sends its person. A parameter in `more` replaces one; "" removes it. */
export async function authorizeUrl({ clientId, scopes, resource }: Asked, more: Record<string, string> = {}) {
  const url = new URL(AUTHORIZE_PATH, ORIGIN);
  const asked = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: scopes.join(" "),
    state: "the state",
    code_challenge: await challengeOf(VERIFIER),
    code_challenge_method: "S256",
    resource: `${ORIGIN}${resource}`,
    ...more,
  };
  for (const [name, value] of Object.entries(asked)) if (value !== "") url.searchParams.set(name, value);
  return url.href;
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Sends a request to the token endpoint. */
export function exchange(
  parameters: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  bindings: Partial<Env> = {},
): Promise<Response> {
  const isCode = parameters["grant_type"] === "authorization_code";
  const defaults = isCode ? { redirect_uri: REDIRECT, code_verifier: VERIFIER } : {};
  return send("/oauth/token", {
    method: "POST",
    body: new URLSearchParams({ ...defaults, ...parameters }).toString(),
    type: "application/x-www-form-urlencoded",
    headers: { "CF-Connecting-IP": newAddress(), ...headers },
    bindings,
  });
}
