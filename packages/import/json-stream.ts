/** Reads the elements of arrays in a JSON file that is too large for memory. */
import { Unusable } from "./article.ts";
import { MOST_NESTED, readChunks, type Bytes } from "./source.ts";

const MOST_ELEMENT = 16 * 1024 * 1024;

export type JsonElement = { readonly path: readonly string[]; readonly value: unknown };

/**
 * Yields the elements of the arrays for which `wanted` returns true. It gets the path to the array, joined by dots.
 * Throws `Unusable` if the file is not JSON in UTF-8.
 */
export async function* readElements(file: Bytes, wanted: (way: string) => boolean): AsyncGenerator<JsonElement> {
  const splitter = new Splitter(wanted);
  for await (const chunk of readChunks(file, () => "utf-8")) yield* splitter.write(chunk);
  splitter.end();
}

type Frame = { readonly isArray: boolean; readonly name: string | null };

/** Finds the elements by following strings and brackets. `JSON.parse` reads them. */
class Splitter {
  readonly #wanted: (way: string) => boolean;
  readonly #stack: Frame[] = [];
  #path: string[] = [];
  /** The length of the stack inside the array that is being read; -1 outside of one. */
  #taken = -1;
  #element = "";
  #name = "";
  #string = "";
  #inString = false;
  #escaped = false;
  #started = false;

  constructor(wanted: (way: string) => boolean) {
    this.#wanted = wanted;
  }

  *write(chunk: string): Generator<JsonElement> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at] ?? "";
      if (this.#inString) {
        this.#inside(character);
        continue;
      }
      const isEnd = this.#taken === this.#stack.length && (character === "," || character === "]");
      if (isEnd) {
        this.#keep(chunk.slice(from, at));
        yield* this.#complete();
      }
      this.#outside(character);
      if (isEnd || this.#opensTaken(character)) from = at + 1;
    }
    if (this.#taken >= 0) this.#keep(chunk.slice(from));
  }

  end(): void {
    if (this.#stack.length > 0 || this.#inString || !this.#started)
      throw new Unusable("is not JSON: it ends too early");
  }

  #inside(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (character === "\\") this.#escaped = true;
    else if (character === '"') this.#inString = false;
    // Only the names of fields matter here, and they are short.
    if (this.#inString && this.#string.length < 100) this.#string += character;
  }

  #outside(character: string): void {
    switch (character) {
      case '"':
        this.#inString = true;
        this.#string = "";
        return;
      case ":":
        this.#name = this.#string;
        return;
      case "{":
      case "[":
        return this.#open(character === "[");
      case "}":
      case "]":
        return this.#close(character === "]");
      default:
    }
  }

  #open(isArray: boolean): void {
    if (this.#stack.length >= MOST_NESTED) throw new Unusable("is nested too deeply");
    const name = this.#stack.at(-1)?.isArray === false ? this.#name : null;
    this.#started = true;
    this.#stack.push({ isArray, name });
    if (name !== null) this.#path.push(name);
    if (isArray && this.#taken < 0 && this.#wanted(this.#path.join("."))) this.#taken = this.#stack.length;
  }

  #close(isArray: boolean): void {
    const frame = this.#stack.pop();
    if (frame === undefined || frame.isArray !== isArray) throw new Unusable("is not JSON: its brackets do not match");
    if (frame.name !== null) this.#path = this.#path.slice(0, -1);
    if (this.#stack.length < this.#taken) this.#taken = -1;
  }

  #opensTaken(character: string): boolean {
    return character === "[" && this.#taken === this.#stack.length && this.#taken >= 0 && this.#element === "";
  }

  #keep(text: string): void {
    this.#element += text;
    if (this.#element.length > MOST_ELEMENT) {
      throw new Unusable(`has an entry of more than ${MOST_ELEMENT / 1024 / 1024} MiB`);
    }
  }

  *#complete(): Generator<JsonElement> {
    const text = this.#element.trim();
    this.#element = "";
    if (text === "") return;
    yield { path: this.#path, value: parseElement(text) };
  }
}

function parseElement(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unusable(`is not JSON: ${(error as Error).message.slice(0, 200)}`, { cause: error });
  }
}
