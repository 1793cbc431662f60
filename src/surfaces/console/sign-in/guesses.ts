/** Limits how often anybody may try a password. */
import { enforceLimit } from "../../request/limits.ts";
import { sha256 } from "../../../lib/hash.ts";
import { enforceAnonymousLimits, enforceNetworkLimits } from "../../request/strangers.ts";
import type { ConsoleContext } from "../env.ts";
import { findKnownBrowser } from "./browsers.ts";

const CODE = "too_many_failed_attempts";

/**
 * Counts an attempt to prove an account's password. Throws `too_many_failed_attempts` if it exceeds a limit. Call it
 * before the password is checked; right and wrong passwords count alike. Known browsers of the account have limits of
 * their own, so that strangers cannot use up the attempts of its owner.
 */
export async function limitGuesses(c: ConsoleContext, email: string): Promise<void> {
  const account = await sha256(email);
  const browser = await findKnownBrowser(c, email);
  await (browser === null ? limitUnknown(c, account) : limitKnown(c, account, browser));
}

/**
 * Counts an attempt from an unknown browser: by its address, by the account and network together, and by the account
 * alone. The limit of the account alone is larger, so that one network cannot use it up and lock the owner out.
 */
async function limitUnknown(c: ConsoleContext, account: string): Promise<void> {
  const { arrival } = c.env;
  await enforceAnonymousLimits(arrival, c.req.raw, "signInsOfAddress", { code: CODE, subject: "sign-in" });
  const names = ["signIns", "signInsOf56", "signInsOf48"] as const;
  await enforceNetworkLimits(arrival, c.req.raw, names, { code: CODE, subject: account });
  await enforceLimit(arrival, "signInsOfAccount", account, { code: CODE });
}

/**
 * Counts an attempt from a known browser: by the browser, and by all known browsers of the account together. The second
 * limit is needed because every sign-in creates another known browser with its own first limit.
 */
async function limitKnown(c: ConsoleContext, account: string, browser: string): Promise<void> {
  const { arrival } = c.env;
  await enforceLimit(arrival, "signInsOfBrowser", browser, { code: CODE });
  await enforceLimit(arrival, "signInsOfBrowsers", account, { code: CODE });
}
