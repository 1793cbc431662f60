/**
 * Keeps text that the service does not have in the browser: for one person, in one organization, of one article. Each
 * open page has a record of its own, so that two tabs with the same article overwrite nothing of each other.
 */
import type { Values } from "./fields.ts";

/** Text that was not saved. */
export type Kept = {
  /** The path of the page that it was written on. */
  readonly page: string;
  /** The time of the last change, in milliseconds. */
  readonly time: number;
  /** What was stored when it was changed, and what it was changed to: of the changed fields only. */
  readonly base: Values;
  readonly values: Values;
  /** What was sent since the last answer: one of these may be stored. */
  readonly sent?: readonly Values[] | undefined;
  /** The key and the fields of a creation whose answer did not come. Sent again, it creates nothing twice. */
  readonly creation?: Creation | undefined;
};

export type Creation = { readonly key: string; readonly fields: string };

export const KEPT = "edgepress:kept:";

/** The most records of a browser, and their age in milliseconds: 30 days. The oldest give way. */
const MOST_RECORDS = 30;
const MOST_AGE_MS = 30 * 86_400_000;

/** The beginning of the keys of one person. */
export const keptBy = (person: string): string => `${KEPT}${person}:`;

/** Returns the keys that begin like this. None where the browser keeps nothing. */
export function keysFrom(beginning: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(beginning));
  } catch {
    return [];
  }
}

/** Returns a record, or null if there is none that can be read. */
export function readKept(key: string): Kept | null {
  try {
    const record = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
    return typeof record?.time === "number" && typeof record.values === "object" ? record : null;
  } catch {
    return null;
  }
}

/** Writes a record. Returns false if the browser does not take it. */
export function writeKept(key: string, record: Kept): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(record));
    return true;
  } catch {
    return false;
  }
}

export function removeKept(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** Removes the records that are too old, and the oldest ones if there are too many. */
export function tidyKept(now: number): void {
  const records = keysFrom(KEPT).map((key) => ({ key, time: readKept(key)?.time ?? 0 }));
  const newest = records.toSorted((one, other) => other.time - one.time);
  for (const [place, { key, time }] of newest.entries()) {
    if (place >= MOST_RECORDS || now - time > MOST_AGE_MS) removeKept(key);
  }
}

/** Holds a key until this page is gone, which tells other pages that its record is in use. */
export function hold(key: string): void {
  void navigator.locks?.request(key, () => new Promise<never>(() => undefined)).catch(() => undefined);
}

/** Returns the keys that open pages hold. */
export async function heldKeys(): Promise<ReadonlySet<string>> {
  const locks = await navigator.locks?.query();
  return new Set(locks?.held?.flatMap(({ name }) => name ?? []) ?? []);
}
