/** The pages of webhook subscriptions and of undelivered events. creation.tsx creates subscriptions. */
import { ConfirmDelete } from "../confirm-delete.tsx";
import { Hono } from "hono";
import { LIMITS } from "../../../domain/limits.ts";
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import { listBlogs } from "../articles/found.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, newForm, Form } from "../forms.tsx";
import { goTo, page } from "../layout.tsx";
import { Next } from "../next.tsx";
import type { NOTICES } from "../notices.ts";
import { requireOperator, perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { atVersion, withVersion } from "../version.tsx";
import { creation } from "./creation.tsx";
import { delivery } from "./delivery.tsx";
import { List, type BlogNames, type Subscription } from "./list.tsx";
import { readLog } from "./log.tsx";
import { redelivery } from "./redelivery.tsx";
import { findOther, replacement } from "./replacement.tsx";
import { details, type Details } from "./details.tsx";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { ACTIONS, Table } from "../table.tsx";
import { InUtc, Time } from "../time.tsx";

export const webhooks = new Hono<ConsoleEnv>();

webhooks.use(requireOperator);
webhooks.route("/", creation);
webhooks.route("/", delivery);
webhooks.route("/", redelivery);
webhooks.route("/", replacement);

const PAGE = 50;

webhooks.get("/", async (c) => {
  const [{ value: subscriptions, next }, { value: letters }, blogs] = await Promise.all([
    perform(c, registry.listWebhookSubscriptions, { limit: PAGE, cursor: c.req.query("cursor") }),
    perform(c, registry.listDeadLetters, { limit: LIMITS.page }),
    loadBlogNames(c),
  ]);
  // An undelivered event may be for a subscription on another page of the list.
  const receivers =
    letters.length === 0
      ? []
      : await readAllItems((cursor) => perform(c, registry.listWebhookSubscriptions, { cursor }));
  return page(
    c,
    "Webhooks",
    <>
      <div class="heading">
        <p>Notify your servers of changes as they happen, with signed requests.</p>
        <a class="button" href="/console/webhooks/new">
          New webhook
        </a>
      </div>
      {subscriptions.length === 0 ? (
        <p class="empty">
          No webhooks yet. <a href="/console/webhooks/new">Add the first one</a>, and choose its events.{" "}
          <a href="/docs/guides/first-webhook">The guide</a> shows how to verify the signature.
        </p>
      ) : (
        <>
          <List subscriptions={subscriptions} blogs={blogs} />
          <p class="hint">
            A webhook is deactivated after {LIMITS.failureStreak} failures in a row. A success resets the count.
          </p>
        </>
      )}
      <Next path="/console/webhooks" cursor={next} label="More" />
      <DeadLetters letters={letters} subscriptions={receivers} />
    </>,
  );
});

webhooks.get("/:id", async (c) => {
  const shown = await readDetails(c);
  const { name, url, events } = shown.subscription;
  return details(c, shown, withVersion(newForm({ name, url, events }), shown.version));
});

onSubmit(webhooks, "/:id", {
  again: async (c, state, status) => {
    const shown = await readDetails(c);
    return details(c, shown, withVersion(state, shown.version), status);
  },
  async work(c, form) {
    const id = param(c, "id");
    const change = {
      webhookSubscriptionId: id,
      name: form.text("name").trim(),
      url: form.text("url").trim(),
      events: form.all("events"),
    };
    await perform(c, registry.updateWebhookSubscription, change, atVersion(form));
    return goTo(c, `/console/webhooks/${id}`, "saved");
  },
});

webhooks.post("/dead-letters/:id/retry", async (c) => {
  await perform(c, registry.retryDeadLetter, { deadLetterId: c.req.param("id") }, await readForm(c));
  return goTo(c, "/console/webhooks", "dead-letter-retried");
});

webhooks.post("/:id/ping", async (c) => {
  const webhookSubscriptionId = c.req.param("id");
  await perform(c, registry.pingWebhookSubscription, { webhookSubscriptionId }, await readForm(c));
  return goTo(c, `/console/webhooks/${webhookSubscriptionId}`, "pinged");
});

webhooks.post("/:id/deactivate", (c) => setActive(c, c.req.param("id"), false, "webhook-deactivated"));

webhooks.post("/:id/reactivate", (c) => setActive(c, c.req.param("id"), true, "webhook-reactivated"));

webhooks.get("/:id/delete", async (c) => {
  const { _id, name, url, endTime } = (await findSubscription(c)).value;
  return page(
    c,
    name === "" ? "Delete this webhook?" : `Delete the webhook “${name}”?`,
    <ConfirmDelete
      action={`/console/webhooks/${_id}/delete`}
      submit="Delete webhook"
      keep={{ path: `/console/webhooks/${_id}`, text: "Cancel" }}
    >
      <p class="url">
        {endTime === null ? (
          <>
            <code>{url}</code> stops receiving events immediately. Pending events are not sent. Its deliveries and
            signing secret are deleted. To pause it, deactivate it instead.
          </>
        ) : (
          <>
            Nothing more is sent to <code>{url}</code> with the old signing secret. Make sure that its receiver accepts
            the new one, with which pending events are sent.
          </>
        )}
      </p>
    </ConfirmDelete>,
  );
});

webhooks.post("/:id/delete", async (c) => {
  const webhookSubscriptionId = c.req.param("id");
  await perform(c, registry.deleteWebhookSubscription, { webhookSubscriptionId }, await readForm(c));
  return goTo(c, "/console/webhooks", "webhook-deleted");
});

async function setActive(c: ConsoleContext, id: string, active: boolean, done: keyof typeof NOTICES) {
  const input = { webhookSubscriptionId: id, active };
  await perform(c, registry.updateWebhookSubscription, input, await readForm(c));
  return goTo(c, `/console/webhooks/${id}`, done);
}

async function readDetails(c: ConsoleContext): Promise<Details> {
  const { value: subscription, version = "" } = await findSubscription(c);
  const [blogs, log, other] = await Promise.all([
    loadBlogNames(c),
    readLog(c, subscription._id),
    findOther(c, subscription),
  ]);
  return { subscription, version, blogs, log, other };
}

/** Returns the subscription that the path names. Throws `not_found` if the organization has no such subscription. */
const findSubscription = (c: ConsoleContext) =>
  perform(c, registry.getWebhookSubscription, { webhookSubscriptionId: c.req.param("id") });

async function loadBlogNames(c: ConsoleContext): Promise<BlogNames> {
  return new Map((await listBlogs(c)).map(({ _id, name }) => [_id, name]));
}

type DeadLetter = z.infer<typeof registry.listDeadLetters.output>[number];

type DeadLettersProps = { readonly letters: readonly DeadLetter[]; readonly subscriptions: readonly Subscription[] };

const getReceiverName = (found: Subscription | undefined): string =>
  found === undefined ? "A deleted webhook" : found.name || found.url;

/** Lists undelivered events, each with a button to retry it. Renders nothing if there are none. */
const DeadLetters: FC<DeadLettersProps> = ({ letters, subscriptions }) =>
  letters.length > 0 && (
    <section aria-labelledby="dead-letters">
      <h2 id="dead-letters">Undelivered events</h2>
      <p class="hint">
        The service failed before it could send these. It tries again every minute, up to ten times. <InUtc />
      </p>
      <Table
        labelledby="dead-letters"
        rows={letters}
        columns={[
          { head: "Event", cell: ({ event }) => event, class: "nowrap" },
          {
            head: "To",
            cell: ({ webhookSubscriptionId: id }) =>
              id === null ? "All webhooks" : getReceiverName(subscriptions.find(({ _id }) => _id === id)),
            class: "url",
          },
          { head: "Attempts", cell: ({ tries }) => tries, class: "number" },
          { head: "Since", cell: ({ creationTime }) => <Time at={creationTime} /> },
          {
            head: "Status",
            cell: ({ deadTime }) =>
              deadTime === null ? <span class="badge warn">Retrying</span> : <span class="badge bad">Failed</span>,
          },
          {
            head: ACTIONS,
            cell: ({ _id }) => (
              <Form action={`/console/webhooks/dead-letters/${_id}/retry`} submit="Retry" tone="quiet" inline />
            ),
          },
        ]}
      />
    </section>
  );
