/** Rate limits in a minute that does not end: no test depends on when the clock begins a new one. */
import { LIMITS } from "../../src/domain/limits.ts";

/** A rate limiter that lets so many of each key pass, and then none. */
export function limiterOf(limit: number): RateLimit {
  const counts = new Map<string, number>();
  return {
    async limit({ key }) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
}

/** The limits of signing in. */
export const signInLimiters = () => ({
  SIGN_IN_LIMIT: limiterOf(LIMITS.signInsPerMinute),
  ACCOUNT_LIMIT: limiterOf(LIMITS.signInsOfAccountPerMinute),
  SIGN_IN_ADDRESS_LIMIT: limiterOf(LIMITS.signInsOfAddressPerMinute),
  SIGN_IN_56_LIMIT: limiterOf(LIMITS.signInsOf56PerMinute),
  SIGN_IN_48_LIMIT: limiterOf(LIMITS.signInsOf48PerMinute),
  STRANGERS_56_LIMIT: limiterOf(LIMITS.strangersOf56PerMinute),
  STRANGERS_48_LIMIT: limiterOf(LIMITS.strangersOf48PerMinute),
});
