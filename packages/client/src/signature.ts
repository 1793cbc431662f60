/** Verifies the signatures of webhooks (contract 11.6). The command-line client imports this, too. */

/** `wrong`: not signed with a secret. `stale`: signed, but too long ago or in the future. */
export type Verdict = "genuine" | "wrong" | "stale";

/** The default of seconds between the signature and now. Limits how long a recorded webhook can be replayed. */
export const TOLERANCE_SECONDS = 300;

type Signed = {
  /** The X-Service-Signature header; "" if there is none. */
  readonly header: string;
  readonly body: Uint8Array;
};

/**
 * Returns the verdict about a webhook. Its time counts only if the signature is right, so that nobody else learns how
 * the clocks differ. An empty secret, as of a variable that is not set, verifies nothing.
 *
 * @param now Unix time in seconds.
 */
export async function judgeSignature(
  secrets: readonly string[],
  { header, body }: Signed,
  now: number,
  toleranceSeconds: number = TOLERANCE_SECONDS,
): Promise<Verdict> {
  const [, time, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (time === undefined || hex === undefined) return "wrong";
  const prefix = new TextEncoder().encode(`${time}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const fits = await Promise.all(secrets.map((secret) => isSignedBy(secret, signature, signed)));
  if (!fits.includes(true)) return "wrong";
  return Math.abs(now - Number(time)) <= toleranceSeconds ? "genuine" : "stale";
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSignedBy(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (secret === "") return false;
  const key = new TextEncoder().encode(secret);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, hmac, false, ["verify"]);
  return crypto.subtle.verify("HMAC", imported, signature, signed);
}
