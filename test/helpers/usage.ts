/** What an organization uses of its quotas: the service's counters, and the same values counted from its rows. */
import { env } from "cloudflare:workers";
import { COUNTED as COUNTED_MEMBERS } from "../../src/domain/article-fields.ts";
import { parseSettings } from "../../src/env.ts";
import { newId } from "../../src/lib/ids.ts";
import { articles } from "../../src/schema/articles.ts";
import type { Quota } from "../../src/domain/quotas.ts";
import type { Usage } from "../../src/store/core/quota.ts";
import { openOrganizationStore, type OrganizationStore } from "../../src/store/organization.ts";
import { newMember } from "./people.ts";
import type { Tenant } from "./tenant.ts";

const COUNTED = `select articles, article_bytes as articleBytes, answer_bytes as answerBytes, contacts,
  media_bytes as mediaBytes, media_items as mediaItems, revision_bytes as revisionBytes, day, day_events as dayEvents, day_deliveries as dayDeliveries
  from organizations where id = ?1`;

const ARTICLE_BYTES = COUNTED_MEMBERS.map((name) => `length(cast(coalesce(${articles[name].name}, '') as blob))`);

const RECOUNTED = `select (select count(*) from articles where organization_id = ?1) as articles,
  (select coalesce(sum(${ARTICLE_BYTES.join(" + ")}), 0)
    from articles where organization_id = ?1)
    + (select coalesce(sum(length(cast(members || coalesce(content, '') as blob))), 0)
    from working_copies where organization_id = ?1)
    + (select coalesce(sum(length(cast(members as blob))), 0)
    from terms where organization_id = ?1 and length(cast(members as blob)) > 64) as articleBytes,
  (select coalesce(sum(length(cast(coalesce(content, '') as blob))
    + iif(length(cast(answer as blob)) > 1024, length(cast(answer as blob)), 0)), 0)
    from idempotency where organization_id = ?1) as answerBytes,
  (select count(*) from contacts where organization_id = ?1) as contacts,
  (select coalesce(sum(bytes), 0) from (select id, bytes from media where organization_id = ?1
    union select key, members ->> '$.bytes' from trashed_rows where organization_id = ?1 and kind = 'media')) as mediaBytes,
  (select count(*) from media where organization_id = ?1 and library = 1) as mediaItems,
  (select coalesce(sum(length(cast(members as blob)) + coalesce(length(cast(content as blob)), 0)), 0)
    from revisions where organization_id = ?1) as revisionBytes,
  (select day from organizations where id = ?1) as day,
  (select count(*) from events where organization_id = ?1
    and substr(creation_time, 1, 10) = (select day from organizations where id = ?1)) as dayEvents,
  (select count(*) from deliveries where organization_id = ?1
    and substr(creation_time, 1, 10) = (select day from organizations where id = ?1)) as dayDeliveries`;

type Counted = Omit<Usage, "quotas">;

/** Returns both. They must be equal. */
export async function usageOf(organizationId: string): Promise<{ counted: Counted; recounted: Counted }> {
  const results = await env.DB.batch<Counted>(
    [COUNTED, RECOUNTED].map((query) => env.DB.prepare(query).bind(organizationId)),
  );
  const [counted, recounted] = results.map(({ results: [row] }) => row);
  if (counted === undefined || recounted === undefined) throw new Error("there is no such organization");
  return { counted, recounted };
}

/** Returns a store of the organization, for an owner, with a clock and quotas of the test. */
export async function storeAt(
  { organizationId }: Pick<Tenant, "organizationId">,
  now: Date,
  quota: Partial<Quota> = {},
): Promise<OrganizationStore> {
  const { userId } = await newMember(organizationId, "owner");
  return openOrganizationStore({
    db: env.DB,
    organizationId,
    pinnedBlogId: null,
    actor: { kind: "user", id: userId, role: "owner" },
    requestId: newId(),
    now: () => now,
    quota: { ...parseSettings(env).quota, ...quota },
    announce: () => undefined,
    afterwards: () => undefined,
  });
}
