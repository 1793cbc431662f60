/** The client's cache of responses. What has not changed is not sent again. */

/** A stored response. It is plain data: a cache may store it as JSON. */
export type CachedResponse = {
  readonly etag: string;
  /** The body, as JSON. */
  readonly body: string;
  /** The cursor of the next page of a list; null if there is none. */
  readonly next: string | null;
};

/**
 * A cache of responses. The client revalidates with the service each time, so answers are never stale, and a cache may
 * forget at any time. Keys differ by credential.
 */
export type ResponseCache = {
  get(key: string): CachedResponse | undefined | Promise<CachedResponse | undefined>;
  set(key: string, response: CachedResponse): void | Promise<void>;
};

/** The default cache: in memory and bounded, the least recently used response goes first. */
export function memoryCache({ entries = 500, characters = 8_000_000 } = {}) {
  const kept = new Map<string, CachedResponse>();
  let held = 0;
  const drop = (key: string): void => {
    held -= kept.get(key)?.body.length ?? 0;
    kept.delete(key);
  };
  return {
    get(key: string): CachedResponse | undefined {
      const response = kept.get(key);
      if (response !== undefined) {
        // A Map keeps the order of insertion: this one is now the last to go.
        kept.delete(key);
        kept.set(key, response);
      }
      return response;
    },
    set(key: string, response: CachedResponse): void {
      drop(key);
      if (response.body.length > characters) return;
      kept.set(key, response);
      held += response.body.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= entries && held <= characters) break;
        drop(oldest);
      }
    },
  };
}
