/** How often somebody may try to prove a password. */
import { withinLimit } from "../../request/limits.ts";
import { sha256 } from "../../lib/hash.ts";
import { LIMITS } from "../../domain/limits.ts";
import { limitStrangers, withinNetworkLimits } from "../../request/strangers.ts";
import type { ConsoleContext } from "../env.ts";
import { knownAs } from "./browsers.ts";

const CODE = "too_many_failed_attempts";

/**
 * Counts an attempt to prove the password of an account, right or wrong and before it is tried; throws
 * `too_many_failed_attempts`. The attempts of strangers never use up those of a browser that the account's owner has
 * signed in with before: it has a limit of its own.
 */
export async function limitGuesses(c: ConsoleContext, email: string): Promise<void> {
  const account = await sha256(email);
  const browser = await knownAs(c, email);
  await (browser === null ? limitUnknown(c, account) : limitKnown(c, account, browser));
}

/**
 * By where the attempt comes from, by the account from there, and by the account from everywhere. The last one is
 * larger, so that nobody can lock the owner out from one network alone.
 */
async function limitUnknown(c: ConsoleContext, account: string): Promise<void> {
  const { arrival } = c.env;
  const { SIGN_IN_ADDRESS_LIMIT, SIGN_IN_LIMIT, SIGN_IN_56_LIMIT, SIGN_IN_48_LIMIT, ACCOUNT_LIMIT } = arrival.env;
  const all = [SIGN_IN_ADDRESS_LIMIT, LIMITS.signInsOfAddressPerMinute] as const;
  await limitStrangers(arrival, c.req.raw, { code: CODE, subject: "sign-in", counter: all });
  const counters = [
    [SIGN_IN_LIMIT, LIMITS.signInsPerMinute],
    [SIGN_IN_56_LIMIT, LIMITS.signInsOf56PerMinute],
    [SIGN_IN_48_LIMIT, LIMITS.signInsOf48PerMinute],
  ] as const;
  await withinNetworkLimits(arrival, c.req.raw, { code: CODE, subject: account, counters });
  await withinLimit(arrival, ACCOUNT_LIMIT, account, { code: CODE, quota: LIMITS.signInsOfAccountPerMinute });
}

/**
 * By the browser, and by all browsers that the account knows: each sign-in makes one more, and without the second limit
 * they would add up to no limit at all.
 */
async function limitKnown(c: ConsoleContext, account: string, browser: string): Promise<void> {
  const { arrival } = c.env;
  const { SIGN_IN_LIMIT, ACCOUNT_LIMIT } = arrival.env;
  await withinLimit(arrival, SIGN_IN_LIMIT, `browser ${browser}`, { code: CODE, quota: LIMITS.signInsPerMinute });
  const quota = LIMITS.signInsOfAccountPerMinute;
  await withinLimit(arrival, ACCOUNT_LIMIT, `browsers of ${account}`, { code: CODE, quota });
}
