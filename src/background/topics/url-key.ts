/** Compares the URLs of items. */
import normalizeUrl from "normalize-url";

/** Returns the URL without protocol, `www`, fragment and tracking parameters, for comparison. */
export function toUrlKey(url: string): string {
  try {
    return normalizeUrl(url, { stripProtocol: true, stripHash: true, removeQueryParameters: TRACKING });
  } catch {
    return url;
  }
}

const TRACKING = [/^utm_\w+$/i, "fbclid", "gclid", "mc_cid", "mc_eid", "ref"];
