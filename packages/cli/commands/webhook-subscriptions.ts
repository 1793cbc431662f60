/** The commands `webhooks` about subscriptions, their deliveries, and events that are delivered again. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { DELIVERED_KINDS, DELIVERY_STATES } from "../../../src/domain/events.ts";
import type { Client } from "../client.ts";
import type { Context } from "../context.ts";
import { toPrintableLine } from "../terminal.ts";
import { addRows, declare, defineRow, getGroup, makeChoice, openOperatorClient } from "./declare.ts";
import { formatCount, formatTime, limit, omitUndefined, parseList, parseTime } from "./shared.ts";

const ID = ["<subscription>", "the id that `webhooks list` shows"] as const;
const EVENTS = ["--events <list>", "the kinds of events, separated by commas (default: all)", parseList] as const;
const NAME = ["--name <text>", "a name for people"] as const;

const help = (command: string) => `\nExample:\n  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks ${command}`;

const SUBSCRIPTION = "019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e";

function parseYesOrNo(text: string): boolean {
  if (text !== "yes" && text !== "no") throw new InvalidArgumentError("It must be yes or no.");
  return text === "yes";
}

const ROWS = [
  defineRow("GET /api/webhooksubscriptions", "webhooks list", "list the subscriptions, oldest first", {
    operator: true,
    members: { limit: limit(100) },
    help: help("list"),
    none: "No webhooks.",
    one: "webhook",
    columns: [
      { head: "ID", cell: ({ _id }) => _id },
      { head: "STATUS", cell: ({ active }) => (active ? "active" : "inactive") },
      { head: "FAILURES", cell: ({ failureStreak }) => String(failureStreak) },
      { head: "NAME", cell: ({ name }) => name, drops: true },
      { head: "URL", cell: ({ url }) => url, shrinks: true },
      { head: "EVENTS", cell: ({ events }) => events.join(", ") || "all", shrinks: true, drops: true },
    ],
  }),
  defineRow("POST /api/webhooksubscriptions", "webhooks create", "create one, and print its signing secret", {
    operator: true,
    anyBlog: true,
    members: {
      url: ["<url>", "where to send the events, such as https://example.com/hook"],
      name: NAME,
      events: EVENTS,
    },
    help: help("create https://example.com/hook --events article.created,article.updated"),
    says: ({ secret }) => secret,
    after: ({ _id }, output) => output.note(`Created ${_id}. Keep its signing secret: it is not shown again.`),
  }),
  defineRow(
    "PUT /api/webhooksubscriptions/{webhookSubscriptionId}",
    "webhooks update",
    "change it, pause it, or reactivate it",
    {
      operator: true,
      members: {
        webhookSubscriptionId: ID,
        url: ["--url <url>", "where to send the events"],
        name: NAME,
        events: ["--events <list>", "the kinds of events, separated by commas", parseList],
        active: ["--active <yes|no>", "no: send nothing; yes: send again what happens from now on", parseYesOrNo],
      },
      help: help(`update ${SUBSCRIPTION} --active yes`),
      says: ({ _id, active, url }) => toPrintableLine(`${_id} is ${active ? "active" : "inactive"}: ${url}`),
    },
  ),
  defineRow(
    "POST /api/webhooksubscriptions/{webhookSubscriptionId}/replacement",
    "webhooks replace-secret",
    "replace its signing secret, with a day in which both are used",
    {
      operator: true,
      members: { webhookSubscriptionId: ID },
      help: help(`replace-secret ${SUBSCRIPTION}`),
      says: ({ secret }) => secret,
      after: ({ _id, replaces }, output) =>
        output.note(
          `Created ${_id}. Keep its signing secret: it is not shown again.\nIn a day, or with \`webhooks delete ${replaces}\`, the old one ends. Until then, every event is sent twice, with the same webhook-id.`,
        ),
    },
  ),
  defineRow("DELETE /api/webhooksubscriptions/{webhookSubscriptionId}", "webhooks delete", "delete it", {
    operator: true,
    members: { webhookSubscriptionId: ID },
    asks: ({ webhookSubscriptionId }) =>
      `Delete the webhook ${String(webhookSubscriptionId)}? What was not sent to it yet never will be.`,
    help: help(`delete ${SUBSCRIPTION}`),
    says: ({ _id }) => `Deleted ${_id}.`,
  }),
  defineRow("POST /api/webhooksubscriptions/{webhookSubscriptionId}/ping", "webhooks ping", "send it a signed ping", {
    operator: true,
    members: { webhookSubscriptionId: ID },
    help: help(`ping ${SUBSCRIPTION}`),
    says: () => "Sent. `webhooks deliveries` shows the outcome.",
  }),
  defineRow(
    "GET /api/webhooksubscriptions/{webhookSubscriptionId}/deliveries",
    "webhooks deliveries",
    "list its deliveries, newest first",
    {
      operator: true,
      members: {
        webhookSubscriptionId: ID,
        state: makeChoice("--state <state>", "only deliveries in this state", DELIVERY_STATES),
        event: makeChoice("--event <kind>", "only events of this kind", DELIVERED_KINDS),
        from: ["--from <time>", "only events since this time, such as 2026-11-20T09:00:00Z", parseTime],
        until: ["--until <time>", "only events before this time", parseTime],
        limit: limit(20),
      },
      help: help(`deliveries ${SUBSCRIPTION} --state failed`),
      none: "No deliveries.",
      one: "delivery",
      columns: [
        { head: "EVENT", cell: ({ eventId }) => eventId },
        { head: "KIND", cell: ({ event }) => event },
        { head: "STATE", cell: ({ state }) => state },
        { head: "STATUS", cell: ({ status }) => String(status ?? "") },
        { head: "ERROR", cell: ({ error }) => error ?? "" },
        { head: "SENT (UTC)", cell: ({ attemptTime }) => formatTime(attemptTime) },
        { head: "AGAIN", cell: ({ redeliveries }) => String(redeliveries || ""), drops: true },
      ],
    },
  ),
];

export function addSubscriptionCommands(program: Command, context: Context): void {
  addRows(program, context, ROWS);
  declare(getGroup(program, "webhooks"), "redeliver", "deliver an event again, or all that it has missed", {
    takes: [
      ID,
      new Option("--event <id>", "only this event, whatever became of it").conflicts(["from", "activate"]),
      [
        "--from <time>",
        "what it has missed since this time (default: since its last success, or its creation)",
        parseTime,
      ],
      ["--activate", "reactivate it first, if it is inactive"],
    ],
    help: `
Examples:
  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks redeliver ${SUBSCRIPTION} --activate
  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks redeliver ${SUBSCRIPTION} --from 2026-11-20T09:00:00Z

It delivers what has failed, was skipped or happened while the webhook was inactive, the oldest first, and nothing that succeeded.`,
    run: (subscription: string, options: Options) => redeliver(context, subscription, options),
  });
}

type Options = { readonly event?: string; readonly from?: string; readonly activate?: boolean };

async function redeliver(
  context: Context,
  webhookSubscriptionId: string,
  { event, ...options }: Options,
): Promise<void> {
  const { output } = context;
  const client = await openOperatorClient(context);
  if (event === undefined) return redeliverMissing(context, client, webhookSubscriptionId, options);
  const { value } = await client.request(
    "POST /api/webhooksubscriptions/{webhookSubscriptionId}/deliveries/{eventId}/redeliver",
    { params: { webhookSubscriptionId, eventId: event } },
  );
  output.result(value, () => `${value.event} is being delivered again.`);
}

/** Opens what is missing, call by call. */
async function redeliverMissing(
  { output }: Context,
  client: Client,
  webhookSubscriptionId: string,
  options: Omit<Options, "event">,
): Promise<void> {
  const sum = { deliveries: 0, underWay: 0, from: options.from };
  let body: { from?: string; after?: string; activate?: boolean } = omitUndefined(options);
  const again = () => `edgepress webhooks redeliver ${webhookSubscriptionId} --from ${sum.from}`;
  for (let more = true; more;) {
    try {
      const { value } = await client.request("POST /api/webhooksubscriptions/{webhookSubscriptionId}/redeliveries", {
        params: { webhookSubscriptionId },
        body,
      });
      sum.deliveries += value.deliveries;
      sum.underWay += value.underWay;
      sum.from = body.after === undefined ? value.from : sum.from;
      more = value.next !== null;
      body = omitUndefined({ from: sum.from, after: value.next ?? undefined });
    } catch (error) {
      if (body.after !== undefined) {
        output.warn(`${formatDeliveries(sum.deliveries)} on their way, but that was not all. Go on with: ${again()}`);
      }
      throw error;
    }
  }
  output.result(sum, () =>
    sum.deliveries === 0
      ? `Nothing is missing since ${formatTime(sum.from)} UTC.`
      : `${formatDeliveries(sum.deliveries)} on their way, the oldest first: what is missing since ${formatTime(sum.from)} UTC.`,
  );
  if (sum.underWay > 0) output.note(`${formatDeliveries(sum.underWay)} being sent right now.`);
  if (sum.deliveries + sum.underWay > 0) output.note(`If any fails, try again with: ${again()}`);
}

const formatDeliveries = (count: number): string => `${formatCount(count, "delivery")} ${count === 1 ? "is" : "are"}`;
