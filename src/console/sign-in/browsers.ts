/**
 * Browsers in which an account's password was proven or set before, by a cookie (OWASP: device cookies). It says no more
 * than that: whoever has it still needs the password, and has a limit of their own to guess it (guesses.ts).
 *
 * The cookie holds an entry for each of the last accounts: a random id, and a signature under AUTH_SECRET over that id,
 * the account's e-mail address and the stored hash of its password. So nobody can make an entry, it is worth nothing for
 * another account or after a new password, and it does not tell whose it is.
 */
import { sharedDatabase } from "../../store/database.ts";
import { getCookie, setCookie } from "hono/cookie";
import { timingSafeEqual } from "hono/utils/buffer";
import { baseUrlOf } from "../../request/base-url.ts";
import { hex, hmacSha256 } from "../../lib/hash.ts";
import { LIMITS } from "../../domain/limits.ts";
import { findPassword } from "../../store/people/system-people.ts";
import type { ConsoleContext } from "../env.ts";

const COOKIE = "edgepress.browser";

/** Seconds: browsers keep no cookie longer than 400 days. */
const LONGEST = 400 * 86_400;

type Entry = { readonly id: string; readonly signature: string };

/** The id by which an account knows this browser, or null where it does not. */
export async function knownAs(c: ConsoleContext, email: string): Promise<string | null> {
  const entries = entriesOf(c);
  // Only whoever brings a cookie waits for the query, and does so whether or not there is such an account.
  if (entries.length === 0) return null;
  const stored = await findPassword(sharedDatabase(c.env.arrival.env), email);
  for (const { id, signature } of entries) {
    if (await timingSafeEqual(signature, await sign(c, id, email, stored ?? ""))) return id;
  }
  return null;
}

/** Lets an account know this browser, whose user has just proven or set its password. */
export async function rememberBrowser(c: ConsoleContext, email: string): Promise<void> {
  const { arrival } = c.env;
  const stored = await findPassword(sharedDatabase(arrival.env), email);
  if (stored === null) return;
  const earlier = await knownAs(c, email);
  const id = hex(crypto.getRandomValues(new Uint8Array(16)));
  const entries = [
    { id, signature: await sign(c, id, email, stored) },
    ...entriesOf(c).filter((entry) => entry.id !== earlier),
  ];
  const value = entries.slice(0, LIMITS.accountsOfBrowser).map((entry) => `${entry.id}-${entry.signature}`);
  setCookie(c, COOKIE, value.join("."), {
    httpOnly: true,
    sameSite: "Lax",
    secure: baseUrlOf(arrival).startsWith("https:"),
    path: "/console",
    maxAge: LONGEST,
  });
}

/** The entries of the cookie that have the right form; more than there can be are not looked at. */
function entriesOf(c: ConsoleContext): Entry[] {
  const texts = (getCookie(c, COOKIE) ?? "").split(".", LIMITS.accountsOfBrowser);
  const matches = texts.map((text) => /^([0-9a-f]{32})-([0-9a-f]{64})$/.exec(text)).filter((match) => match !== null);
  return matches.map(([, id = "", signature = ""]) => ({ id, signature }));
}

const sign = (c: ConsoleContext, id: string, email: string, stored: string): Promise<string> =>
  hmacSha256(c.env.arrival.settings.authSecret, `browser\n${id}\n${email}\n${stored}`);
