/** The entries of an import whose slug another entry's article has: each waits for that one. */
import { Unusable, type Article, type SlugTaken } from "./article.ts";

/** An entry that has been read. */
export type Loaded = { readonly key: string; readonly name: string; readonly article: Article };
type Blocked = { readonly loaded: Loaded; readonly error: SlugTaken };

/** Bytes of content that are held in memory. What is more is reported, and left to the next import. */
const MOST_HELD = 256 * 1024 * 1024;
const TOO_MUCH = "waits for another article to give up its slug, as too many others do: import again";

/** In memory, a character beyond Latin makes all of a text take two bytes each. */
const bytesOf = ({ article }: Loaded): number => 2 * article.content.length;

export class Queue {
  readonly #ready: Loaded[] = [];
  readonly #blocked = new Map<string, Blocked[]>();
  /** The entries that are over, however they ended, each with how many were before it. */
  readonly #finished = new Map<string, number>();
  #held = 0;

  /** How many entries are over. */
  get finished(): number {
    return this.#finished.size;
  }

  /** One that need wait no more. */
  next(): Loaded | undefined {
    return this.#ready.shift();
  }

  isEmpty(): boolean {
    return this.#ready.length === 0;
  }

  /**
   * Takes in one that was refused; null if it waits now, otherwise why it does not: nobody would give the slug up,
   * the one that has it was over before this was tried, when so many were `finished`, or too much waits already.
   */
  take(error: SlugTaken, loaded: Loaded, finished: number): Unusable | null {
    const { owner } = error;
    if (owner === undefined) return error;
    const over = this.#finished.get(owner);
    if (over === undefined) return this.#hold(owner, { loaded, error });
    if (over < finished) return error;
    this.#ready.push(loaded);
    return null;
  }

  /** An entry is over: those that waited for it are ready. */
  finish(key: string): void {
    this.#finished.set(key, this.#finished.size);
    for (const { loaded } of this.#blocked.get(key) ?? []) {
      this.#held -= bytesOf(loaded);
      this.#ready.push(loaded);
    }
    this.#blocked.delete(key);
  }

  /** Those that still wait. */
  blocked(): Blocked[] {
    return [...this.#blocked.values()].flat();
  }

  #hold(owner: string, blocked: Blocked): Unusable | null {
    const held = this.#held + bytesOf(blocked.loaded);
    if (held > MOST_HELD) return new Unusable(TOO_MUCH);
    this.#held = held;
    this.#blocked.set(owner, [...(this.#blocked.get(owner) ?? []), blocked]);
    return null;
  }
}
