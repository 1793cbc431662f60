/** Replaces the signing secret of a webhook by that of a new webhook. */
import { Hono } from "hono";
import { LIMITS } from "../../../domain/limits.ts";
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { Form, newForm, onSubmit, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import { showSecret } from "./creation.tsx";
import { getWebhookName, type Subscription } from "./list.tsx";

export const replacement = new Hono<ConsoleEnv>();

replacement.get("/:id/replace", (c) => ask(c, newForm()));

onSubmit(replacement, "/:id/replace", {
  again: ask,
  async work(c, form) {
    const webhookSubscriptionId = param(c, "id");
    const { value } = await perform(c, registry.replaceWebhookSubscription, { webhookSubscriptionId }, form);
    return showSecret(c, "Secret replaced", value);
  },
});

async function ask(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const webhookSubscriptionId = param(c, "id");
  const { value } = await perform(c, registry.getWebhookSubscription, { webhookSubscriptionId });
  const path = `/console/webhooks/${value._id}`;
  return page(
    c,
    "Replace the signing secret?",
    <Form action={`${path}/replace`} state={state}>
      <p class="url">
        <strong>{getWebhookName(value)}</strong> gets a second webhook like it with a new signing secret. For{" "}
        {LIMITS.replacementHours} hours, every event is sent with both secrets and the same <code>webhook-id</code>.
        Then the old one ends. You can end it before.
      </p>
      <div class="row">
        <button type="submit">Replace secret</button>
        <a href={path}>Cancel</a>
      </div>
    </Form>,
    status,
  );
}

/** Returns the webhook that replaces this one or that this one replaces; null if there is none. */
export async function findOther(
  c: ConsoleContext,
  { _id, endTime, replaces }: Subscription,
): Promise<Subscription | null> {
  if (endTime === null && replaces === null) return null;
  const all = await readAllItems((cursor) => perform(c, registry.listWebhookSubscriptions, { cursor }));
  return all.find((each) => (endTime === null ? each._id === replaces : each.replaces === _id)) ?? null;
}
