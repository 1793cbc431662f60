import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { registry } from "../../operations/registry.ts";
import { Streak } from "./streak.tsx";

export type Subscription = z.infer<typeof registry.listWebhookSubscriptions.output>[number];

/** The names of the organization's blogs by their ids. */
export type BlogNames = ReadonlyMap<string, string>;

type ListProps = { readonly subscriptions: readonly Subscription[]; readonly blogs: BlogNames };

/** All subscriptions. */
export const List: FC<ListProps> = ({ subscriptions, blogs }) => (
  <div class="scroll" tabindex={0} role="region" aria-label="Webhook subscriptions">
    <table>
      <thead>
        <tr>
          <th scope="col">URL</th>
          <th scope="col">State</th>
          <th scope="col">Events from</th>
          <th scope="col">Events</th>
          <th scope="col">Failures in a row</th>
        </tr>
      </thead>
      <tbody>
        {subscriptions.map(({ _id, url, blogId, events, active, failureStreak }) => (
          <tr>
            <td class="url">
              <a href={`/console/webhooks/${_id}`}>{url}</a>
            </td>
            <td>
              <Active active={active} />
            </td>
            <td>{reachOf(blogId, blogs)}</td>
            <td>
              <Events events={events} />
            </td>
            <td>
              <Streak failures={failureStreak} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Where the events of a subscription come from: the whole organization, or one blog. */
export const reachOf = (blogId: string | null, blogs: BlogNames): string =>
  blogId === null ? "whole organization" : (blogs.get(blogId) ?? blogId);

export const Active: FC<{ active: boolean }> = ({ active }) =>
  active ? <span class="badge good">active</span> : <span class="badge bad">inactive</span>;

export const Events: FC<{ events: readonly string[] }> = ({ events }) =>
  events.length === 0 ? (
    <>all</>
  ) : (
    <ul class="badges">
      {events.map((event) => (
        <li class="badge">{event}</li>
      ))}
    </ul>
  );
