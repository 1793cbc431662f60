/** Forms whose last field is a large file (RFC 7578), which is read as it arrives. */
import { IMPORT_LIMITS, ImportFile } from "../../domain/imports.ts";
import { toFileName } from "../../domain/pictures.ts";
import { DomainError } from "../../domain/errors.ts";
import { concatBytes } from "../../lib/bytes.ts";
import { utf8 } from "../../lib/text.ts";

export type StreamedForm = {
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Undefined if no file was chosen. */
  readonly file: ImportFile | undefined;
  readonly fileName: string;
};

const MOST_BEFORE = 64 * 1024;

const invalid = (): DomainError => new DomainError("invalid_request", "The form cannot be read.");

/** Reads a form up to its first file. Throws `invalid_request`. */
export async function readStreamedForm(body: ReadableStream<Uint8Array>, boundary: string): Promise<StreamedForm> {
  const input = new Input(body);
  const mark = utf8(`\r\n--${boundary}`);
  const fields: [string, string][] = [];
  // The body may begin with the first boundary.
  input.prepend(utf8("\r\n"));
  await input.readUntil(mark);
  for (;;) {
    if ((await input.readText(2)) === "--") return { fields, file: undefined, fileName: "" };
    const head = await input.readUntil(utf8("\r\n\r\n"));
    const [, name = ""] = /^content-disposition:.*?[;\s]name="([^"]*)"/im.exec(head) ?? [];
    const [, fileName] = /^content-disposition:.*?[;\s]filename="([^"]*)"/im.exec(head) ?? [];
    if (fileName === undefined) fields.push([name, await input.readUntil(mark)]);
    else if (fileName === "") await input.readUntil(mark);
    else {
      const called = toFileName(fileName.replaceAll("%22", '"')).slice(0, IMPORT_LIMITS.fileName);
      return { fields, file: new ImportFile(input.streamUntil(mark), null), fileName: called };
    }
  }
}

/** The bytes of a form. Keeps those that may belong to a mark. */
class Input {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #held: Uint8Array = new Uint8Array();
  #before = 0;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  prepend(bytes: Uint8Array): void {
    this.#held = concatBytes([bytes, this.#held]);
  }

  /** Removes and returns the next bytes as text. */
  async readText(length: number): Promise<string> {
    while (this.#held.length < length) await this.#readMore();
    return this.#take(length, length);
  }

  /** Removes the text up to a mark, and the mark. Returns the text. */
  async readUntil(mark: Uint8Array): Promise<string> {
    for (let from = 0; ;) {
      const at = findBytes(this.#held, mark, from);
      if (at >= 0) return this.#take(at, at + mark.length);
      from = Math.max(0, this.#held.length - mark.length + 1);
      this.#before += await this.#readMore();
      if (this.#before > MOST_BEFORE + BLOCK) throw invalid();
    }
  }

  /** Returns the text of the first bytes, and removes the bytes before `end`. */
  #take(length: number, end: number): string {
    const text = new TextDecoder().decode(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(end);
    return text;
  }

  /** Returns how many bytes were read. Throws `invalid_request` at the end of the body. */
  async #readMore(): Promise<number> {
    const { value } = await this.#reader.read();
    if (value === undefined) throw invalid();
    this.#held = concatBytes([this.#held, value]);
    return value.length;
  }

  /** Returns the bytes before a mark, as they arrive. */
  streamUntil(mark: Uint8Array): ReadableStream<Uint8Array> {
    const keep = mark.length - 1;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        for (;;) {
          const at = findBytes(this.#held, mark, 0);
          const ready = at >= 0 ? at : this.#held.length - keep;
          if (ready > 0) controller.enqueue(this.#held.slice(0, ready));
          if (at >= 0) {
            controller.close();
            // Our forms have nothing after the file.
            return this.#reader.cancel().catch(() => undefined);
          }
          this.#held = ready > 0 ? this.#held.slice(ready) : this.#held;
          if (ready > 0) return;
          await this.#readMore();
        }
      },
      cancel: (reason) => this.#reader.cancel(reason),
    });
  }
}

/** A chunk with the fields may also contain the beginning of the file. */
const BLOCK = 1024 * 1024;

/** Returns the index of a mark, or -1. */
function findBytes(bytes: Uint8Array, mark: Uint8Array, from: number): number {
  const [first = 0] = mark;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (at + mark.length > bytes.length) return -1;
    if (mark.every((byte, nth) => bytes[at + nth] === byte)) return at;
  }
  return -1;
}
