import * as z from "zod";
import type { Candidate, Refusal } from "../candidate.ts";
import type { Markup } from "../plain-text.ts";

/** A request to a forum's API, and how to read its response. */
export type ForumQuery = {
  readonly url: string;
  /** The name of the source, as people would call it. */
  readonly name: string;
  /** Returns the entries of the response, or a sentence if it is not a response of this API. Never throws. */
  readonly list: (answer: unknown) => readonly (Candidate | Refusal)[] | string;
  /** Returns a sentence about an unsuccessful response if the API gives a reason, or its status has a known one. */
  readonly explain?: (answer: unknown, status: number) => string | undefined;
  /** Returns for how many seconds the answer, successful or not, asks for no further request. */
  readonly findWait?: (answer: unknown) => number | undefined;
};

/** Reads each entry. Those that do not fit the schema are left out. */
export function readEntries<T>(
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  read: (entry: T) => Candidate | Refusal,
): (Candidate | Refusal)[] {
  return entries.map((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? read(parsed.data) : { refused: "cannot be read" };
  });
}

/** Returns the URL of `base` with further path segments and a query, all escaped. */
export function buildUrl(base: string, segments: readonly string[], query: Readonly<Record<string, string>>): string {
  const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
  const parameters = new URLSearchParams(query).toString();
  return `${base}${path}${parameters === "" ? "" : `?${parameters}`}`;
}

export const toTextMarkup = (value: string): Markup => ({ kind: "text", value });

export const toHtmlMarkup = (value: string | null | undefined): Markup => ({ kind: "html", value: value ?? "" });

export const optionalText = z.string().nullish();
export const optionalNumber = z.number().nullish();

/** Returns the sentence for a response that is JSON, but not of this API. */
export const describeUnexpected = (forum: string): string => `It did not answer as ${forum} does.`;
