import { sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { webhookSubscriptions as subscriptions } from "./schema.ts";

/** An event, by its values or by the columns of `events`. */
type Matched = { readonly blogId: string | null | SQLiteColumn; readonly kind: string | SQLiteColumn };

/**
 * That a subscription is for an event of its organization (contract 11.4): for its blog, and for its kind. It is asked
 * when deliveries are made of an event, and again before each is sent, as the subscription may have changed since.
 */
export const matches = ({ blogId, kind }: Matched): SQL =>
  sql`((${subscriptions.blogId} is null or ${subscriptions.blogId} = ${blogId})
    and (${subscriptions.events} = '[]'
      or exists (select 1 from json_each(${subscriptions.events}) where value = ${kind})))`;
