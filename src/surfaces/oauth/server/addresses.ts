/** Checks the URLs in the metadata of clients. The rules of webhooks apply (SSRF), and loopback is never allowed. */
import { checkTarget } from "../../../outbound/target.ts";

/** Returns why the service may not fetch a client's URL, as a sentence for people. Undefined if it may fetch it. */
export function findUrlProblem(address: string): string | undefined {
  const verdict = checkTarget(address, { allowLoopback: false });
  return verdict.allowed ? undefined : verdict.reason;
}

/** Like {@link findUrlProblem}, for the URL of a client's keys. Undefined if the client has no such URL. */
export const findKeysProblem = ({ jwksUri }: { readonly jwksUri?: string }): string | undefined =>
  jwksUri === undefined ? undefined : findUrlProblem(jwksUri);
