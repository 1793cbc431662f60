/** Reads a picture from the body of a request: the bytes themselves, or a form with one file (RFC 7578). */
import { parseMultipart } from "@remix-run/multipart-parser";
import { LIMITS } from "../../domain/limits.ts";
import { toFileName, UploadedFile } from "../../domain/pictures.ts";
import { DomainError, invalidField } from "../../domain/errors.ts";
import { parseContentType, MULTIPART_TYPE } from "../../lib/content-type.ts";
import { TOO_LARGE } from "../../background/media/read.ts";
import { readWholeBody } from "./body.ts";

export type Upload = {
  readonly file: UploadedFile | undefined;
  /** The name of the file at the sender, without folders. "" if it was not sent. */
  readonly fileName: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
};

// Our own forms have about five fields. RFC 2046, 5.1.1, allows a boundary of 70 characters.
const FORM = { maxParts: 50, maxHeaderSize: 4096, maxFileSize: LIMITS.uploadBytes } as const;
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;
/** Copies in memory: the body as it arrives, the part of the form, and the stored file. */
const COPIES = 4;

/**
 * Reads an upload. Throws `body_too_large`, `unsupported_media_type` unless the body is a form or a file, and
 * `invalid_request` for a form that ends early, or has several files or too many fields.
 */
export async function readUpload(request: Request, most: number = LIMITS.uploadBytes): Promise<Upload> {
  const { type, parameters } = parseContentType(request.headers);
  if (type !== MULTIPART_TYPE && type !== "application/octet-stream" && !type.startsWith("image/")) {
    throw new DomainError(
      "unsupported_media_type",
      "Send the image itself with its media type, or multipart/form-data.",
    );
  }
  if ((request.headers.get("Content-Encoding") ?? "identity").toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type", "The body must not be compressed.");
  }
  const bytes = await readWholeBody(request, most, { times: COPIES, tooLarge: TOO_LARGE });
  if (type === MULTIPART_TYPE) return parseForm(bytes, parameters["boundary"] ?? "");
  const file = bytes.length === 0 ? undefined : await toUploadedFile(bytes);
  return { file, fileName: "", fields: [] };
}

async function parseForm(bytes: Uint8Array, boundary: string): Promise<Upload> {
  if (!BOUNDARY.test(boundary)) throw new DomainError("invalid_request", "The form has no valid boundary.");
  const { files, fields } = parseParts(bytes, boundary);
  if (files.length > 1) throw invalidField("file", "must be one file");
  const [found] = files;
  if (found === undefined) return { file: undefined, fileName: "", fields };
  if (found.name !== "file") throw invalidField(found.name, "is not a known file field");
  return { file: await toUploadedFile(found.bytes), fileName: toFileName(found.fileName), fields };
}

type Part = { readonly name: string; readonly fileName: string; readonly bytes: Uint8Array };

/** Returns the parts of a form. Throws `invalid_request`, also for too many parts or too long headers. */
function parseParts(bytes: Uint8Array, boundary: string): { files: Part[]; fields: [string, string][] } {
  const [files, fields]: [Part[], [string, string][]] = [[], []];
  try {
    for (const part of parseMultipart(bytes, { ...FORM, boundary })) {
      const { name = "", filename } = part;
      if (filename === undefined) fields.push([name, part.text]);
      // A browser sends an empty file without a name where nothing was chosen.
      else if (filename !== "" || part.size > 0) files.push({ name, fileName: filename, bytes: part.bytes });
    }
  } catch (error) {
    throw new DomainError("invalid_request", `The form cannot be read: ${(error as Error).message}.`);
  }
  return { files, fields };
}

function toUploadedFile(bytes: Uint8Array): Promise<UploadedFile> {
  if (bytes.length > LIMITS.mediaBytes) throw new DomainError("body_too_large", TOO_LARGE);
  // A body is never in shared memory.
  return UploadedFile.of(bytes as Uint8Array<ArrayBuffer>);
}
