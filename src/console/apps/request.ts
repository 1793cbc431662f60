/** What an application asks for, as the page of consent shows it. */
import {
  AuthorizationError,
  authorizationErrorRedirect,
  CimdFetchError,
  type AuthRequest,
  type ClientInfo,
  type ConsentDescription,
} from "@cloudflare/workers-oauth-provider";
import { addressProblem, keysProblem } from "../../oauth/server/addresses.ts";
import { isDocument } from "../../oauth/server/documents.ts";
import { redirectProblem } from "../../oauth/server/redirects.ts";
import { RESOURCE_SCOPES, resourceNamed } from "../../oauth/server/resources.ts";
import type { AuthorizationServer } from "../../oauth/server/server.ts";
import { addressAtBaseUrl } from "../../request/authorization-server.ts";
import { baseUrlOf } from "../../request/base-url.ts";
import { DomainError } from "../../errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { DEFAULT_SCOPES, type Scope } from "../../domain/principal.ts";
import type { ConsoleContext } from "../env.ts";

export type Asking = {
  readonly request: AuthRequest;
  readonly client: ConsentDescription;
  /** What it is called, fit to be shown. */
  readonly name: string;
  /** The scopes that can be selected, before any role is considered. */
  readonly scopes: readonly Scope[];
  /** What is ticked at first. */
  readonly ticked: readonly Scope[];
};

/** The request cannot go on: by this address the application learns of it. */
export type SentBack = { readonly sentBackTo: string };

/** The page's request at the base URL, with its cookies: what the library wants to see of it. */
export const atBaseUrl = (c: ConsoleContext): Request =>
  new Request(addressAtBaseUrl(c.env.arrival, c.req.url), { headers: { Cookie: c.req.header("Cookie") ?? "" } });

/**
 * Reads what the address of the page asks for. An error goes back to the application only where its address is
 * known to be the application's; else it throws one for people.
 */
export async function readAsking(c: ConsoleContext, server: AuthorizationServer): Promise<Asking | SentBack> {
  const { searchParams } = new URL(c.req.url);
  await refuseForeignDocument(searchParams.get("client_id") ?? "");
  refuseRedirect(searchParams.get("redirect_uri") ?? "");
  try {
    const request = await server.api.parseAuthRequest(atBaseUrl(c));
    if (!hasChallenge(request)) return { sentBackTo: authorizationErrorRedirect(request, "invalid_request", NO_PKCE) };
    const { scopes, ticked } = offered(c, request);
    if (scopes.length === 0) return { sentBackTo: authorizationErrorRedirect(request, "invalid_scope", NO_SCOPE) };
    const [client] = await Promise.all([server.api.describeConsent(request), knownClient(server, request.clientId)]);
    return { request, client, name: shownName(client.clientName), scopes, ticked };
  } catch (error) {
    if (error instanceof AuthorizationError && error.redirectTo !== undefined) return { sentBackTo: error.redirectTo };
    throw forPerson(error);
  }
}

/** PKCE with S256 is asked of everybody; the library asks it of public clients only. */
const hasChallenge = ({ codeChallenge, codeChallengeMethod }: AuthRequest): boolean =>
  codeChallengeMethod === "S256" && /^[\w-]{43}$/.test(codeChallenge ?? "");

const NO_PKCE = "A code_challenge of 43 characters with the code_challenge_method S256 is required.";

const NO_SCOPE = "None of the scopes is known here.";

/** The metadata of a client is fetched from its id, and its host is shown as the one that publishes it. */
async function refuseForeignDocument(clientId: string): Promise<void> {
  if (!URL.canParse(clientId)) return;
  const problem = addressProblem(clientId);
  if (problem !== undefined)
    throw new DomainError("invalid_request", `The application's address is refused. ${problem}`);
  if (!(await isDocument(clientId))) throw unreadable(clientId);
}

const unreadable = (clientId: string): DomainError =>
  new DomainError(
    "invalid_request",
    `What ${new URL(clientId).hostname} says about the application could not be read. Try again later.`,
  );

/** Before anything is sent there, errors included; also where the application has registered it. */
function refuseRedirect(redirectUri: string): void {
  const problem = redirectProblem(redirectUri);
  if (problem === undefined) return;
  const text = `The link leads to an address that no application is given access at. ${problem} Nothing was connected.`;
  throw new DomainError("invalid_request", text);
}

/** The client as it is at this moment. Throws where there is none, or what is said of its keys is refused. */
export async function knownClient({ api }: AuthorizationServer, clientId: string): Promise<ClientInfo> {
  const client = await api.lookupClient(clientId);
  if (client === null) throw new AuthorizationError("invalid_request", { description: "Invalid client_id" });
  const problem = keysProblem(client);
  if (problem === undefined) return client;
  throw new DomainError("invalid_request", `The address of the application's keys is refused. ${problem}`);
}

/** What the library refuses, in words for people. Errors that are not refusals are left as they are. */
export function forPerson(error: unknown): unknown {
  if (error instanceof CimdFetchError) return unreadable(error.metadataUrl);
  const description = error instanceof AuthorizationError ? error.description : descriptionOf(error);
  if (description === undefined) return error;
  const text = TEXTS.get(description);
  return new DomainError("invalid_request", `${text ?? `${description}.`} Nothing was connected.`);
}

/** The redirect URI is looked at again when the code is made; of that the library throws a plain error. */
const descriptionOf = (error: unknown): string | undefined =>
  error instanceof Error && error.message.startsWith(`${WRONG_REDIRECT}.`) ? WRONG_REDIRECT : undefined;

const WRONG_REDIRECT = "Invalid redirect URI";

const TEXTS: ReadonlyMap<string, string> = new Map([
  [
    "Invalid client_id",
    "The application is not registered here, or its registration has expired: it has to register again.",
  ],
  ["client_id is required", "The link does not say which application it is for."],
  [WRONG_REDIRECT, "The link leads to an address that is not the application's own, so it was refused."],
]);

/**
 * The scopes to choose from: those that the application asks for, as far as its resource knows them. One that
 * does not say gets to choose from all, of which only the harmless are ticked.
 */
export function offered(c: ConsoleContext, { resource, scope }: AuthRequest): Pick<Asking, "scopes" | "ticked"> {
  const named = typeof resource === "string" ? resourceNamed(baseUrlOf(c.env.arrival), resource) : undefined;
  if (named === undefined)
    throw new DomainError("invalid_request", "The application asks for nothing that this service offers.");
  const known = RESOURCE_SCOPES[named];
  const asked = scope.filter((each) => each !== OFFLINE);
  if (asked.length === 0) return { scopes: known, ticked: DEFAULT_SCOPES };
  const scopes = known.filter((each) => asked.includes(each));
  return { scopes, ticked: scopes };
}

/** OpenID Connect's wish for refresh tokens, which everybody gets. */
const OFFLINE = "offline_access";

/**
 * What an application calls itself, as far as it can be shown: no characters that nobody sees, that turn the
 * direction of text, or break lines.
 */
export function shownName(name: string): string {
  const seen = name
    .normalize("NFC")
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, " ")
    .trim();
  const characters = Array.from(new Intl.Segmenter("en").segment(seen), ({ segment }) => segment);
  const short = characters.slice(0, LIMITS.appName).join("");
  // Marks pile up on one letter without end.
  const plain = short.replaceAll(/(\p{M}{3})\p{M}+/gu, "$1");
  if (plain === "") return "An application without a name";
  return characters.length > LIMITS.appName ? `${plain}…` : plain;
}
