/**
 * Creates and checks secrets. A secret has a prefix that secret scanners recognize, 40 random base62 characters, and a
 * CRC-32 in base62, by which a mistyped secret is refused without a query.
 */
import crc32 from "crc-32";
import { encodeBase64 } from "../lib/bytes.ts";
import { sha256 } from "../lib/hash.ts";

export type CredentialKind = "key" | "token";

const PREFIX = { key: "epk_", token: "ept_" } as const satisfies Record<CredentialKind, string>;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_SHAPE = /^(epk_|ept_)([0-9A-Za-z]{32,64})([0-9A-Za-z]{6})$/;

/** The SHA-256 in hexadecimal, and the last four characters. */
export type StoredSecret = { readonly hash: string; readonly hint: string };

/** Creates an API key or operator access token. The caller shows `secret` once and stores the rest. */
export async function newSecret(kind: CredentialKind): Promise<StoredSecret & { readonly secret: string }> {
  const { token: secret, hash } = await newToken(PREFIX[kind]);
  return { secret, hash, hint: secret.slice(-4) };
}

/** Returns whether a text looks like the secret of a link. If not, it is not worth a query. */
export const isLinkSecret = (text: string): boolean => /^[\dA-Za-z]{40}$/.test(text);

/** Creates the secret of a link that works once, and its SHA-256, which is stored. */
export async function newLinkSecret(): Promise<{ readonly secret: string; readonly hash: string }> {
  const secret = randomBase62(40);
  return { secret, hash: await sha256(secret) };
}

const [PREVIEW_PREFIX, CONFIRM_PREFIX, MACHINE_PREFIX] = ["epv_", "epc_", "epm_"] as const;
const TOKEN_SHAPE = /^(ep[cmv]_[0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** Creates the token of a preview link, and its SHA-256, which is stored. */
export const newPreviewToken = () => newToken(PREVIEW_PREFIX);

/** Returns whether a text has the format and checksum of a preview link's token. Does not check that the link exists. */
export const isPreviewToken = (text: string): boolean => isToken(text, PREVIEW_PREFIX);

/** Creates the token by which a reader confirms a subscription, and its SHA-256, which is stored. */
export const newConfirmToken = () => newToken(CONFIRM_PREFIX);

/** Returns whether a text has the format and checksum of such a token. */
export const isConfirmToken = (text: string): boolean => isToken(text, CONFIRM_PREFIX);

/** Creates the secret of a machine connection. The caller shows `secret` once and stores the rest. */
export async function newMachineSecret(): Promise<StoredSecret & { readonly secret: string }> {
  const { token: secret, hash } = await newToken(MACHINE_PREFIX);
  return { secret, hash, hint: secret.slice(-4) };
}

/** Returns whether a text has the format and checksum of such a secret. */
export const isMachineSecret = (text: string): boolean => isToken(text, MACHINE_PREFIX);

async function newToken(prefix: string): Promise<{ readonly token: string; readonly hash: string }> {
  const body = prefix + randomBase62(40);
  const token = body + checksum(body);
  return { token, hash: await sha256(token) };
}

function isToken(text: string, prefix: string): boolean {
  const [, body = "", sum] = TOKEN_SHAPE.exec(text) ?? [];
  return body.startsWith(prefix) && checksum(body) === sum;
}

/** Creates the token of a claim of a host. It is public: everybody can read it in DNS. */
export const newHostToken = (): string => randomBase62(32);

/** Returns the kind of a secret, or null if its format or checksum is wrong. Does not check that it exists. */
export function parseSecretKind(secret: string): CredentialKind | null {
  const [, prefix, random, sum] = SECRET_SHAPE.exec(secret) ?? [];
  if (prefix === undefined || random === undefined || checksum(prefix + random) !== sum) return null;
  return prefix === PREFIX.key ? "key" : "token";
}

/** Returns `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${encodeBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

function checksum(text: string): string {
  let rest = crc32.str(text) >>> 0;
  let digits = "";
  for (let i = 0; i < 6; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 in a byte. Larger bytes would make some characters more likely.
      if (byte < 248 && text.length < length) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
