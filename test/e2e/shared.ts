/**
 * The run of `npm start` that test files share. What the demo's blogs hold stays as it is, and is what they expect: who
 * writes articles does so in blogs of their own.
 */
import { inject } from "vitest";
import type { Credentials, Shared } from "./shared-run.ts";

/** Waits for it to be there. */
export const sharedRun = (): Promise<Shared> => ask("");

/** Returns the credentials of an organization without blogs, for one file. */
export const ownOrganization = (): Promise<Credentials> => ask("/organization");

async function ask<T>(place: string): Promise<T> {
  const response = await fetch(`${inject("sharedRun").url}${place}`);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}
