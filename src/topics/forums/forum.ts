/** What the forums' APIs have in common. */
import * as z from "zod";
import type { Candidate, Refusal } from "../candidate.ts";
import type { Markup } from "../plain-text.ts";

/** A request to a forum's API, and how its answer is read. */
export type ForumQuery = {
  readonly url: string;
  /** What people call what is asked for. */
  readonly name: string;
  /** The answer's list; a sentence where it is not what the API answers. Never throws. */
  readonly list: (answer: unknown) => readonly (Candidate | Refusal)[] | string;
  /** A sentence that explains an unsuccessful response, if the API gives a reason. */
  readonly explain?: (answer: unknown) => string | undefined;
};

/** Reads each entry for itself, so that one which is not as the API describes it costs only itself. */
export function eachEntry<T>(
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  read: (entry: T) => Candidate | Refusal,
): (Candidate | Refusal)[] {
  return entries.map((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? read(parsed.data) : { refused: "cannot be read" };
  });
}

/** An address below another one, with segments and a query that need escaping. */
export function addressOf(base: string, segments: readonly string[], query: Readonly<Record<string, string>>): string {
  const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
  const parameters = new URLSearchParams(query).toString();
  return `${base}${path}${parameters === "" ? "" : `?${parameters}`}`;
}

/** The page that a discussion is about, or the discussion itself where it is about none. */
export const pageOr = (page: string | null | undefined, discussion: string): string =>
  page === null || page === undefined || page === "" ? discussion : page;

export const plain = (value: string): Markup => ({ kind: "text", value });

export const html = (value: string | null | undefined): Markup => ({ kind: "html", value: value ?? "" });

/** Seconds since 1970, as most APIs have it, in milliseconds. */
export const seconds = (value: number): number => value * 1000;

/** Texts and numbers that an API leaves out or sets to null. */
export const optionalText = z.string().nullish();
export const optionalNumber = z.number().nullish();

/** The sentence for an answer that is JSON, but not the API's. */
export const unexpected = (forum: string): string => `It did not answer as ${forum} does.`;
