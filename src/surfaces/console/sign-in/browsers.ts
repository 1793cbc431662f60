/**
 * Known browsers: a cookie marks a browser in which an account's password was proven or set before (OWASP: device
 * cookies). The cookie does not sign anybody in. A known browser still needs the password, but it has its own limit of
 * guesses (guesses.ts).
 *
 * The cookie contains an entry for each of the most recent accounts: a random id, and a signature under AUTH_SECRET of
 * that id, the account's email address and the stored hash of its password. So nobody can forge an entry, an entry is
 * invalid for another account and after a change of the password, and it does not reveal the account.
 */
import { getDirectory } from "../../../store/database.ts";
import { getCookie, setCookie } from "hono/cookie";
import { timingSafeEqual } from "hono/utils/buffer";
import { needsTls } from "../../auth/accounts.ts";
import { getBaseUrl } from "../../request/base-url.ts";
import { toHex, hmacSha256 } from "../../../lib/hash.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { findPassword } from "../../../store/people/system-people.ts";
import type { ConsoleContext } from "../env.ts";

const COOKIE = "edgepress.browser";

/** The lifetime of the cookie in seconds. Browsers keep no cookie for more than 400 days. */
const LONGEST = 400 * 86_400;

type Entry = { readonly id: string; readonly signature: string };

/** Returns the id of this browser's entry for an account, or null if the account does not know this browser. */
export async function findKnownBrowser(c: ConsoleContext, email: string): Promise<string | null> {
  const entries = parseEntries(c);
  // Only a request with entries waits for the query. It waits whether or not the account exists, so time reveals
  // nothing.
  if (entries.length === 0) return null;
  const stored = await findPassword(getDirectory(c.env.arrival.env), email);
  for (const { id, signature } of entries) {
    if (await timingSafeEqual(signature, await sign(c, id, email, stored ?? ""))) return id;
  }
  return null;
}

/**
 * Sets the cookie that makes this a known browser of an account. Call it only after the user has proven or set the
 * password. Does nothing if the account has no password.
 */
export async function rememberBrowser(c: ConsoleContext, email: string): Promise<void> {
  const { arrival } = c.env;
  const stored = await findPassword(getDirectory(arrival.env), email);
  if (stored === null) return;
  const earlier = await findKnownBrowser(c, email);
  const id = toHex(crypto.getRandomValues(new Uint8Array(16)));
  const entries = [
    { id, signature: await sign(c, id, email, stored) },
    ...parseEntries(c).filter((entry) => entry.id !== earlier),
  ];
  const value = entries.slice(0, LIMITS.accountsOfBrowser).map((entry) => `${entry.id}-${entry.signature}`);
  setCookie(c, COOKIE, value.join("."), {
    httpOnly: true,
    sameSite: "Lax",
    secure: needsTls(getBaseUrl(arrival)),
    path: "/console",
    maxAge: LONGEST,
  });
}

/** Returns the well-formed entries of the cookie. It reads at most as many entries as the cookie can have. */
function parseEntries(c: ConsoleContext): Entry[] {
  const texts = (getCookie(c, COOKIE) ?? "").split(".", LIMITS.accountsOfBrowser);
  const matches = texts.map((text) => /^([0-9a-f]{32})-([0-9a-f]{64})$/.exec(text)).filter((match) => match !== null);
  return matches.map(([, id = "", signature = ""]) => ({ id, signature }));
}

const sign = async (c: ConsoleContext, id: string, email: string, stored: string): Promise<string> =>
  toHex(await hmacSha256(c.env.arrival.settings.authSecret, `browser\n${id}\n${email}\n${stored}`));
