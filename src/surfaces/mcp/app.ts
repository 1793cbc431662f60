/** Serves the Model Context Protocol at /mcp (contract 15.1): stateless, over streamable HTTP. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { logFailure, type Arrival } from "../request/arrival.ts";
import { storeOf } from "../request/writer.ts";
import { HEARTBEAT_MS } from "../request/events.ts";
import { heldBody } from "../request/memory.ts";
import { limitOrganizationCalls } from "../request/limits.ts";
import { DomainError, ERRORS } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import { refuseLargeBatch } from "./batch.ts";
import { callerOf, challenge } from "./caller.ts";
import { openConnection, type Connection } from "./connection.ts";
import { refuseOtherSites } from "./guard.ts";
import { serverFor } from "./server.ts";

/**
 * Answers a request to /mcp. A request without a valid token gets a 401 with a challenge. Throws other errors for the
 * HTTP surface.
 */
export async function handle(request: Request, arrival: Arrival): Promise<Response> {
  if (new URL(request.url).pathname !== "/mcp") throw new DomainError("route_not_found");
  refuseOtherSites(request, arrival);
  try {
    const { principal, secret } = await callerOf(request, arrival);
    await limitOrganizationCalls(arrival, principal);
    const connection = openConnection(arrival, principal, secret);
    if (request.method !== "POST") return await answer(request, connection);
    const body = await heldBody(request, LIMITS.bodyBytes, arrival.reserveArriving);
    // The whole body has arrived now. A sender can delay it, and the application may have been disconnected meanwhile.
    await (await storeOf(arrival, principal)).requireStanding();
    return refuseLargeBatch(body) ?? (await answer(new Request(request, { method: "POST", body }), connection));
  } catch (error) {
    if (error instanceof DomainError && ERRORS[error.code].status === 401) return challenge(error, arrival);
    throw error;
  }
}

/** Runs the protocol's server. Each request has its own, so nothing is kept between requests. */
function answer(request: Request, connection: Connection): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(connection), {
    keepAliveMs: HEARTBEAT_MS,
    onerror: (error) => logFailure(connection.arrival, "mcp", error),
  });
  return handler.fetch(request);
}
