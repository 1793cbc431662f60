/**
 * The run of `npm start` that test files share. What the demo's blogs hold stays as it is, and is what they expect: who
 * writes articles does so in blogs of their own.
 */
import { inject } from "vitest";
import type { Shared } from "./shared-run.ts";

/** Waits for it to be there. */
export async function sharedRun(): Promise<Shared> {
  const response = await fetch(inject("sharedRun").url);
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Shared;
}
