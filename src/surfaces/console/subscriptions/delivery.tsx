/** The page of one delivery: its request and its result. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { parseJson } from "../../../lib/json.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { Fact } from "../parts.tsx";
import { Form } from "../forms.tsx";
import { page } from "../layout.tsx";
import { perform } from "../session.ts";
import { findSubjectPath } from "../subject-path.ts";
import { InUtc, Time } from "../time.tsx";
import { STATES } from "./log.tsx";

type Delivery = z.infer<typeof registry.getDelivery.output>;

export const delivery = new Hono<ConsoleEnv>();

delivery.get("/:id/deliveries/:eventId", async (c) => {
  const { id, eventId } = c.req.param();
  const [{ value }, { value: webhook }] = await Promise.all([
    perform(c, registry.getDelivery, { webhookSubscriptionId: id, eventId }),
    perform(c, registry.getWebhookSubscription, { webhookSubscriptionId: id }),
  ]);
  return page(
    c,
    `Delivery of ${value.event}`,
    <>
      <p class="url">
        To <a href={`/console/webhooks/${id}`}>{webhook.name || value.request.url}</a>
        {webhook.name !== "" && <>, {value.request.url}</>}. <InUtc />
      </p>
      <Outcome of={value} />
      <Again of={value} path={`/console/webhooks/${id}`} active={webhook.active} />
      {value.deadLetterId !== null && (
        <div class="actions">
          <Form action={`/console/webhooks/dead-letters/${value.deadLetterId}/retry`} submit="Retry" inline />
        </div>
      )}
      <About of={value} />
      <Sent of={value} />
    </>,
  );
});

/** The button that has a settled delivery sent once more. */
const Again: FC<{ of: Delivery; path: string; active: boolean }> = ({ of: { state, eventId }, path, active }) => {
  if (state === "open" || state === "claimed" || state === "dead") return <></>;
  if (!active) return <p class="hint">To deliver it again, reactivate the webhook first.</p>;
  return (
    <div class="actions">
      <Form action={`${path}/deliveries/${eventId}/redeliver`} submit="Deliver again" tone="quiet" inline />
    </div>
  );
};

const Outcome: FC<{ of: Delivery }> = ({ of: { state, status, error, durationMs, redeliveries, ...times } }) => (
  <dl class="facts">
    <Fact name="Status">
      <span class={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>
    </Fact>
    <Fact name="Response">{status ?? "None"}</Fact>
    {error !== null && (
      <Fact name="Reason">
        {REASONS[error] ?? error} <code>{error}</code>
      </Fact>
    )}
    <Fact name="Duration">{durationMs === null ? "–" : `${durationMs} ms`}</Fact>
    <Fact name="Created">
      <Time at={times.creationTime} />
    </Fact>
    {redeliveries > 0 && <Fact name="Delivered again">{redeliveries === 1 ? "Once" : `${redeliveries} times`}</Fact>}
    <Fact name="Sent">
      {state !== "skipped" && times.attemptTime === null ? "Not yet" : <Time at={times.attemptTime} ago />}
    </Fact>
  </dl>
);

/** What the reasons of failed and skipped deliveries mean. */
const REASONS: Readonly<Record<string, string>> = {
  status: "It did not answer with a success status (2xx).",
  redirect: "It answered with a redirect. Redirects are not followed.",
  timeout: "It did not answer within five seconds.",
  connection: "The connection failed: refused, closed, not encrypted as it should be, or the name is unknown.",
  refused: "Its server refused the connection.",
  unreachable: "Its server could not be reached.",
  tls: "No encrypted connection: the certificate is not valid, or the server does not speak TLS.",
  dns: "The name of its server could not be resolved.",
  target: "Its URL is no longer allowed.",
  interrupted:
    "The service was interrupted while sending. The event may have arrived, so it is not sent again by itself.",
  unsendable: "The service could not send the request.",
  subscription_changed: "The webhook was changed, deactivated or deleted before it was sent.",
  contact_erased: "The contact was erased.",
};

const About: FC<{ of: Delivery }> = ({ of: { event, request } }) => {
  // The body of an undelivered event may not be JSON.
  const { data }: { readonly data?: unknown } = Object(parseJson(request.body));
  const path = findSubjectPath(event, data);
  return path === null ? null : (
    <p>
      <a href={path}>View {event.split(".")[0]}</a>
    </p>
  );
};

function indentJson(text: string): string {
  const value = parseJson(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}

const Sent: FC<{ of: Delivery }> = ({ of: { state, request, attemptTime } }) => (
  <section aria-labelledby="request">
    <h2 id="request">Request</h2>
    <p class="hint">
      {state === "skipped"
        ? "The request that was not sent."
        : attemptTime === null
          ? "The request as it would be sent now."
          : "The request as it was sent."}{" "}
      The signature (<code>v1</code>) is left out, because it needs the secret. <a href="/docs">How to verify it</a>
    </p>
    <pre tabindex={0} aria-label="Request headers">
      {[`POST ${request.url}`, ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)].join(
        "\n",
      )}
    </pre>
    <pre tabindex={0} aria-label="Request body">
      {indentJson(request.body)}
    </pre>
  </section>
);
