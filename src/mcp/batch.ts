/** Several messages in one request, as early revisions of the protocol have them. */
import { JSONRPC_VERSION, ProtocolErrorCode, readRequestBody } from "@modelcontextprotocol/server";
import { LIMITS } from "../domain/limits.ts";

/** The refusal of a request with more messages than may come at once; null for any other. Leaves the body unread. */
export async function refuseLargeBatch(request: Request): Promise<Response | null> {
  if (request.method !== "POST") return null;
  // A body that breaks off is the protocol's own server's to refuse.
  const body = await readRequestBody(request.clone(), LIMITS.bodyBytes).catch(() => null);
  if (
    body === null ||
    body.tooLarge ||
    !body.text.trimStart().startsWith("[") ||
    lengthOf(body.text) <= LIMITS.mcpBatch
  )
    return null;
  const message = `Invalid Request: Batch must not exceed ${LIMITS.mcpBatch} messages`;
  const error = { code: ProtocolErrorCode.InvalidRequest, message };
  return Response.json({ jsonrpc: JSONRPC_VERSION, error, id: null }, { status: 400 });
}

/** The messages of a text; anything that is not JSON is refused by the protocol's own server. */
function lengthOf(text: string): number {
  try {
    const messages: unknown = JSON.parse(text);
    return Array.isArray(messages) ? messages.length : 0;
  } catch {
    return 0;
  }
}
