/** A submitted form: its fields, read within limits. */
import { DomainError } from "../errors.ts";
import { bytesWithin } from "../lib/body.ts";
import { LIMITS } from "../domain/limits.ts";

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

/**
 * The form in a request of at most so many bytes. Throws `unsupported_media_type` for what is no form,
 * `body_too_large`, and `invalid_request` for one that breaks off or has too many fields.
 */
export const submissionOf = async (request: Request, mostBytes: number): Promise<Submission> =>
  toSubmission(fieldsOf(await readBytes(request, mostBytes)));

async function readBytes(request: Request, most: number): Promise<Uint8Array> {
  const type = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) throw new DomainError("unsupported_media_type", `A form is sent as ${FORM_TYPE}.`);
  const bytes = await bytesWithin(request, most).catch(() => {
    throw new DomainError("invalid_request", "The form ended early.");
  });
  if (bytes === null) throw new DomainError("body_too_large", TOO_LARGE);
  return bytes;
}

const FORM_TYPE = "application/x-www-form-urlencoded";

const TOO_LARGE = "The form is too large.";

/** The fields of a form. They are counted as bytes: once built, each may take a hundred times the memory. */
function fieldsOf(bytes: Uint8Array): URLSearchParams {
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at !== -1; at = bytes.indexOf(AMPERSAND, at + 1)) {
    if (++fields > LIMITS.formFields) throw new DomainError("invalid_request", "The form has too many fields.");
  }
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

const AMPERSAND = 0x26;

function toSubmission(fields: URLSearchParams): Submission {
  const texts = new Map<string, string[]>();
  let characters = 0;
  for (const [name, value] of fields) {
    const text = unix(value);
    characters += text.length;
    if (characters > LIMITS.formCharacters) throw new DomainError("body_too_large", TOO_LARGE);
    const known = texts.get(name) ?? [];
    known.push(text);
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

/** Browsers send line breaks as CRLF (HTML, 4.10.21.4). */
const unix = (text: string): string => text.replaceAll("\r\n", "\n");
