/** Where the metadata of clients may lead to: where webhooks may (SSRF), and never to this computer. */
import { checkTarget } from "../../outbound/target.ts";

/** Why an address of a client is not asked, as a sentence for people; undefined where it may be asked. */
export function addressProblem(address: string): string | undefined {
  const verdict = checkTarget(address, { allowLoopback: false });
  return verdict.allowed ? undefined : verdict.reason;
}

/** As {@link addressProblem}, of where a client has its keys, if that is anywhere. */
export const keysProblem = ({ jwksUri }: { readonly jwksUri?: string }): string | undefined =>
  jwksUri === undefined ? undefined : addressProblem(jwksUri);
