/** Limits batches: early revisions of the protocol allow several messages in one request. */
import { JSONRPC_VERSION, ProtocolErrorCode, readRequestBody } from "@modelcontextprotocol/server";
import { LIMITS } from "../domain/limits.ts";
import { jsonOrNull } from "../lib/json.ts";

/** Returns an error response if a request has too many messages, otherwise null. The body of `request` stays unread. */
export async function refuseLargeBatch(request: Request): Promise<Response | null> {
  if (request.method !== "POST") return null;
  // If reading the body fails, return null: the protocol's server then refuses the request.
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

/** Returns the number of messages in a batch. 0 if the text is not JSON, because the protocol's server refuses that. */
function lengthOf(text: string): number {
  const messages = jsonOrNull(text);
  return Array.isArray(messages) ? messages.length : 0;
}
