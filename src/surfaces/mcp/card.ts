/**
 * What describes this server before a client connects: its card (MCP, SEP-2127), and the catalog of the host that leads to
 * it. Both are public, and say nothing that `server/discover` and `initialize` do not.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { DomainError } from "../../domain/errors.ts";
import type { Arrival } from "../request/arrival.ts";
import { getBaseUrl } from "../request/base-url.ts";
import { INFO } from "./server.ts";

/** The revision of independent requests is not among those that begin with a handshake. */
const REVISIONS = ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS];

const CARD_TYPE = "application/mcp-server-card+json";

/** Makes the documents, by their paths. */
const DOCUMENTS: Readonly<Record<string, { readonly type: string; readonly make: (baseUrl: string) => object }>> = {
  "/mcp/server-card": {
    type: CARD_TYPE,
    make: (baseUrl) => ({
      $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
      ...INFO,
      name: `${new URL(baseUrl).hostname.split(".").toReversed().join(".")}/${INFO.name}`,
      websiteUrl: `${baseUrl}/docs`,
      remotes: [{ type: "streamable-http", url: `${baseUrl}/mcp`, supportedProtocolVersions: REVISIONS }],
    }),
  },
  "/.well-known/ai-catalog.json": {
    type: "application/ai-catalog+json",
    make: (baseUrl) => ({
      specVersion: "1.0",
      entries: [
        {
          identifier: `urn:air:${new URL(baseUrl).hostname}:mcp:${INFO.name}`,
          type: CARD_TYPE,
          url: `${baseUrl}/mcp/server-card`,
        },
      ],
    }),
  },
};

/** Returns the document at the path of a request; null if none is there. Throws `method_not_allowed`. */
export function findDocument(request: Request, arrival: Arrival): Response | null {
  const document = DOCUMENTS[new URL(request.url).pathname];
  if (document === undefined) return null;
  // Clients may run in browsers at any origin.
  const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "GET, HEAD" };
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow: ALLOWED, ...cors } });
  if (request.method !== "GET" && request.method !== "HEAD") throw new DomainError("method_not_allowed");
  // Local runs name the requested host, which is not in the edge's cache key.
  const caching = arrival.settings.production ? "public, max-age=3600" : "no-store";
  const headers = { "Content-Type": document.type, "Cache-Control": caching, ...cors };
  const body = JSON.stringify(document.make(getBaseUrl(arrival)));
  return new Response(request.method === "HEAD" ? null : body, { headers });
}

const ALLOWED = "GET, HEAD, OPTIONS";
