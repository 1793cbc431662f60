/** Verifies that the service has sent a delivery (contract 11.6). */
import { createHmac, timingSafeEqual } from "node:crypto";

/** Seconds. A signature that is older or newer than this is refused, so that nobody can replay a recorded delivery. */
const REPLAY_WINDOW = 300;

/** `wrong`: not signed with the secret. `stale`: signed with the secret, but outside of the replay window. */
export type Verdict = "genuine" | "wrong" | "stale";

/**
 * Returns the verdict about a delivery. `header` is X-Service-Signature, which signs the raw bytes of the body.
 *
 * @param now Unix time in seconds.
 */
export function judge(secret: string, header: string | undefined, body: Buffer, now: number): Verdict {
  const [, timestamp = "", signature = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  const given = Buffer.from(signature, "hex");
  // A comparison in constant time tells an attacker nothing about where the signatures differ.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "wrong";
  return Math.abs(now - Number(timestamp)) <= REPLAY_WINDOW ? "genuine" : "stale";
}
