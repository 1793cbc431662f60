/** Runs operations for one request to /mcp, as one connected application. */
import type { z } from "zod";
import type { Arrival } from "../request/arrival.ts";
import { openCall, type Caller } from "../request/call.ts";
import { enforceCallLimits } from "../request/limits.ts";
import { limitConcurrency } from "../../lib/concurrency.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includesGrant, type OrganizationPrincipal } from "../../domain/principal.ts";
import type { MemberOperation, Operation, PublicOperation, Result } from "../../operations/define.ts";
import { invoke } from "../../operations/invoke.ts";

export type CallOptions = Pick<Caller, "ifMatch" | "idempotencyKey" | "tell" | "signal">;

type Typed<I extends z.ZodObject, O extends z.ZodType> = MemberOperation<I, O> | PublicOperation<I, O>;

export type Connection = {
  readonly arrival: Arrival;
  readonly principal: OrganizationPrincipal;
  /** Runs an operation. Calls `input` only after the caller is authorized. Throws `DomainError`. */
  readonly run: <I extends z.ZodObject, O extends z.ZodType>(
    operation: Typed<I, O>,
    input: () => z.input<I>,
    options?: CallOptions,
  ) => Promise<Result<z.output<O>>>;
  /** Counts a call against the rate limits. Throws `rate_limited`. The first call was counted with the request. */
  readonly count: () => Promise<void>;
  readonly allows: (operation: Pick<Operation, "scope">) => boolean;
};

/** `secret` is the secret that all tokens of the application share. */
export function openConnection(arrival: Arrival, principal: OrganizationPrincipal, secret: string): Connection {
  let calls = 0;
  // Each call may hold a whole article in memory.
  const limited = limitConcurrency(LIMITS.mcpCallsAtOnce);
  return {
    arrival,
    principal,
    async run<I extends z.ZodObject, O extends z.ZodType>(
      operation: Typed<I, O>,
      input: () => z.input<I>,
      options: CallOptions = {},
    ) {
      const call = openCall(arrival, { principal, secret, ...options });
      return limited(async () => (await invoke(operation, call, async () => input())) as Result<z.output<O>>);
    },
    // In early revisions of the protocol, a request may contain several calls.
    async count() {
      calls++;
      if (calls > 1) await enforceCallLimits(arrival, principal);
    },
    allows: ({ scope }) => scope === null || includesGrant(principal.grants, scope),
  };
}
