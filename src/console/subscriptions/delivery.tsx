/** The page of one delivery: what was sent, and what came of it. */
import { Hono } from "hono";
import type { Child, FC } from "hono/jsx";
import type { z } from "zod";
import { jsonOrNull } from "../../lib/json.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleEnv } from "../env.ts";
import { Form } from "../forms.tsx";
import { page } from "../layout.tsx";
import { perform } from "../session.ts";
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
      {value.deadLetterId !== null && (
        <div class="actions">
          <Form action={`/console/webhooks/dead-letters/${value.deadLetterId}/retry`} submit="Try again" inline />
        </div>
      )}
      <About of={value} />
      <Sent of={value} />
    </>,
  );
});

const Outcome: FC<{ of: Delivery }> = ({ of: { state, status, error, durationMs, ...times } }) => (
  <dl class="facts">
    <Fact name="State">
      <span class={`badge ${STATES[state].tone}`}>{STATES[state].label}</span>
    </Fact>
    <Fact name="Response">{status ?? "none"}</Fact>
    {error !== null && (
      <Fact name={state === "skipped" ? "Why it was not sent" : "Why it failed"}>
        {REASONS[error] ?? error} <code>{error}</code>
      </Fact>
    )}
    <Fact name="Duration">{durationMs === null ? "–" : `${durationMs} ms`}</Fact>
    <Fact name="Happened">
      <Time at={times.creationTime} />
    </Fact>
    <Fact name="Sent">
      {state !== "skipped" && times.attemptTime === null ? "not yet" : <Time at={times.attemptTime} ago />}
    </Fact>
  </dl>
);

/** What the kinds of failures mean, and why a delivery is skipped. */
const REASONS: Readonly<Record<string, string>> = {
  status: "It answered with a status that is no success.",
  redirect: "It answered with a redirect, which is not followed.",
  timeout: "It did not answer in five seconds.",
  connection: "No connection could be made to it.",
  target: "Its address is not allowed any more.",
  interrupted:
    "The service was interrupted while it sent this, so nobody knows whether it arrived. It is not repeated.",
  unsendable: "The service itself could not make the request.",
  subscription_changed: "The webhook was changed, deactivated or deleted before it was sent.",
  contact_erased: "The contact that it was about was erased.",
};

const Fact: FC<{ name: string; children: Child }> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A link to what the event is about, where the console has a page for it. */
const About: FC<{ of: Delivery }> = ({ of: { event, request } }) => {
  const path = pathOf(event, request.body);
  return path === null ? null : (
    <p>
      <a href={path}>What it is about</a>
    </p>
  );
};

function pathOf(event: string, body: string): string | null {
  // The data of a dead letter may be no JSON.
  const request = jsonOrNull(body) as { data: { _id?: unknown; blogId?: unknown } | null } | null;
  const { _id: id, blogId } = request?.data ?? {};
  if (typeof id !== "string" || event === "article.deleted") return null;
  if (event.startsWith("article.")) return `/console/articles/${id}`;
  if (event.startsWith("blog.")) return `/console/blogs/${id}`;
  return event.startsWith("contact.") && typeof blogId === "string" ? `/console/contacts?blog=${blogId}` : null;
}

/** Returns a JSON text with line breaks, and any other text as it is. */
function indented(text: string): string {
  const value = jsonOrNull(text);
  return value === null ? text : JSON.stringify(value, null, 2);
}

const Sent: FC<{ of: Delivery }> = ({ of: { state, request, attemptTime } }) => (
  <section aria-labelledby="request">
    <h2 id="request">Request</h2>
    <p class="hint">
      {state === "skipped"
        ? "It was not sent. This is what it would be."
        : attemptTime === null
          ? "As it would be sent now."
          : "As it was sent."}{" "}
      The signature (<code>v1</code>) is left out: it needs the secret. <a href="/docs">How to check it</a>
    </p>
    <pre tabindex={0} aria-label="Headers of the request">
      {[`POST ${request.url}`, ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`)].join(
        "\n",
      )}
    </pre>
    <pre tabindex={0} aria-label="Body of the request">
      {indented(request.body)}
    </pre>
  </section>
);
