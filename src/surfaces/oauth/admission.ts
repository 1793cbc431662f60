/**
 * Decides whether a token request may make the service fetch the metadata document of its client. Anybody can send such
 * a request, so it must contain a code or token of that client. A person has consented to that client before, and the
 * consent page has checked the client's URL.
 */
import { decode } from "hono/jwt";
import { addressProblem, keysProblem } from "./server/addresses.ts";
import type { AuthorizationServer } from "./server/server.ts";

/**
 * Returns whether the request may be passed to the library: each client id in it is either no URL (a registered client)
 * or the client of the code or token in the request. For clients that sign an assertion, the URL of their keys must be
 * allowed too. Looks everywhere where the library could read a client id.
 */
export async function admitTokenRequest(
  server: AuthorizationServer,
  form: URLSearchParams,
  authorization: string | null,
): Promise<boolean> {
  const assertions = sent(form, "client_assertion");
  const asserted = assertions.map(assertedBy);
  if (asserted.includes(null)) return false;
  const named = [...sent(form, "client_id"), ...basicUser(authorization), ...asserted.flatMap((each) => each ?? [])];
  const documents = new Set(named.filter((clientId) => URL.canParse(clientId)));
  if (documents.size === 0) return true;
  const owners = await ownersOf(server, form);
  for (const clientId of documents) {
    if (!owners.has(clientId) || addressProblem(clientId) !== undefined) return false;
    if (assertions.length > 0 && !(await hasPublicKeys(server, clientId))) return false;
  }
  return true;
}

/** Returns the values of a parameter. Empty values count as not sent, as in the library. */
const sent = (form: URLSearchParams, name: string): string[] => form.getAll(name).filter((value) => value !== "");

/** Returns the client id of a Basic header (RFC 6749, 2.3.1), or [] if there is no such header or it is malformed. */
function basicUser(authorization: string | null): string[] {
  const [, encoded] = /^basic[ \t]+(.*)$/i.exec(authorization ?? "") ?? [];
  try {
    const [user = ""] = atob(encoded?.trim() ?? "").split(":");
    return [decodeURIComponent(user.replaceAll("+", " "))].filter((clientId) => clientId !== "");
  } catch {
    return [];
  }
}

/**
 * Returns the client ids in an assertion: its issuer and subject. The request need not contain them elsewhere
 * (RFC 7521, 4.2). Returns null if it is not a JWT. Does not verify the signature.
 */
function assertedBy(assertion: string): string[] | null {
  try {
    const { iss, sub } = decode(assertion).payload as { readonly iss?: unknown; readonly sub?: unknown };
    return [iss, sub].filter((claim) => typeof claim === "string");
  } catch {
    return null;
  }
}

/** Returns the ids of the clients that own the codes and tokens in a request. Does not verify codes and tokens. */
async function ownersOf(server: AuthorizationServer, form: URLSearchParams): Promise<ReadonlySet<string>> {
  const owners = new Set<string>();
  // Read only the first value: the library refuses requests that repeat one of these.
  for (const name of ["code", "refresh_token", "token"]) {
    const [connectionId, grantId, secret] = (form.get(name) ?? "").split(":");
    if (secret === undefined) continue;
    const grant = (await server.storage.get(`grant:${connectionId}:${grantId}`, "json")) as Grant | null;
    if (grant?.clientId !== undefined) owners.add(grant.clientId);
  }
  return owners;
}

type Grant = { readonly clientId?: string };

/** Returns whether the service may fetch the keys of a client. False if the client cannot be looked up. */
async function hasPublicKeys({ api }: AuthorizationServer, clientId: string): Promise<boolean> {
  try {
    const client = await api.lookupClient(clientId);
    return client !== null && keysProblem(client) === undefined;
  } catch {
    return false;
  }
}
