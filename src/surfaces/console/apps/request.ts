/** Reads and checks an application's authorization request, for the consent page. */
import {
  AuthorizationError,
  authorizationErrorRedirect,
  CimdFetchError,
  type AuthRequest,
  type ClientInfo,
  type ConsentDescription,
} from "@cloudflare/workers-oauth-provider";
import { findUrlProblem, findKeysProblem } from "../../oauth/server/addresses.ts";
import { isJsonDocument } from "../../oauth/server/documents.ts";
import { findRedirectProblem } from "../../oauth/server/redirects.ts";
import { RESOURCE_SCOPES, findResource } from "../../oauth/server/resources.ts";
import type { AuthorizationServer } from "../../oauth/server/server.ts";
import { replaceOrigin } from "../../request/authorization-server.ts";
import { getBaseUrl } from "../../request/base-url.ts";
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { DEFAULT_SCOPES, type Scope } from "../../../domain/principal.ts";
import type { ConsoleContext } from "../env.ts";

export type Asking = {
  readonly request: AuthRequest;
  readonly client: ConsentDescription;
  /** The application's name, cleaned by `cleanName`. */
  readonly name: string;
  /** The scopes on offer, before they are reduced to those that the person's role allows. */
  readonly scopes: readonly Scope[];
  readonly ticked: readonly Scope[];
};

/** A refused request: the redirect URI with parameters that report the error to the application. */
type SentBack = { readonly sentBackTo: string };

/** Returns the page's request for the library, which needs only the cookies and the URL at the base URL. */
export const toBaseUrlRequest = (c: ConsoleContext): Request =>
  new Request(replaceOrigin(c.env.arrival, c.req.url), { headers: { Cookie: c.req.header("Cookie") ?? "" } });

/**
 * Reads the authorization request in the page's URL. Returns a refused request only if its redirect URI is known to
 * belong to the application. Throws all other refusals as a `DomainError` in words for people.
 */
export async function readAsking(c: ConsoleContext, server: AuthorizationServer): Promise<Asking | SentBack> {
  const { searchParams } = new URL(c.req.url);
  await refuseForeignDocument(searchParams.get("client_id") ?? "");
  refuseRedirect(searchParams.get("redirect_uri") ?? "");
  try {
    const request = await server.api.parseAuthRequest(toBaseUrlRequest(c));
    if (!hasChallenge(request)) return { sentBackTo: authorizationErrorRedirect(request, "invalid_request", NO_PKCE) };
    const { scopes, ticked } = listOfferedScopes(c, request);
    if (scopes.length === 0) return { sentBackTo: authorizationErrorRedirect(request, "invalid_scope", NO_SCOPE) };
    const [client] = await Promise.all([server.api.describeConsent(request), requireClient(server, request.clientId)]);
    return { request, client, name: cleanName(client.clientName), scopes, ticked };
  } catch (error) {
    if (error instanceof AuthorizationError && error.redirectTo !== undefined) return { sentBackTo: error.redirectTo };
    throw rewordForPerson(error);
  }
}

/** Whether the request has a PKCE challenge (S256). The library requires it of public clients only. */
const hasChallenge = ({ codeChallenge, codeChallengeMethod }: AuthRequest): boolean =>
  codeChallengeMethod === "S256" && /^[\w-]{43}$/.test(codeChallenge ?? "");

const NO_PKCE = "A code_challenge of 43 characters with the code_challenge_method S256 is required.";

const NO_SCOPE = "None of the requested scopes is known.";

/**
 * Throws `invalid_request` if the client id is a URL that may not be fetched, or does not answer directly with JSON.
 * The page shows the URL's host as the publisher, so that host itself has to serve the metadata.
 */
async function refuseForeignDocument(clientId: string): Promise<void> {
  if (!URL.canParse(clientId)) return;
  const problem = findUrlProblem(clientId);
  if (problem !== undefined) throw new DomainError("invalid_request", `The app's URL is not allowed. ${problem}`);
  if (!(await isJsonDocument(clientId))) throw makeUnreadableError(clientId);
}

const makeUnreadableError = (clientId: string): DomainError =>
  new DomainError(
    "invalid_request",
    `The app's details at ${new URL(clientId).hostname} could not be loaded. Try again later.`,
  );

/**
 * Throws `invalid_request` for a forbidden redirect URI, even if the application has registered it. Call it first,
 * because errors are sent to the redirect URI, too.
 */
function refuseRedirect(redirectUri: string): void {
  const problem = findRedirectProblem(redirectUri);
  if (problem === undefined) return;
  const text = `The link's redirect URL is not allowed. ${problem} Nothing was connected.`;
  throw new DomainError("invalid_request", text);
}

/**
 * Returns the current metadata of a client. Throws an `AuthorizationError` for an unknown client, and `invalid_request`
 * if the URL of its keys may not be fetched.
 */
export async function requireClient({ api }: AuthorizationServer, clientId: string): Promise<ClientInfo> {
  const client = await api.lookupClient(clientId);
  if (client === null) throw new AuthorizationError("invalid_request", { description: "Invalid client_id" });
  const problem = findKeysProblem(client);
  if (problem === undefined) return client;
  throw new DomainError("invalid_request", `The URL of the app's keys is not allowed. ${problem}`);
}

/** Turns a refusal of the library into a `DomainError` in words for people. Returns any other error unchanged. */
export function rewordForPerson(error: unknown): unknown {
  if (error instanceof CimdFetchError) return makeUnreadableError(error.metadataUrl);
  const description = error instanceof AuthorizationError ? error.description : findDescription(error);
  if (description === undefined) return error;
  const text = TEXTS.get(description);
  return new DomainError("invalid_request", `${text ?? `${description}.`} Nothing was connected.`);
}

/**
 * Returns the description of the plain error that the library throws if the redirect URI fails its second check, when
 * it issues the code. Undefined for any other error.
 */
const findDescription = (error: unknown): string | undefined =>
  error instanceof Error && error.message.startsWith(`${WRONG_REDIRECT}.`) ? WRONG_REDIRECT : undefined;

const WRONG_REDIRECT = "Invalid redirect URI";

const TEXTS: ReadonlyMap<string, string> = new Map([
  ["Invalid client_id", "The app is not registered here, or its registration has expired. It has to register again."],
  ["client_id is required", "The link does not say which app it is for."],
  [WRONG_REDIRECT, "The link's redirect URL does not belong to the app."],
]);

/**
 * Returns the requested scopes that the resource supports. If none is requested, offers all of them and selects the
 * default ones. A client of /mcp that asks to write articles is offered drafts first: whether it may publish, only a
 * person selects. Throws `invalid_request` for an unknown resource.
 */
export function listOfferedScopes(
  c: ConsoleContext,
  { resource, scope }: AuthRequest,
): Pick<Asking, "scopes" | "ticked"> {
  const named = typeof resource === "string" ? findResource(getBaseUrl(c.env.arrival), resource) : undefined;
  if (named === undefined)
    throw new DomainError("invalid_request", "The app does not ask for any permission that this service offers.");
  const known = RESOURCE_SCOPES[named];
  const asked = scope.filter((each) => each !== OFFLINE);
  if (asked.length === 0) return { scopes: known, ticked: DEFAULT_SCOPES };
  const mayAskLess = named === "/mcp" && asked.includes("articles:write");
  const scopes = known.filter((each) => asked.includes(each) || (mayAskLess && each === "articles:draft"));
  return { scopes, ticked: mayAskLess ? scopes.filter((each) => each !== "articles:write") : scopes };
}

/** OpenID Connect's scope that requests refresh tokens. It is ignored, because every application gets them. */
const OFFLINE = "offline_access";

/**
 * Returns an application's name that is safe to show: without characters that are invisible, change the direction of
 * text or break lines, and with at most `LIMITS.appName` grapheme clusters.
 */
export function cleanName(name: string): string {
  const seen = name
    .normalize("NFC")
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  const characters = Array.from(new Intl.Segmenter("en").segment(seen), ({ segment }) => segment);
  const short = characters.slice(0, LIMITS.appName).join("");
  // One letter can have any number of combining marks. Keep three in a row.
  const plain = short.replaceAll(/(\p{M}{3})\p{M}+/gu, "$1");
  if (plain === "") return "Unnamed app";
  return characters.length > LIMITS.appName ? `${plain}…` : plain;
}
