/** Holds the entries whose slug is taken by the article of another entry, until that one has ended. */
import { Unusable, type Article, type SlugTaken } from "../../import/article.ts";

export type Loaded = { readonly key: string; readonly name: string; readonly article: Article };
type Blocked = { readonly loaded: Loaded; readonly error: SlugTaken };

/** Maximum bytes that wait in memory. Entries above that fail, and the next import can send them. */
const MOST_HELD = 256 * 1024 * 1024;
const TOO_MUCH = "waits for another article to give up its slug, as too many others do: import again";

/** At most two bytes for each character, if one of them is not Latin-1. */
const estimateBytes = ({ article }: Loaded): number => 2 * article.content.length;

export class Queue {
  readonly #ready: Loaded[] = [];
  readonly #blocked = new Map<string, Blocked[]>();
  /** The keys of the ended entries, with the number of entries that ended before. */
  readonly #finished = new Map<string, number>();
  #held = 0;

  get finished(): number {
    return this.#finished.size;
  }

  next(): Loaded | undefined {
    return this.#ready.shift();
  }

  isEmpty(): boolean {
    return this.#ready.length === 0;
  }

  /**
   * Takes an entry whose slug is taken. `finished` is the number of ended entries when its attempt began. Returns the
   * error if waiting is pointless: no entry owns the other article, or its owner had ended before the attempt began, or
   * too many bytes are waiting.
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

  finish(key: string): void {
    this.#finished.set(key, this.#finished.size);
    for (const { loaded } of this.#blocked.get(key) ?? []) {
      this.#held -= estimateBytes(loaded);
      this.#ready.push(loaded);
    }
    this.#blocked.delete(key);
  }

  listBlocked(): Blocked[] {
    return [...this.#blocked.values()].flat();
  }

  #hold(owner: string, blocked: Blocked): Unusable | null {
    const held = this.#held + estimateBytes(blocked.loaded);
    if (held > MOST_HELD) return new Unusable(TOO_MUCH);
    this.#held = held;
    this.#blocked.set(owner, [...(this.#blocked.get(owner) ?? []), blocked]);
    return null;
  }
}
