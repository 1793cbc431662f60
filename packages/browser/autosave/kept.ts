/**
 * Keeps unsaved text in the browser, for each person, organization and article. Each open page has its own record, so
 * that two tabs with the same article do not overwrite each other.
 */
import type { Values } from "./fields.ts";

export type Kept = {
  readonly page: string;
  /** When it was last changed, in Unix milliseconds. */
  readonly time: number;
  /** The changed fields only: as they are stored, and as they were changed. */
  readonly base: Values;
  readonly values: Values;
  /** What was sent since the last answer. Any of it may be stored. */
  readonly sent?: readonly Values[] | undefined;
  /** A creation that was not answered. Its key makes it safe to repeat. */
  readonly creation?: Creation | undefined;
};

export type Creation = { readonly key: string; readonly fields: string };

export const KEPT = "edgepress:kept:";

/** How many records a browser keeps, and for how long: 30 days. */
const MOST_RECORDS = 30;
const MOST_AGE_MS = 30 * 86_400_000;

export const makeKeyPrefix = (person: string): string => `${KEPT}${person}:`;

/** Returns the keys that begin like this; none where storage is forbidden. */
export function listKeys(beginning: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(beginning));
  } catch {
    return [];
  }
}

export function readKept(key: string): Kept | null {
  try {
    const record = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
    return typeof record?.time === "number" && typeof record.values === "object" ? record : null;
  } catch {
    return null;
  }
}

/** Writes a record. Returns whether the browser stored it. */
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
    // Storage is forbidden, so nothing was kept.
  }
}

/** Removes records that are too old, and the oldest ones if there are too many. */
export function tidyKept(now: number): void {
  const records = listKeys(KEPT).map((key) => ({ key, time: readKept(key)?.time ?? 0 }));
  const newest = records.toSorted((one, other) => other.time - one.time);
  for (const [place, { key, time }] of newest.entries()) {
    if (place >= MOST_RECORDS || now - time > MOST_AGE_MS) removeKept(key);
  }
}

/** Locks a key until this page is gone, so that other pages know that its record is in use. */
export function lockKey(key: string): void {
  void navigator.locks?.request(key, () => new Promise<never>(() => undefined)).catch(() => undefined);
}

export async function listLockedKeys(): Promise<ReadonlySet<string>> {
  const locks = await navigator.locks?.query();
  return new Set(locks?.held?.flatMap(({ name }) => name ?? []) ?? []);
}
