/** Refusals of requests that have no room for a result of failure: resources, prompts, completions. */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { DomainError } from "../errors.ts";
import { logUnexpected } from "../lib/log.ts";
import type { Connection } from "./connection.ts";

/** Answers a request, which is counted; a refusal becomes the protocol's error with REST's code in its data. */
export async function answered<T>({ arrival, count }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    await count();
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { requestId } = arrival;
    if (!(error instanceof DomainError)) {
      logUnexpected(requestId, error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, "The service failed.", { code: "internal", requestId });
    }
    const { code, message: detail, errors } = error;
    const data = { code, detail, ...(errors && { errors }), requestId };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${code}: ${detail}`, data);
  }
}
