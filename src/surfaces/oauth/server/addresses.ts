/** Checks the URLs in the metadata of clients. The rules of webhooks apply (SSRF), and loopback is never allowed. */
import { checkTarget } from "../../../outbound/target.ts";

/** Returns why the service may not fetch a client's URL, as a sentence for people. Undefined if it may fetch it. */
export function addressProblem(address: string): string | undefined {
  const verdict = checkTarget(address, { allowLoopback: false });
  return verdict.allowed ? undefined : verdict.reason;
}

/** Like {@link addressProblem}, for the URL of a client's keys. Undefined if the client has no such URL. */
export const keysProblem = ({ jwksUri }: { readonly jwksUri?: string }): string | undefined =>
  jwksUri === undefined ? undefined : addressProblem(jwksUri);
