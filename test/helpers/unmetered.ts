/** A meter that counts nothing, for a consumer that a test runs by itself. */
import type { Meter } from "../../src/meter.ts";

export const UNMETERED: Meter = { open: (db) => db as D1Database, count: () => undefined };
