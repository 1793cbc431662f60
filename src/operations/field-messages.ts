import type { z } from "zod";
import { findNearest } from "../lib/nearest.ts";

/** Returns the message for zod's `error` option; undefined for zod's own. Messages in the schema win. */
export function wordFieldMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const { code } = issue;
  if (code === "invalid_type") {
    return issue.input === undefined ? "is required" : `must be ${KINDS[issue.expected] ?? issue.expected}`;
  }
  if (code === "invalid_value") return issue.input === undefined ? "is required" : nameChoices(issue.values);
  // A discriminated union: its discriminator is missing or has an unknown value.
  if (code === "invalid_union" && issue.discriminator !== undefined) {
    const {
      input,
      discriminator,
      options = [],
    } = issue as { input: object; discriminator: string; options?: unknown[] };
    return Reflect.get(input, discriminator) === undefined ? "is required" : nameChoices(options);
  }
  if (code === "too_big") return `must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
  if (code === "too_small") return `must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`;
  return code === "invalid_format" && issue.format === "email" ? "must be an email address" : undefined;
}

/** Returns the message for a name that is not one of the known ones. It says which one was probably meant. */
export function wordUnknown(kind: "field" | "query parameter", name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  return `is not a known ${kind}${nearest === undefined ? "" : `: did you mean "${nearest}"?`}`;
}

const nameChoices = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? "one of " : ""}${values.map(String).join(", ")}`;

const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a whole number",
  object: "an object",
  string: "a string",
};

const UNITS: Readonly<Record<string, string>> = { array: " items", string: " characters" };

const unit = (origin: string): string => UNITS[origin] ?? "";

const bound = (origin: string): string => (origin in UNITS ? "have" : "be");
