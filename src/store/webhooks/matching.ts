import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { webhookSubscriptions as subscriptions } from "../../schema/webhooks.ts";

/** An event: its values, or the columns of `events`. */
type Matched = { readonly blogId: string | null | SQLiteColumn; readonly kind: string | SQLiteColumn };

/**
 * Returns the condition that a subscription matches an event of its organization, by blog and kind (contract 11.4). It
 * is checked when the deliveries of an event are created, and again before each is sent, because the subscription may
 * have changed in between.
 */
export const matches = ({ blogId, kind }: Matched): SQL =>
  sql`((${subscriptions.blogId} is null or ${subscriptions.blogId} = ${blogId})
    and (${subscriptions.events} = '[]'
      or exists (select 1 from json_each(${subscriptions.events}) where value = ${kind})))`;
