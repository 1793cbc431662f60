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
import { FailureWarning, Streak } from "./streak.tsx";

export type Details = {
  readonly subscription: Subscription;
  readonly version: string;
  readonly blogs: BlogNames;
  readonly log: Log;
  /** The webhook that replaces it or that it replaces. */
  readonly other: Subscription | null;
};

export function details(
  c: ConsoleContext,
  { subscription, blogs, log, other }: Details,
  state: FormState,
  status?: Status,
): Promise<Response> {
  const path = `/console/webhooks/${subscription._id}`;
  return page(
    c,
    getWebhookName(subscription),
    <>
      {other !== null && <Replacement subscription={subscription} other={other} />}
      <Facts subscription={subscription} blogs={blogs} />
      <Actions path={path} active={subscription.active} isAlone={other === null} />
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
      {active && <FailureWarning failures={failureStreak} />}
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

const Replacement: FC<{ subscription: Subscription; other: Subscription }> = ({ subscription, other }) => {
  const isOld = subscription.endTime !== null;
  const old = isOld ? subscription : other;
  const link = <a href={`/console/webhooks/${other._id}`}>{isOld ? "Another webhook" : "the old one"}</a>;
  return (
    <p class="alert warn">
      {isOld ? (
        <>{link} with a new signing secret replaces this one,</>
      ) : (
        <>It has a new signing secret, and replaces {link},</>
      )}{" "}
      which ends <Time at={old.endTime} />. Until then, every event is sent with both secrets.{" "}
      <a href={`/console/webhooks/${old._id}/delete`}>End the old one now…</a>
    </p>
  );
};

type ActionsProps = { path: string; active: boolean; isAlone: boolean };

const Actions: FC<ActionsProps> = ({ path, active, isAlone }) => (
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
    {active && isAlone && <a href={`${path}/replace`}>Replace secret…</a>}
    <a href={`${path}/delete`}>Delete…</a>
  </div>
);
