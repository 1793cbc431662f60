/** The page of one webhook subscription. */
import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import type { ConsoleContext } from "../env.ts";
import { Fact } from "../parts.tsx";
import { Form, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { Time } from "../time.tsx";
import { Version } from "../version.tsx";
import { EventsField, NameField, UrlField } from "./fields.tsx";
import { Active, describeReach, getWebhookName, type BlogNames, type Subscription } from "./list.tsx";
import { DeliveryLog, type Log } from "./log.tsx";
import { Streak } from "./streak.tsx";

export type Details = {
  readonly subscription: Subscription;
  readonly version: string;
  readonly blogs: BlogNames;
  readonly log: Log;
};

export function details(
  c: ConsoleContext,
  { subscription, blogs, log }: Details,
  state: FormState,
  status?: Status,
): Promise<Response> {
  const path = `/console/webhooks/${subscription._id}`;
  return page(
    c,
    getWebhookName(subscription),
    <>
      <Facts subscription={subscription} blogs={blogs} />
      <Actions path={path} active={subscription.active} />
      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <Form action={path} state={state} submit="Save">
          <Version of={state} />
          <NameField state={state} />
          <UrlField state={state} />
          <EventsField state={state} />
        </Form>
      </section>
      <DeliveryLog path={path} active={subscription.active} log={log} />
    </>,
    status,
  );
}

const Facts: FC<{ subscription: Subscription; blogs: BlogNames }> = ({ subscription, blogs }) => {
  const { url, active, blogId, failureStreak, deactivationTime, creationTime, lastEditTime } = subscription;
  return (
    <>
      <p class="url">
        <code>{url}</code>
      </p>
      {!active && (
        <p class="alert warn">
          Inactive since <Time at={deactivationTime} />. It receives no events. Once its receiver works again,
          reactivate it, and deliver what it has missed.
        </p>
      )}
      <dl class="facts">
        <Fact name="Status">
          <Active active={active} />
        </Fact>
        <Fact name="Failures in a row">
          <Streak failures={failureStreak} />
          <p class="hint">
            After {LIMITS.failureStreak}, the webhook is deactivated until somebody reactivates it. A success resets the
            count.
          </p>
        </Fact>
        <Fact name="Events from">{describeReach(blogId, blogs)}</Fact>
        <Fact name="Created">
          <Time at={creationTime} />
        </Fact>
        <Fact name="Last edited">
          <Time at={lastEditTime} />
        </Fact>
      </dl>
    </>
  );
};

const Actions: FC<{ path: string; active: boolean }> = ({ path, active }) => (
  <div class="actions">
    {active ? (
      <>
        <Form action={`${path}/ping`} submit="Send ping" inline />
        <Form action={`${path}/deactivate`} submit="Deactivate" tone="quiet" inline />
      </>
    ) : (
      <>
        <a class="button" href={`${path}/redeliver`}>
          Reactivate and deliver what is missing…
        </a>
        <Form action={`${path}/reactivate`} submit="Reactivate only" tone="quiet" inline />
      </>
    )}
    {active && <a href={`${path}/redeliver`}>Deliver what is missing…</a>}
    <a href={`${path}/delete`}>Delete…</a>
  </div>
);
