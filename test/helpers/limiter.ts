/** Rate limiters whose minute never ends, so that no test depends on when a new minute begins. */
import { LIMITS } from "../../src/domain/limits.ts";

/**
 * Returns a rate limiter that allows `limit` calls for each key, and refuses all further ones; `used` of them were made
 * before the test begins.
 */
export function limiterOf(limit: number, used = 0): RateLimit {
  const counts = new Map<string, number>();
  return {
    async limit({ key }) {
      const count = (counts.get(key) ?? used) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
}

const never: RateLimit = { limit: async () => ({ success: true }) };

/**
 * Rate limiters that refuse nothing, because some files send thousands of requests for one organization. wrangler's own also
 * take a millisecond of each request.
 */
export const UNLIMITED = {
  KEY_LIMIT: never,
  ORGANIZATION_LIMIT: never,
  READER_LIMIT: never,
  SEARCH_LIMIT: never,
  COMPARISON_LIMIT: never,
  BULK_LIMIT: never,
  // Files that run one after another sign in from the same address.
  SIGN_IN_ADDRESS_LIMIT: never,
};

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
