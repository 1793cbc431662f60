/** Assertions: statements that undo the whole transaction where what it relies on no longer holds. */
import { sql, type SQL } from "drizzle-orm";
import { assertions } from "./schema.ts";
import { insertInto } from "./sql.ts";

const INTO_ASSERTIONS = insertInto(assertions, ["holds"]);

/** Undoes the transaction where a condition is false; the condition may not be null. */
export const assertThat = (condition: SQL): SQL => sql`${INTO_ASSERTIONS} select 0 where not (${condition})`;

/** Whether an error of a transaction is an assertion of it that failed. */
export const isFailedAssertion = (error: unknown): boolean => String(error).includes("assertion_holds");
