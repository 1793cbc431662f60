/** Has events delivered again: one delivery, or all that a webhook has missed. */
import { Hono } from "hono";
import { registry } from "../../../operations/registry.ts";
import { isDay } from "../days.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { Form, newForm, onSubmit, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { perform } from "../session.ts";
import { Time } from "../time.tsx";
import { getWebhookName } from "./list.tsx";

export const redelivery = new Hono<ConsoleEnv>();

redelivery.post("/:id/deliveries/:eventId/redeliver", async (c) => {
  const { id, eventId } = c.req.param();
  await perform(c, registry.redeliver, { webhookSubscriptionId: id, eventId }, await readForm(c));
  return goTo(c, `/console/webhooks/${id}/deliveries/${eventId}`, "redelivery-started");
});

redelivery.get("/:id/redeliver", (c) => ask(c, newForm()));

/** So many calls stay far below the queries that an invocation may make. */
const MOST_CALLS = 20;

onSubmit(redelivery, "/:id/redeliver", {
  again: ask,
  async work(c, form) {
    const webhookSubscriptionId = param(c, "id");
    const day = form.text("from");
    const since = isDay(day) ? `${day}T00:00:00Z` : day;
    const go = (input: object, options?: typeof form) =>
      perform(c, registry.redeliverMissing, { webhookSubscriptionId, ...input }, options);
    const after = form.text("after");
    const first = {
      ...(since !== "" && { from: since }),
      ...(after === "" ? { activate: true } : { after }),
    };
    let { value } = await go(first, form);
    let sum = value.deliveries;
    const { from } = value;
    for (let calls = 1; calls < MOST_CALLS && value.next !== null; calls++) {
      ({ value } = await go({ from, after: value.next }));
      sum += value.deliveries;
    }
    if (value.next !== null) return goOn(c, { sum, from, after: value.next });
    return goTo(
      c,
      `/console/webhooks/${webhookSubscriptionId}`,
      sum === 0 && after === "" ? "nothing-missing" : "redeliveries-started",
    );
  },
});

async function ask(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const webhookSubscriptionId = param(c, "id");
  const { value } = await perform(c, registry.getWebhookSubscription, { webhookSubscriptionId });
  return page(
    c,
    "Deliver what is missing?",
    <Form action={`/console/webhooks/${value._id}/redeliver`} state={state} labels={{ from: "Since" }}>
      <p class="url">
        <strong>{getWebhookName(value)}</strong> gets the events that failed, were not sent, or happened while it was
        inactive, the oldest first. What succeeded is not sent again, and failures do not count.
      </p>
      {!value.active && (
        <p class="alert warn">
          Inactive since <Time at={value.deactivationTime} />. It is reactivated first: make sure that its receiver
          works again.
        </p>
      )}
      <TextField
        state={state}
        name="from"
        label="Since (UTC)"
        type="date"
        hint="Leave blank for all since its last success."
      />
      <div class="row">
        <button type="submit">Deliver what is missing</button>
        <a href={`/console/webhooks/${value._id}`}>Cancel</a>
      </div>
    </Form>,
    status,
  );
}

type Rest = { readonly sum: number; readonly from: string; readonly after: string };

const goOn = (c: ConsoleContext, { sum, from, after }: Rest) =>
  page(
    c,
    "There is more to deliver",
    <Form action={`/console/webhooks/${param(c, "id")}/redeliver`} submit="Go on">
      <p>{sum.toLocaleString("en")} deliveries are on their way so far. There are more events to look at.</p>
      <input type="hidden" name="from" value={from} />
      <input type="hidden" name="after" value={after} />
    </Form>,
  );
