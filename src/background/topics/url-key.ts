/** Compares the URLs of items. */
import normalizeUrl from "normalize-url";
import { removeTracking } from "./tracking.ts";

/** Returns the URL without protocol, `www`, fragment and tracking parameters, for comparison. */
export function toUrlKey(url: string): string {
  try {
    const bare = new URL(url);
    removeTracking(bare);
    // Some pages need `ref`, so it stays in the URLs that are stored. Most that have it are the same without.
    return normalizeUrl(bare.href, { stripProtocol: true, stripHash: true, removeQueryParameters: ["ref"] });
  } catch {
    return url;
  }
}
