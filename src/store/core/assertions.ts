import { sql, type SQL } from "drizzle-orm";
import { assertions } from "../../schema/core.ts";
import { insertWhere } from "./sql.ts";

/** Returns a statement that rolls back if the condition is false. It must not be NULL, which would pass. */
export const assertThat = (condition: SQL) => insertWhere(assertions, { holds: 0 }, sql`where not (${condition})`);

/** Returns true if a transaction failed because one of its assertions was false. */
export const isFailedAssertion = (error: unknown): boolean => String(error).includes("assertion_holds");
