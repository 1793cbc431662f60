/**
 * Decides whether a token request may make the service fetch the metadata document of its client. Anybody can send such
 * a request, so it must contain a code or token of that client: then a person has consented to the client, and the
 * consent page has checked its URL.
 */
import { decode } from "hono/jwt";
import { findUrlProblem, findKeysProblem } from "./server/addresses.ts";
import type { AuthorizationServer } from "./server/server.ts";

/**
 * Returns whether the library may handle the request: each client id in it is either no URL (a registered client) or
 * belongs to the code or token in the request. If a client signs an assertion, the URL of its keys must be allowed too.
 * Checks every place where the library could read a client id.
 */
export async function admitTokenRequest(
  server: AuthorizationServer,
  form: URLSearchParams,
  authorization: string | null,
): Promise<boolean> {
  const assertions = listValues(form, "client_assertion");
  const asserted = assertions.map(parseAssertionClientIds);
  if (asserted.includes(null)) return false;
  const named = [
    ...listValues(form, "client_id"),
    ...(parseBasic(authorization)?.slice(0, 1) ?? []),
    ...asserted.flatMap((each) => each ?? []),
  ];
  const documents = new Set(named.filter((clientId) => URL.canParse(clientId)));
  if (documents.size === 0) return true;
  const owners = await findOwners(server, form);
  for (const clientId of documents) {
    if (!owners.has(clientId) || findUrlProblem(clientId) !== undefined) return false;
    if (assertions.length > 0 && !(await hasPublicKeys(server, clientId))) return false;
  }
  return true;
}

/** Empty values count as not sent, as in the library. */
const listValues = (form: URLSearchParams, name: string): string[] => form.getAll(name).filter((value) => value !== "");

/** Returns the client id and the secret of a Basic header (RFC 6749, 2.3.1), or null if the header is missing or malformed. */
export function parseBasic(authorization: string | null): [clientId: string, secret: string] | null {
  const [, encoded] = /^basic[ \t]+(.*)$/i.exec(authorization ?? "") ?? [];
  try {
    const [user = "", ...password] = atob(encoded?.trim() ?? "").split(":");
    const clientId = decodeForm(user);
    return clientId === "" ? null : [clientId, decodeForm(password.join(":"))];
  } catch {
    return null;
  }
}

const decodeForm = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));

/** Returns the issuer and subject of an assertion (RFC 7521, 4.2), or null if it is not a JWT. Does not verify it. */
function parseAssertionClientIds(assertion: string): string[] | null {
  try {
    const { iss, sub } = decode(assertion).payload as { readonly iss?: unknown; readonly sub?: unknown };
    return [iss, sub].filter((claim) => typeof claim === "string");
  } catch {
    return null;
  }
}

async function findOwners(server: AuthorizationServer, form: URLSearchParams): Promise<ReadonlySet<string>> {
  const owners = new Set<string>();
  // The library refuses requests that repeat one of these, so the first value is enough.
  for (const name of ["code", "refresh_token", "token"]) {
    const [connectionId, grantId, secret] = (form.get(name) ?? "").split(":");
    if (secret === undefined) continue;
    const grant = (await server.storage.get(`grant:${connectionId}:${grantId}`, "json")) as {
      readonly clientId?: string;
    } | null;
    if (grant?.clientId !== undefined) owners.add(grant.clientId);
  }
  return owners;
}

/** Returns whether the service may fetch the keys of a client. False if the client cannot be looked up. */
async function hasPublicKeys({ api }: AuthorizationServer, clientId: string): Promise<boolean> {
  try {
    const client = await api.lookupClient(clientId);
    return client !== null && findKeysProblem(client) === undefined;
  } catch {
    return false;
  }
}
