import type { AuthRequest } from "@cloudflare/workers-oauth-provider";
import { toHex } from "../../../lib/hash.ts";
import { newId } from "../../../lib/ids.ts";
import type { Scope } from "../../../domain/principal.ts";
import type { Writer } from "../../../store/core/writer.ts";
import { connect, disconnect } from "../../../store/access/system-oauth-connections.ts";
import type { AuthorizationServer, Props } from "./server.ts";

export type Consent = {
  readonly request: AuthRequest;
  readonly userId: string;
  /** The name that the application gave itself, cleaned for display. */
  readonly clientName: string;
  readonly scopes: readonly Scope[];
  /** The only blog that the application may touch; null for all. */
  readonly blogId: string | null;
};

/**
 * Stores the connection and issues an authorization code. Returns the redirect URL for the browser. `writer` belongs to
 * the person and the organization that they chose. Ends the connection and throws if the code cannot be issued.
 */
export async function grantAccess(server: AuthorizationServer, writer: Writer, consent: Consent): Promise<string> {
  const { request, userId, clientName, scopes, blogId } = consent;
  const { clientId, resource } = request;
  if (typeof resource !== "string") throw new Error("the request names no resource");
  const id = newId();
  await connect(writer, { id, userId, clientId, clientName, scopes, resource, blogId });
  const props: Props = { connectionId: id, secret: toHex(crypto.getRandomValues(new Uint8Array(32))) };
  try {
    const { redirectTo } = await server.api.completeAuthorization({
      request,
      // Not the person's id: tokens and redirects must not reveal who they are.
      userId: id,
      metadata: { connectionId: id },
      scope: [...scopes],
      props,
      revokeExistingGrants: false,
    });
    return redirectTo;
  } catch (error) {
    const { db, requestId } = writer;
    await disconnect({ db, records: db, id, actor: { kind: "user", id: userId }, requestId, now: writer.now() });
    throw error;
  }
}
