/** Preview links, which show one article to everybody who has the link. */
import { DomainError } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { isPreviewToken } from "../../domain/secrets.ts";
import type { Previewed } from "../../store/articles/previews.ts";
import { openPublishedStore } from "../../store/articles/published.ts";
import { openPlaces } from "../../store/database.ts";
import { makeReader } from "../../store/core/sql.ts";
import type { Arrival } from "./arrival.ts";
import { enforceLimit } from "./limits.ts";
import { enforceReadLimit } from "./strangers.ts";

/**
 * Returns what a link shows. Throws `not_found` if there is no such link or it has expired, and `rate_limited` if the
 * network reads too much, or if the link is rendered too often. A text that cannot be a token costs no query.
 */
export async function openPreview(
  arrival: Arrival,
  request: Request,
  { token, render }: { readonly token: string; readonly render: boolean },
): Promise<Previewed> {
  await enforceReadLimit(arrival, request);
  const hash = isPreviewToken(token) ? await sha256(token) : null;
  const found =
    hash === null ? null : await openPublishedStore(openPlaces(arrival.env, makeReader)).findPreview(hash, new Date());
  if (hash === null || found === null)
    throw new DomainError("not_found", "This preview link is not valid, or has expired.");
  if (render) await enforceLimit(arrival, "renderings", `link ${hash}`);
  return found;
}
