import { Table } from "../table.tsx";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../../operations/registry.ts";
import { FailureWarning, Streak } from "./streak.tsx";

export type Subscription = z.infer<typeof registry.listWebhookSubscriptions.output>[number];

export type BlogNames = ReadonlyMap<string, string>;

type ListProps = { readonly subscriptions: readonly Subscription[]; readonly blogs: BlogNames };

export const getWebhookName = ({ name, url }: Pick<Subscription, "name" | "url">): string => name || new URL(url).host;

export const List: FC<ListProps> = ({ subscriptions, blogs }) => (
  <>
    {subscriptions.map((each) =>
      each.active ? (
        <FailureWarning failures={each.failureStreak}>
          <a href={`/console/webhooks/${each._id}`}>{getWebhookName(each)}</a>:{" "}
        </FailureWarning>
      ) : (
        <></>
      ),
    )}
    <SubscriptionTable subscriptions={subscriptions} blogs={blogs} />
  </>
);

const SubscriptionTable: FC<ListProps> = ({ subscriptions, blogs }) => (
  <Table
    label="Webhooks"
    rows={subscriptions}
    columns={[
      {
        head: "Webhook",
        cell: ({ _id, name, url }) => (
          <>
            <a href={`/console/webhooks/${_id}`}>{name || url}</a>
            {name !== "" && (
              <>
                <br />
                <small class="quiet-text">{url}</small>
              </>
            )}
          </>
        ),
        class: "url",
      },
      { head: "Status", cell: ({ active }) => <Active active={active} /> },
      { head: "Events from", cell: ({ blogId }) => describeReach(blogId, blogs) },
      { head: "Events", cell: ({ events }) => <Events events={events} /> },
      { head: "Failures in a row", cell: ({ failureStreak }) => <Streak failures={failureStreak} /> },
    ]}
  />
);

/** Returns the source of a subscription's events in words: the whole organization, or the name of one blog. */
export const describeReach = (blogId: string | null, blogs: BlogNames): string =>
  blogId === null ? "Whole organization" : (blogs.get(blogId) ?? blogId);

export const Active: FC<{ active: boolean }> = ({ active }) =>
  active ? <span class="badge good">Active</span> : <span class="badge bad">Inactive</span>;

/** An empty list means all kinds of events. */
const Events: FC<{ events: readonly string[] }> = ({ events }) =>
  events.length === 0 ? (
    <>All</>
  ) : (
    <ul class="badges">
      {events.map((event) => (
        <li class="badge">{event}</li>
      ))}
    </ul>
  );
