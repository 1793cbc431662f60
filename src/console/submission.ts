/** What a submitted form says. */
import { DomainError } from "../errors.ts";
import type { ConsoleContext } from "./env.ts";

export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Submission = {
  /** One line or text, with the line breaks of Unix; "" where it is missing. */
  text(name: string): string;
  /** All values of a name: of checkboxes and multiple selects. */
  all(name: string): string[];
  has(name: string): boolean;
  readonly idempotencyKey: string | undefined;
  readonly values: FormValues;
};

/** Reads the submitted form. */
export async function readForm(c: ConsoleContext): Promise<Submission> {
  const submission = c.get("submission") ?? submissionOf(await formData(c));
  c.set("submission", submission);
  return submission;
}

async function formData(c: ConsoleContext): Promise<FormData> {
  try {
    return await c.req.raw.formData();
  } catch {
    throw new DomainError("invalid_request", "The form could not be read.");
  }
}

function submissionOf(data: FormData): Submission {
  const texts = new Map<string, string[]>();
  let fields = 0;
  for (const [name, value] of data) {
    if (++fields > MOST_FIELDS) throw new DomainError("invalid_request", "The form has too many fields.");
    const known = texts.get(name) ?? [];
    known.push(typeof value === "string" ? unix(value) : "");
    texts.set(name, known);
  }
  const all = (name: string): string[] => texts.get(name) ?? [];
  return {
    values: Object.fromEntries([...texts].map(([name, all]) => [name, all.length === 1 ? all[0] : all])),
    all,
    text: (name) => all(name)[0] ?? "",
    has: (name) => texts.has(name),
    idempotencyKey: all("_key")[0],
  };
}

/** The largest form of the console has some twenty. */
const MOST_FIELDS = 1000;

/** Browsers send line breaks as CRLF (HTML, 4.10.21.4). */
const unix = (text: string): string => text.replaceAll("\r\n", "\n");
