import { v7, validate } from "uuid";

/** Creates a UUIDv7 (RFC 9562). Identifiers sort by time of creation. */
export const newId = (): string => v7();

/** Returns whether a text looks like a UUID of any version, in any case. Slugs never do. */
export const isUuid = (text: string): boolean => UUID_SHAPE.test(text);

/** Returns whether a text is a valid UUID in lower case, as this service issues them. */
export const isId = (text: string): boolean => validate(text) && text === text.toLowerCase();

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the lowest UUIDv7 of a time: ids that were created earlier sort before it. */
export function makeLowestId(time: Date): string {
  const milliseconds = time.getTime().toString(16).padStart(12, "0");
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7000-8000-000000000000`;
}

/** How much the time of an id and the time noted in the same request may differ: ids never go back, clocks do. */
const NEAR_MS = 2000;

/** Returns bounds of the ids created around a time, for indexes that have ids but no times. */
export const getIdRange = (time: Date): { readonly from: string; readonly to: string } => ({
  from: makeLowestId(new Date(time.getTime() - NEAR_MS)),
  to: makeLowestId(new Date(time.getTime() + NEAR_MS)),
});

/** Returns the time at which a UUIDv7 was created, as RFC 3339 text. */
export const getIdTime = (id: string): string =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
