/** Rate limiters whose minute never ends, so that no test depends on when a new minute begins. */
import { RATES, type RateName } from "../../src/domain/rates.ts";

type Limiters = Partial<Pick<Env, `LIMIT_${(typeof RATES)[RateName]}`>>;

/**
 * Returns the rate limiters of a test. `allowed` says of limits how many calls of each caller they allow, and what else the same
 * limiters count is not refused.
 */
export function limited(allowed: Partial<Readonly<Record<RateName, number>>>): Limiters {
  const counts = new Map<string, number>();
  const limiter: RateLimit = {
    async limit({ key }) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= (allowed[key.split(" ")[0] as RateName] ?? Infinity) };
    },
  };
  const names = Object.keys(allowed) as RateName[];
  return Object.fromEntries(names.map((name) => [`LIMIT_${RATES[name]}`, limiter]));
}

/**
 * Rate limiters that refuse nothing, because some files send thousands of requests for one organization, and files that run one
 * after another sign in from the same address. wrangler's own also take a millisecond of each request.
 */
export const UNLIMITED = limited({
  calls: Infinity,
  organizationCalls: Infinity,
  searches: Infinity,
  comparisons: Infinity,
  bulk: Infinity,
  signInsOfAddress: Infinity,
});

/** Returns the rate limiters for signing in, with other numbers for some of them. */
export const signInLimiters = (changed: Partial<Readonly<Record<RateName, number>>> = {}): Limiters => {
  const { signIns, signInsOf56, signInsOf48, signInsOfAccount, signInsOfBrowser, signInsOfBrowsers } = RATES;
  const { signInsOfAddress, strangersOf56, strangersOf48 } = RATES;
  const all = { signIns, signInsOf56, signInsOf48, signInsOfAccount, signInsOfBrowser, signInsOfBrowsers };
  return limited({ ...all, signInsOfAddress, strangersOf56, strangersOf48, ...changed });
};
