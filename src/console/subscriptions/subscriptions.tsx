/** Webhook subscriptions: list, create, edit, try, deactivate, delete, and the log of their deliveries. */
import { ConfirmDelete } from "../confirm-delete.tsx";
import { Hono } from "hono";
import { DomainError } from "../../errors.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, newForm } from "../forms.tsx";
import { goTo, page } from "../layout.tsx";
import type { NOTICES } from "../notices.ts";
import { operatorsOnly } from "../operators.ts";
import { perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { creation } from "./creation.tsx";
import { List, type BlogNames, type Subscription } from "./list.tsx";
import { readLog } from "./log.tsx";
import { details, type Details } from "./details.tsx";

export const webhooks = new Hono<ConsoleEnv>();

webhooks.use(operatorsOnly);
webhooks.route("/", creation);

webhooks.get("/", async (c) => {
  const [{ value: subscriptions }, blogs] = await Promise.all([
    perform(c, registry.listWebhookSubscriptions, {}),
    blogNames(c),
  ]);
  return page(
    c,
    "Webhooks",
    <>
      <div class="heading">
        <p>Your servers are notified of every change as it happens, with signed requests.</p>
        <a class="button" href="/console/webhooks/new">
          New webhook
        </a>
      </div>
      {subscriptions.length === 0 ? (
        <p class="empty">No webhook yet. Subscribe a URL, and it is notified of every change that you choose.</p>
      ) : (
        <List subscriptions={subscriptions} blogs={blogs} />
      )}
    </>,
  );
});

webhooks.get("/:id", async (c) => {
  const shown = await readDetails(c);
  const { url, events, lastEditTime } = shown.subscription;
  return details(c, shown, newForm({ url, events, lastEditTime }));
});

webhooks.post("/:id", async (c) => {
  const form = await readForm(c);
  const id = c.req.param("id");
  return attempt(
    form,
    async (state, status) => {
      const shown = await readDetails(c);
      // What somebody else saved is the base of the next try, now that the form says so.
      const isLate = state.problem?.code === "precondition_failed";
      const lastEditTime = isLate ? shown.subscription.lastEditTime : form.text("lastEditTime");
      return details(c, shown, { ...state, values: { ...state.values, lastEditTime } }, status);
    },
    async () => {
      const input = {
        url: form.text("url").trim(),
        events: form.all("events"),
        lastEditTime: form.text("lastEditTime"),
      };
      const { idempotencyKey } = form;
      const change = { webhookSubscriptionId: id, ...input };
      await asVersion(() => perform(c, registry.updateWebhookSubscription, change, { idempotencyKey }));
      return goTo(c, `/console/webhooks/${id}`, "saved");
    },
  );
});

webhooks.post("/:id/ping", async (c) => {
  const { idempotencyKey } = await readForm(c);
  const webhookSubscriptionId = c.req.param("id");
  await perform(c, registry.pingWebhookSubscription, { webhookSubscriptionId }, { idempotencyKey });
  return goTo(c, `/console/webhooks/${webhookSubscriptionId}`, "pinged");
});

webhooks.post("/:id/deactivate", (c) => setActive(c, c.req.param("id"), false, "webhook-deactivated"));

webhooks.post("/:id/reactivate", (c) => setActive(c, c.req.param("id"), true, "webhook-reactivated"));

webhooks.get("/:id/delete", async (c) => {
  const { _id, url } = await findSubscription(c);
  return page(
    c,
    "Delete this webhook?",
    <ConfirmDelete
      action={`/console/webhooks/${_id}/delete`}
      submit="Delete it"
      keep={{ path: `/console/webhooks/${_id}`, text: "Keep it" }}
    >
      <p class="url">
        <code>{url}</code> receives nothing from that moment on; events that have not yet been sent to it never will be.
        Its log and its signing secret are deleted. To pause it, deactivate it instead.
      </p>
    </ConfirmDelete>,
  );
});

webhooks.post("/:id/delete", async (c) => {
  const { idempotencyKey } = await readForm(c);
  const webhookSubscriptionId = c.req.param("id");
  await perform(c, registry.deleteWebhookSubscription, { webhookSubscriptionId }, { idempotencyKey });
  return goTo(c, "/console/webhooks", "webhook-deleted");
});

async function setActive(c: ConsoleContext, id: string, active: boolean, done: keyof typeof NOTICES) {
  const { idempotencyKey } = await readForm(c);
  const input = { webhookSubscriptionId: id, active };
  await perform(c, registry.updateWebhookSubscription, input, { idempotencyKey });
  return goTo(c, `/console/webhooks/${id}`, done);
}

async function readDetails(c: ConsoleContext): Promise<Details> {
  const subscription = await findSubscription(c);
  const [blogs, log] = await Promise.all([blogNames(c), readLog(c, subscription._id)]);
  return { subscription, blogs, log };
}

/** The subscription that the path names; `not_found` where the organization has none such. */
async function findSubscription(c: ConsoleContext): Promise<Subscription> {
  const { value } = await perform(c, registry.listWebhookSubscriptions, {});
  const found = value.find(({ _id }) => _id === c.req.param("id"));
  if (found === undefined) throw new DomainError("not_found", "There is no such webhook.");
  return found;
}

async function blogNames(c: ConsoleContext): Promise<BlogNames> {
  const { value } = await perform(c, registry.listBlogs, {});
  return new Map(value.map(({ _id, name }) => [_id, name]));
}

/** The list contains no versions: the time of the last edit stands in for one, and a mismatch for a late write. */
async function asVersion<T>(update: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    const isLate = error instanceof DomainError && error.code === "immutable_field";
    throw isLate ? new DomainError("precondition_failed", SAVED_SINCE) : error;
  }
}

const SAVED_SINCE =
  "Somebody has saved this webhook since you opened it. What you entered is still here: save again to replace their changes.";
