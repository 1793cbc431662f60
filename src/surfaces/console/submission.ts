/** Reads a submitted form within limits of size and number of fields. */
import { DomainError } from "../../domain/errors.ts";
import { parseContentType, FORM_TYPE, MULTIPART_TYPE } from "../../lib/content-type.ts";
import { isSingleLine } from "../../lib/text.ts";
import { readWholeBody } from "../request/body.ts";
import type { StreamedForm } from "../request/streamed-form.ts";
import type { Upload } from "../request/upload.ts";
import { LIMITS } from "../../domain/limits.ts";

/** Entered values by field name. A field with several values has an array of them. */
export type FormValues = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Submission = {
  /** Returns the first value of a field, with LF line breaks. "" if the field is missing. */
  text(name: string): string;
  all(name: string): string[];
  has(name: string): boolean;
  /** The key that the form was rendered with. Undefined if the field `_key` is missing. */
  readonly idempotencyKey: string | undefined;
  readonly values: FormValues;
  /** The file of an import, which is still arriving. */
  readonly upload?: Pick<StreamedForm, "file" | "fileName"> | undefined;
  /** The uploaded file, such as a picture or a CSV file, held in memory. */
  readonly picture?: Pick<Upload, "file" | "fileName"> | undefined;
};

/**
 * Reads the form in a request's body. Throws `unsupported_media_type` if the body is not a URL-encoded form,
 * `body_too_large` if it has more than `mostBytes` bytes or its values have too many characters, and `invalid_request`
 * if it is incomplete or has too many fields.
 */
export async function readSubmission(request: Request, mostBytes: number): Promise<Submission> {
  if (parseContentType(request.headers).type !== FORM_TYPE) {
    throw new DomainError("unsupported_media_type", `Send forms as ${FORM_TYPE}.`);
  }
  return toSubmission(parseFields(await readWholeBody(request, mostBytes, { tooLarge: TOO_LARGE })));
}

/**
 * Reads a form that may contain a file (multipart/form-data). Throws the same as {@link readSubmission}, and
 * `body_too_large` for a larger file than the media library takes.
 */
export async function readUploadForm(request: Request, mostBytes: number): Promise<Submission> {
  const { readUpload } = await import("../request/upload.ts");
  const { fields, file, fileName } = await readUpload(request, mostBytes);
  return { ...toSubmission(fields), picture: { file, fileName } };
}

/** Reads a form that may end with the file of an import (multipart/form-data). Returns before the file has arrived. */
export async function readImportForm(request: Request, mostBytes: number): Promise<Submission> {
  const { type, parameters } = parseContentType(request.headers);
  if (type !== MULTIPART_TYPE || request.body === null) return readSubmission(request, mostBytes);
  const { readStreamedForm } = await import("../request/streamed-form.ts");
  const { fields, ...upload } = await readStreamedForm(request.body, parameters["boundary"] ?? "");
  return { ...toSubmission(fields), upload };
}

const TOO_LARGE = "The form is too large.";

/**
 * Parses the fields of a form. Throws `invalid_request` for too many. It counts separators in the bytes before it
 * parses them, because a parsed field may take a hundred times the memory of its bytes.
 */
function parseFields(bytes: Uint8Array): URLSearchParams {
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at !== -1; at = bytes.indexOf(AMPERSAND, at + 1)) {
    if (++fields > LIMITS.formFields) throw new DomainError("invalid_request", "The form has too many fields.");
  }
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

const AMPERSAND = 0x26;

function toSubmission(fields: Iterable<readonly [string, string]>): Submission {
  const texts = new Map<string, string[]>();
  let characters = 0;
  for (const [name, value] of fields) {
    const text = normalizeLineBreaks(value);
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
    // Keys with line breaks are reserved for the service.
    idempotencyKey: all("_key").find(isSingleLine),
  };
}

/** Replaces CRLF with LF. Browsers send line breaks as CRLF (HTML, 4.10.21.4). */
const normalizeLineBreaks = (text: string): string => text.replaceAll("\r\n", "\n");
