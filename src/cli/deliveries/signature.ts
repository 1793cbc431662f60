/** Whether a delivery is the service's own (contract 11.6). */
import { createHmac, timingSafeEqual } from "node:crypto";

/** A signature older or newer than this many seconds is refused, so that a recorded delivery is of no use. */
const REPLAY_WINDOW = 300;

/** `wrong`: not signed with the secret. `stale`: signed, but not now. */
export type Verdict = "genuine" | "wrong" | "stale";

/**
 * Judges X-Service-Signature over the raw bytes of a body.
 *
 * @param now Unix time in seconds.
 */
export function judge(secret: string, header: string | undefined, body: Buffer, now: number): Verdict {
  const [, timestamp = "", signature = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  const given = Buffer.from(signature, "hex");
  // The comparison takes the same time wherever the two differ.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "wrong";
  return Math.abs(now - Number(timestamp)) <= REPLAY_WINDOW ? "genuine" : "stale";
}
