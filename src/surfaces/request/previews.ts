/** Preview links, which show one article to everybody who has the link. */
import { DomainError } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { isPreviewToken } from "../../domain/secrets.ts";
import type { Previewed } from "../../store/articles/previews.ts";
import { openPublishedStore } from "../../store/articles/published.ts";
import { sharedDatabase } from "../../store/database.ts";
import { readerOf } from "../../store/core/sql.ts";
import type { Arrival } from "./arrival.ts";
import { withinLimit } from "./limits.ts";
import { limitReaders } from "./strangers.ts";

/**
 * Returns what a link shows. Throws `not_found` if there is no such link or it has expired, and `rate_limited` if the
 * network reads too much, or if the link is rendered too often. A text that cannot be a token costs no query.
 */
export async function openPreview(
  arrival: Arrival,
  request: Request,
  { token, render }: { readonly token: string; readonly render: boolean },
): Promise<Previewed> {
  await limitReaders(arrival, request);
  const hash = isPreviewToken(token) ? await sha256(token) : null;
  const read = readerOf(sharedDatabase(arrival.env));
  const found = hash === null ? null : await openPublishedStore(read).findPreview(hash, new Date());
  if (hash === null || found === null)
    throw new DomainError("not_found", "This preview link is not valid, or has expired.");
  if (render) await withinLimit(arrival, "renderings", `link ${hash}`);
  return found;
}
