/** Counts what changes a tag or author as bulk changes: as many as it keeps the database busy for. */
import { LIMITS } from "../domain/limits.ts";
import type { TermKind } from "../domain/terms.ts";
import type { OrganizationContext } from "./define.ts";

/** Counts a deletion or a merge, which changes all articles and working copies of a term. Throws `rate_limited`. */
export const limitRemoval = async (context: OrganizationContext, kind: TermKind, id: string): Promise<void> =>
  count(context, (await context.store.termReach(kind, id)) ?? { articles: 0, bytes: 0 });

/** Counts another slug or name, if many or long working copies may have to follow. Throws `rate_limited`. */
export async function limitRenaming(
  context: OrganizationContext,
  kind: TermKind,
  { id, slug, name }: { readonly id: string; readonly slug?: string | undefined; readonly name?: string | undefined },
): Promise<void> {
  const reach = await context.store.termReach(kind, id, { slug, name });
  if (reach === null) return;
  const { copies, bytes } = reach;
  if (copies > LIMITS.copiesRenamed || bytes > LIMITS.bytesRenamed) await count(context, { articles: 0, bytes });
}

/** Counts once, and once more for each so many articles and bytes; at most all that the minute has. */
async function count(
  { limitBulk, principal }: OrganizationContext,
  { articles, bytes }: { readonly articles: number; readonly bytes: number },
): Promise<void> {
  const more = Math.floor(articles / LIMITS.articlesOfBulk) + Math.floor(bytes / LIMITS.bytesOfBulk);
  for (let n = 0; n < Math.min(1 + more, LIMITS.bulkPerMinute); n++) await limitBulk(principal.organizationId);
}
