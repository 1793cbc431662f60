/** Limits what one request brings: early revisions of the protocol allow several messages in it. */
import { JSONRPC_VERSION, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { LIMITS } from "../../domain/limits.ts";
import { hasMoreValues, jsonOrNull } from "../../lib/json.ts";

/** Returns an error response if a body has too many values or messages, otherwise null. */
export function refuseLargeBatch(body: Uint8Array): Response | null {
  if (hasMoreValues(body, LIMITS.jsonValues)) return refusal(`It must not have more than ${LIMITS.jsonValues} values`);
  const messages = jsonOrNull(new TextDecoder().decode(body));
  if (!Array.isArray(messages) || messages.length <= LIMITS.mcpBatch) return null;
  return refusal(`Batch must not exceed ${LIMITS.mcpBatch} messages`);
}

function refusal(reason: string): Response {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: `Invalid Request: ${reason}` };
  return Response.json({ jsonrpc: JSONRPC_VERSION, error, id: null }, { status: 400 });
}
