/** Which subscriptions get an event (contract 11.4). */
import { sql, type SQL } from "drizzle-orm";
import { DEFAULT_EVENT_KINDS } from "../../domain/events.ts";
import { webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";

type Matched = Readonly<Record<"blogId" | "kind", unknown>>;

/**
 * Returns the condition that a subscription matches an event of its organization, by blog and kind. It is checked when
 * the deliveries of an event are created, and again before each is sent, because the subscription may have changed in
 * between.
 */
export const matches = ({ blogId, kind }: Matched): SQL =>
  sql`((${subscriptions.blogId} is null or ${subscriptions.blogId} = ${blogId})
    and (${subscriptions.events} = '[]' and ${kind} in (${BY_DEFAULT})
      or exists (select 1 from json_each(${subscriptions.events}) where value = ${kind})))`;

const BY_DEFAULT = sql.raw(DEFAULT_EVENT_KINDS.map((kind) => `'${kind}'`).join());
