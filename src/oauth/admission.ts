/**
 * Whether a token request may make the service fetch the metadata of its client (client ID metadata
 * documents). Anybody can send one, so it has to be about a code or token of that same client first: the
 * client's address was looked at when somebody consented.
 */
import { decode } from "hono/jwt";
import { addressProblem, keysProblem } from "./server/addresses.ts";
import type { AuthorizationServer } from "./server/server.ts";

/**
 * Whether the request can be given to the library: every client that it could take the request to be from is
 * a registered one, or the one of the code or token.
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

/** The values of a parameter; the library, too, takes an empty one as left out. */
const sent = (form: URLSearchParams, name: string): string[] => form.getAll(name).filter((value) => value !== "");

/** The client of a Basic header (RFC 6749, 2.3.1); none where there is no such header, or it is malformed. */
function basicUser(authorization: string | null): string[] {
  const [, encoded] = /^basic[ \t]+(.*)$/i.exec(authorization ?? "") ?? [];
  try {
    const [user = ""] = atob(encoded?.trim() ?? "").split(":");
    return [decodeURIComponent(user.replaceAll("+", " "))].filter((clientId) => clientId !== "");
  } catch {
    return [];
  }
}

/** Whom an assertion names, which need not be told outside (RFC 7521, 4.2). Null where it is none at all. */
function assertedBy(assertion: string): string[] | null {
  try {
    const { iss, sub } = decode(assertion).payload as { readonly iss?: unknown; readonly sub?: unknown };
    return [iss, sub].filter((claim) => typeof claim === "string");
  } catch {
    return null;
  }
}

/** The clients of the codes and tokens that a request is about. */
async function ownersOf(server: AuthorizationServer, form: URLSearchParams): Promise<ReadonlySet<string>> {
  const owners = new Set<string>();
  // Once each: the library refuses repetitions of these.
  for (const name of ["code", "refresh_token", "token"]) {
    const [connectionId, grantId, secret] = (form.get(name) ?? "").split(":");
    if (secret === undefined) continue;
    const grant = (await server.storage.get(`grant:${connectionId}:${grantId}`, "json")) as Grant | null;
    if (grant?.clientId !== undefined) owners.add(grant.clientId);
  }
  return owners;
}

type Grant = { readonly clientId?: string };

/** Whether the keys that an assertion is checked with may be fetched. */
async function hasPublicKeys({ api }: AuthorizationServer, clientId: string): Promise<boolean> {
  try {
    const client = await api.lookupClient(clientId);
    return client !== null && keysProblem(client) === undefined;
  } catch {
    return false;
  }
}
