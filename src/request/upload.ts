/** Reads a picture from the body of a request: the bytes themselves, or a form with one file (RFC 7578). */
import { LIMITS } from "../domain/limits.ts";
import { fileNameIn, UploadedFile } from "../domain/pictures.ts";
import { DomainError, invalidField } from "../errors.ts";
import type { Reserve } from "../lib/room.ts";
import { TOO_LARGE } from "../media/read.ts";
import { heldBody } from "./memory.ts";
import { isMultipart } from "./multipart.ts";

/** What a form with a picture holds. */
export type Upload = {
  readonly file: UploadedFile | undefined;
  /** The name of the file where it was, without folders. "" if the sender did not say. */
  readonly fileName: string;
  /** The values of all other fields, in the order in which they came. */
  readonly fields: readonly (readonly [name: string, value: string])[];
};

/** A form of ours has some five fields. */
const MOST_PARTS = 50;
/** The file is there as it came, as a part of the form, and as it is stored. */
const COPIES = 4;

/**
 * Reads an upload. Throws `body_too_large`, `unsupported_media_type` for another body than a form or a file, and
 * `invalid_request` for a form that ends early, or has several files or too many fields.
 */
export async function readUpload(
  request: Request,
  reserve: Reserve,
  most: number = LIMITS.uploadBytes,
): Promise<Upload> {
  const type = request.headers.get("Content-Type") ?? "";
  const isForm = isMultipart(type);
  if (!isForm && !/^\s*(image\/|application\/octet-stream)/i.test(type)) {
    throw new DomainError(
      "unsupported_media_type",
      "Send the image itself with its media type, or multipart/form-data.",
    );
  }
  if ((request.headers.get("Content-Encoding") ?? "identity").toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type", "The body must not be compressed.");
  }
  const bytes = await heldBody(request, most, reserve, COPIES).catch(brokenOff);
  if (bytes === null) throw new DomainError("body_too_large", TOO_LARGE);
  if (isForm) return formOf(bytes, type);
  const file = bytes.length === 0 ? undefined : await fileOf(bytes as Uint8Array<ArrayBuffer>);
  return { file, fileName: "", fields: [] };
}

async function formOf(bytes: Uint8Array, type: string): Promise<Upload> {
  if (partsOf(bytes, type) > MOST_PARTS) throw new DomainError("invalid_request", "The form has too many fields.");
  // `Uint8Array<ArrayBuffer>`: a response cannot hold shared memory, and no request brings any.
  const form = new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "Content-Type": type } }).formData();
  const entries = [...(await form.catch(brokenOff))];
  const files = entries.filter((entry): entry is [string, File] => typeof entry[1] !== "string");
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  // A browser sends an empty file without a name where nothing was chosen.
  const chosen = files.filter(([, { name, size }]) => name !== "" || size > 0);
  if (chosen.length > 1) throw invalidField("file", "must be one file");
  const [field = "file", found] = chosen[0] ?? [];
  if (field !== "file") throw invalidField(field, "is not a known file field");
  if (found === undefined) return { file: undefined, fileName: "", fields };
  const content = new Uint8Array(await found.arrayBuffer());
  return { file: await fileOf(content), fileName: fileNameIn(found.name), fields };
}

function fileOf(bytes: Uint8Array<ArrayBuffer>): Promise<UploadedFile> {
  if (bytes.length > LIMITS.mediaBytes) throw new DomainError("body_too_large", TOO_LARGE);
  return UploadedFile.of(bytes);
}

/** Counts the parts of a form before it is parsed, because a parsed part may take a hundred times the memory of its bytes. */
function partsOf(bytes: Uint8Array, type: string): number {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type);
  const text = boundary?.[1] ?? boundary?.[2];
  if (text === undefined) throw new DomainError("invalid_request", "The multipart form has no boundary.");
  const wanted = new TextEncoder().encode(`--${text}`);
  // Each part but the first begins on a new line. A boundary has no line breaks, so this looks at no byte twice.
  let parts = 1;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1 && parts <= MOST_PARTS; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (wanted.every((byte, position) => bytes[at + 1 + position] === byte)) parts++;
  }
  return parts;
}

const LINE_FEED = 0x0a;

function brokenOff(error: unknown): never {
  if (error instanceof DomainError) throw error;
  throw new DomainError("invalid_request", "The upload ended early.");
}
