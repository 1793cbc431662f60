import { getDirectory, openDatabaseOf } from "../../store/database.ts";
import type { Arrival } from "./arrival.ts";
import { getBaseUrl } from "./base-url.ts";

/** Returns where the tokens of connected apps are looked up, and the connections that they belong to. */
export const openTokens = (arrival: Arrival) => ({
  db: getDirectory(arrival.env),
  openConnection: (id: string) => openDatabaseOf(arrival.env, "connection", id),
  baseUrl: getBaseUrl(arrival),
});
