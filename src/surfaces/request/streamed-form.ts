/** Reads a form whose last field is a large file (RFC 7578): its other fields at once, the file as it arrives. */
import { IMPORT_LIMITS, ImportFile } from "../../domain/imports.ts";
import { fileNameIn } from "../../domain/pictures.ts";
import { DomainError } from "../../domain/errors.ts";
import { joined } from "../../lib/bytes.ts";
import { utf8 } from "../../lib/text.ts";

export type StreamedForm = {
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Undefined if no file was chosen. */
  readonly file: ImportFile | undefined;
  readonly fileName: string;
};

/** Maximum bytes of all that comes before the file. */
const MOST_BEFORE = 64 * 1024;

const invalid = (): DomainError => new DomainError("invalid_request", "The form cannot be read.");

/** Returns the form in a body with this boundary, up to the first file. Throws `invalid_request`. */
export async function streamedForm(body: ReadableStream<Uint8Array>, boundary: string): Promise<StreamedForm> {
  const input = new Input(body);
  const mark = utf8(`\r\n--${boundary}`);
  const fields: [string, string][] = [];
  // The first boundary may have nothing before it.
  input.prepend(utf8("\r\n"));
  await input.until(mark);
  for (;;) {
    if ((await input.next(2)) === "--") return { fields, file: undefined, fileName: "" };
    const head = await input.until(utf8("\r\n\r\n"));
    const [, name = ""] = /^content-disposition:.*?[;\s]name="([^"]*)"/im.exec(head) ?? [];
    const [, fileName] = /^content-disposition:.*?[;\s]filename="([^"]*)"/im.exec(head) ?? [];
    if (fileName === undefined) fields.push([name, await input.until(mark)]);
    else if (fileName === "") await input.until(mark);
    else {
      const called = fileNameIn(fileName.replaceAll("%22", '"')).slice(0, IMPORT_LIMITS.fileName);
      return { fields, file: new ImportFile(input.rest(mark), null), fileName: called };
    }
  }
}

/** The bytes of a form, of which it holds those that may belong to a mark. */
class Input {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #held: Uint8Array = new Uint8Array();
  #before = 0;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  prepend(bytes: Uint8Array): void {
    this.#held = joined([bytes, this.#held]);
  }

  /** Returns the text of the next bytes, and takes them: nothing need follow the last boundary. */
  async next(length: number): Promise<string> {
    while (this.#held.length < length) {
      const { value } = await this.#reader.read();
      if (value === undefined) throw invalid();
      this.#held = joined([this.#held, value]);
    }
    const text = new TextDecoder().decode(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(length);
    return text;
  }

  /** Returns the text up to a mark, and takes both. */
  async until(mark: Uint8Array): Promise<string> {
    for (let from = 0; ;) {
      const at = indexOf(this.#held, mark, from);
      if (at >= 0) {
        const text = new TextDecoder().decode(this.#held.subarray(0, at));
        this.#held = this.#held.subarray(at + mark.length);
        return text;
      }
      from = Math.max(0, this.#held.length - mark.length + 1);
      const { value } = await this.#reader.read();
      if (value === undefined || (this.#before += value.length) > MOST_BEFORE + BLOCK) throw invalid();
      this.#held = joined([this.#held, value]);
    }
  }

  /** Returns what comes before a mark, as it arrives. */
  rest(mark: Uint8Array): ReadableStream<Uint8Array> {
    const keep = mark.length - 1;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        for (;;) {
          const at = indexOf(this.#held, mark, 0);
          const ready = at >= 0 ? at : this.#held.length - keep;
          if (ready > 0) controller.enqueue(this.#held.slice(0, ready));
          if (at >= 0) {
            controller.close();
            // Nothing of ours comes after the file.
            return this.#reader.cancel().catch(() => undefined);
          }
          this.#held = ready > 0 ? this.#held.slice(ready) : this.#held;
          if (ready > 0) return;
          const { value } = await this.#reader.read();
          if (value === undefined) throw invalid();
          this.#held = joined([this.#held, value]);
        }
      },
      cancel: (reason) => this.#reader.cancel(reason),
    });
  }
}

/** A stream may bring the first bytes of the file with the fields. */
const BLOCK = 1024 * 1024;

/** Returns where bytes are in others; -1 if they are not. */
function indexOf(bytes: Uint8Array, mark: Uint8Array, from: number): number {
  const [first = 0] = mark;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + mark.length > bytes.length) return -1;
    if (mark.every((byte, nth) => bytes[at + nth] === byte)) return at;
  }
  return -1;
}
