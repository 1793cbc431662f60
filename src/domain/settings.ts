/** What some settings may be: parsed by src/env.ts, and refused by `npm start` (scripts/lib/settings.ts). */

/** Who may create an account: everybody ("open"), only people with an invitation ("invitation"), nobody ("closed"). */
export type SignUp = "open" | "invitation" | "closed";

/** Whether a text says who may create an account. */
export const isSignUp = (text: string | undefined): text is SignUp =>
  text === "open" || text === "invitation" || text === "closed";

/** Settings that are whole numbers: the least that each may be, and the most digits that it may have. */
export const NUMBERS = {
  AI_TIMEOUT_SECONDS: [1, 6],
  AI_GENERATIONS_PER_MINUTE: [0, 6],
  AI_GENERATIONS_PER_DAY: [0, 6],
  ORGANIZATION_ARTICLES: [0, 6],
  ORGANIZATION_MEGABYTES: [0, 6],
  ORGANIZATION_CONTACTS: [0, 6],
  ORGANIZATION_MEDIA_MEGABYTES: [0, 6],
  ORGANIZATION_REVISION_MEGABYTES: [0, 6],
  ORGANIZATION_CREDENTIALS: [1, 6],
  ORGANIZATION_SUBSCRIPTIONS: [0, 6],
  ORGANIZATION_EVENTS_PER_DAY: [1, 9],
  ORGANIZATION_DELIVERIES_PER_DAY: [1, 9],
  ORGANIZATION_IDEAS_PER_DAY: [0, 9],
  LOG_PERCENT: [0, 6],
  KEPT_DELIVERY_DAYS: [1, 6],
  KEPT_AUDIT_DAYS: [1, 6],
} as const satisfies Record<string, readonly [least: number, digits: number]>;
