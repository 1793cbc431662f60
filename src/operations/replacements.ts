import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { newWebhookSecret } from "../domain/secrets.ts";
import { defineOperation } from "./define.ts";
import { SHOWN_ONCE } from "./fields.ts";
import { newSubscription, webhookSubscriptionId } from "./webhooksubscriptions.ts";

export const replaceWebhookSubscription = defineOperation({
  name: "webhooksubscriptions.replace",
  summary: "Replace the signing secret of a subscription",
  description: `Creates a subscription like it with another secret, which ${SHOWN_ONCE} The first one ends after ${LIMITS.replacementHours} hours, or when you delete it. Until then, both get every event, with the same \`webhook-id\`.`,
  scope: "operator",
  effect: "write",
  showsSecret: true,
  input: z.strictObject({ webhookSubscriptionId }),
  output: newSubscription,
  refuses: [
    "not_found",
    "subscription_inactive",
    "subscription_being_replaced",
    "subscription_limit",
    "precondition_failed",
  ],
  hasEtag: true,
  audit: "replaced the signing secret of the webhook *",
  sample: { command: "webhooks replace-secret {webhookSubscriptionId}" },
  async run({ store, seal }, { webhookSubscriptionId: id }) {
    const secret = newWebhookSecret();
    const { value, version } = await store.replaceSubscription(id, {
      secret,
      answer: (record, stored) => seal(JSON.stringify({ value: { ...record, secret }, version: stored })),
    });
    return { value: { ...value, secret }, version };
  },
});
