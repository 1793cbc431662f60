/** Finds the requested JSON object in the text of a model, which may write other text around it. */
import type * as z from "zod";

export type ReadObject<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** How many `{` are tried as the start of the object, and how many problems are reported. */
const MOST_TRIES = 20;
const MOST_PROBLEMS = 20;

/**
 * Returns the first JSON object in `text` that fits the schema. It may be in a code fence, between sentences, or after
 * the reasoning of a model (`<think>…</think>`). Optional fields may be null. If no object fits, returns the problems of
 * the first one. Never throws.
 */
export function readObject<T>(schema: z.ZodType<T>, text: string): ReadObject<T> {
  let problems: readonly string[] | undefined;
  for (const candidate of listCandidates(text)) {
    const read = validate(schema, candidate);
    if (read.ok) return read;
    problems ??= read.problems;
  }
  return { ok: false, problems: problems ?? ["the answer contains no JSON object"] };
}

const THOUGHT = "</think>";

/** Yields the outermost JSON objects in the text, from left to right. */
function* listCandidates(text: string): Generator<object> {
  const whole = parseObject(text);
  if (whole !== undefined) return yield whole;
  // Some models omit the opening tag.
  const said = text.includes(THOUGHT) ? text.slice(text.indexOf(THOUGHT) + THOUGHT.length) : text;
  let from = said.indexOf("{");
  for (let tries = 0; from >= 0 && tries < MOST_TRIES; tries += 1) {
    const end = findEnd(said, from);
    const value = end < 0 ? undefined : parseObject(said.slice(from, end));
    if (value !== undefined) yield value;
    from = said.indexOf("{", value === undefined ? from + 1 : end);
  }
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the index after the object that begins at `start`, or -1 if it has no end. Ignores braces in strings. */
function findEnd(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted && letter === "\\") at += 1;
    else if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === "{") depth += 1;
    else if (!quoted && letter === "}" && (depth -= 1) === 0) return at + 1;
  }
  return -1;
}

/** Validates a value. If it does not fit, removes the optional fields that are null, and tries again. */
function validate<T>(schema: z.ZodType<T>, value: object): ReadObject<T> {
  const first = schema.safeParse(value);
  if (first.success) return { ok: true, value: first.data };
  const nulls = first.error.issues.map(({ path }) => path).filter((path) => isNullAt(value, path));
  for (const path of nulls) removeField(value, path);
  const second = nulls.length > 0 ? schema.safeParse(value) : first;
  if (second.success) return { ok: true, value: second.data };
  const { issues } = second.error;
  return { ok: false, problems: issues.slice(0, MOST_PROBLEMS).map(describeIssue) };
}

const describeIssue = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`;

type Path = readonly PropertyKey[];

/** Returns a field of a value of any type; undefined if the value is no object or has no such field. */
export const getMember = (value: unknown, key: PropertyKey): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;

const isNullAt = (value: unknown, path: Path): boolean => path.length > 0 && path.reduce(getMember, value) === null;

/** Removes a field from an object. Keeps elements of arrays, because removing one would move the others. */
function removeField(value: unknown, path: Path): void {
  const parent = path.slice(0, -1).reduce(getMember, value);
  const key = path.at(-1);
  if (key !== undefined && typeof parent === "object" && parent !== null && !Array.isArray(parent))
    Reflect.deleteProperty(parent, key);
}
