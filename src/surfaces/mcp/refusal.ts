/**
 * Turns errors into protocol errors, for requests whose results cannot express one: resources, prompts, completions.
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { DomainError, ERRORS } from "../../domain/errors.ts";
import { unexpected } from "../request/unexpected.ts";
import type { Connection } from "./connection.ts";
import { detailOf, retryAfterOf } from "./failure.ts";

/** Counts a request and runs it. Throws each error as a ProtocolError, with REST's code in its data. */
export async function answered<T>({ arrival, count }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    await count();
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { requestId } = arrival;
    const refusal = error instanceof DomainError ? error : unexpected(requestId, error);
    const { code } = refusal;
    const { errors } = refusal.details;
    const detail = detailOf(refusal);
    const data = { code, detail, ...(errors && { errors }), ...retryAfterOf(refusal), requestId };
    const kind = ERRORS[code].status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(kind, `${code}: ${detail}`, data);
  }
}
