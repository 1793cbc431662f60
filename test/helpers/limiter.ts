/** Rate limiters whose minute never ends, so that no test depends on when a new minute begins. */
import { LIMITS } from "../../src/domain/limits.ts";

/** Returns a rate limiter that allows `limit` calls for each key, and refuses all further ones. */
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

/** Returns the rate limiters for signing in. */
export const signInLimiters = () => ({
  SIGN_IN_LIMIT: limiterOf(LIMITS.signInsPerMinute),
  ACCOUNT_LIMIT: limiterOf(LIMITS.signInsOfAccountPerMinute),
  SIGN_IN_ADDRESS_LIMIT: limiterOf(LIMITS.signInsOfAddressPerMinute),
  SIGN_IN_56_LIMIT: limiterOf(LIMITS.signInsOf56PerMinute),
  SIGN_IN_48_LIMIT: limiterOf(LIMITS.signInsOf48PerMinute),
  STRANGERS_56_LIMIT: limiterOf(LIMITS.strangersOf56PerMinute),
  STRANGERS_48_LIMIT: limiterOf(LIMITS.strangersOf48PerMinute),
});
