/** Query parameters that only say where a click came from. Pages are the same without them. */

/**
 * Most are from the list of Firefox (`privacy.query_stripping.strip_list`), in lower case. It lacks the names of
 * campaigns: Google's `utm_*`, Mailchimp's `mc_cid`, and `ref_src` and `ref_url` of X. `ref` and `source` are not here,
 * because some pages need them.
 */
const NAMES: ReadonlySet<string> = new Set(
  (
    "fbclid gclid dclid gbraid wbraid msclkid twclid yclid igshid mc_cid mc_eid ml_subscriber ml_subscriber_hash mkt_tok " +
    "oly_anon_id oly_enc_id vero_conv vero_id wickedid rb_clickid s_cid __s _openstat _hsenc __hssc __hstc __hsfp " +
    "hsctatracking ref_src ref_url"
  ).split(" "),
);

const isTrackingName = (name: string): boolean => /^utm_\w+$/i.test(name) || NAMES.has(name.toLowerCase());

/** Removes tracking parameters from a URL. Leaves everything else of the query as it is written. */
export function removeTracking(url: URL): void {
  const parts = url.search.slice(1).split("&");
  const kept = parts.filter((part) => !isTrackingName(part.replace(/=.*$/s, "")));
  if (kept.length < parts.length) url.search = kept.join("&");
}
