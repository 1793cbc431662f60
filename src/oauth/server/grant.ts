/** From a person's consent to an authorization code. */
import type { AuthRequest } from "@cloudflare/workers-oauth-provider";
import { hex } from "../../lib/hash.ts";
import { newId } from "../../lib/ids.ts";
import type { Scope } from "../../domain/principal.ts";
import type { Writer } from "../../store/core/commit.ts";
import { connect, disconnect } from "../../store/access/system-oauth-connections.ts";
import type { AuthorizationServer, Props } from "./server.ts";

export type Consent = {
  /** As the library has parsed and kept it. */
  readonly request: AuthRequest;
  readonly userId: string;
  /** What the application calls itself, fit to be shown. */
  readonly clientName: string;
  /** What was ticked. */
  readonly scopes: readonly Scope[];
};

/**
 * Stores the connection and issues the code; returns the address to send the browser to. The writer is the
 * person's, for the organization that they chose. Where there is no code, the connection has ended.
 */
export async function grantAccess(server: AuthorizationServer, writer: Writer, consent: Consent): Promise<string> {
  const { request, userId, clientName, scopes } = consent;
  const { clientId, resource } = request;
  if (typeof resource !== "string") throw new Error("the request names no resource");
  const id = newId();
  await connect(writer, { id, userId, clientId, clientName, scopes, resource });
  const props: Props = { connectionId: id, secret: randomSecret() };
  try {
    const { redirectTo } = await server.api.completeAuthorization({
      request,
      // Not the person: tokens and redirects reveal nothing about them.
      userId: id,
      metadata: { connectionId: id },
      scope: [...scopes],
      props,
      revokeExistingGrants: false,
    });
    return redirectTo;
  } catch (error) {
    const { db, requestId } = writer;
    await disconnect({ db, id, actor: { kind: "user", id: userId }, requestId, now: writer.now() });
    throw error;
  }
}

const randomSecret = (): string => hex(crypto.getRandomValues(new Uint8Array(32)));
