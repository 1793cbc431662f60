/** The commands `webhooks`. `listen` receives deliveries, verifies and prints them, and forwards the genuine ones. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { InvalidArgumentError, type Command } from "commander";
import { isWebUrl } from "../../../src/lib/web-url.ts";
import type { WebhookSubscriptionInput } from "../client.ts";
import type { Context } from "../context.ts";
import { interruptedError, isAbort, unauthorizedError, usageError } from "../failure.ts";
import { makeOperatorAuthorizer } from "../sign-in/authorizer.ts";
import { toPrintableLine } from "../terminal.ts";
import { openReceiver, PATH, type Delivery } from "../webhook-receiver.ts";
import { addRows, declare, getGroup, defineRow } from "./declare.ts";
import { addSubscriptionCommands } from "./webhook-subscriptions.ts";
import { BLOG_OPTION, omitUndefined, limit, parseList, formatTime, wholeNumber } from "./shared.ts";

export function addWebhookCommands(program: Command, context: Context): void {
  addSubscriptionCommands(program, context);
  addRows(program, context, [
    defineRow("GET /api/deadletters", "webhooks dead", "list events that the service could not send, newest first", {
      operator: true,
      members: { limit: limit(20) },
      help: "\nExample:\n  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks dead",
      none: "No dead letters.",
      one: "dead letter",
      columns: [
        { head: "ID", cell: ({ _id }) => _id },
        { head: "EVENT", cell: ({ event }) => event },
        { head: "SUBSCRIPTION", cell: ({ webhookSubscriptionId: id }) => id ?? "all", shrinks: true },
        { head: "ATTEMPTS", cell: ({ tries }) => String(tries) },
        { head: "DEAD SINCE", cell: ({ deadTime }) => formatTime(deadTime) },
      ],
    }),
    defineRow("POST /api/deadletters/{deadLetterId}/retry", "webhooks retry", "retry it", {
      operator: true,
      members: { deadLetterId: ["<id>", "the id that `webhooks dead` shows"] },
      help: "\nExample:\n  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks retry 019a9d3d-0b11-7a4c-9d3e-5f6a7b8c9d0e",
      says: ({ event }) => `${event} will be retried within a minute.`,
    }),
  ]);
  declare(getGroup(program, "webhooks"), "listen", "receive deliveries, verify and print them, until Ctrl-C", {
    takes: [
      ["--port <n>", "the port on 127.0.0.1 (default: any free port)", wholeNumber(1, 65_535)],
      ["--secret <secret>", "the signing secret (better: set EDGEPRESS_WEBHOOK_SECRET)", parseSecret],
      ["--forward <url>", "forward verified deliveries to this URL, unchanged", parseWebUrl],
      [BLOG_OPTION, "subscribe to one blog's events"],
      ["--events <list>", "subscribe to these kinds only", parseList],
      ["--url <url>", "the URL to subscribe, if a tunnel leads here", parseTunnelUrl],
    ],
    help: EXAMPLES,
    run: (options: Options) => listen(context, options),
  });
}

const EXAMPLES = `
Examples:
  $ EDGEPRESS_WEBHOOK_SECRET=whsec_… edgepress webhooks listen --port 9999
  $ EDGEPRESS_OPERATOR_TOKEN=… edgepress webhooks listen --forward http://localhost:3000/hook

With EDGEPRESS_OPERATOR_TOKEN and no secret, it subscribes when it starts, and unsubscribes at the end.
A service on another machine reaches you only through a tunnel: --url.`;

type Options = {
  readonly port?: number;
  readonly secret?: string;
  readonly forward?: string;
  readonly blog?: string;
  readonly events?: string[];
  readonly url?: string;
};

function parseWebUrl(text: string): string {
  if (!isWebUrl(text)) throw new InvalidArgumentError("It must be an http or https URL.");
  return new URL(text).href;
}

/** Refuses an empty secret: anybody could sign with it. */
function parseSecret(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

/** Refuses another path than the receiver's, where no delivery would arrive. */
function parseTunnelUrl(text: string): string {
  const { href, pathname, search, origin } = new URL(parseWebUrl(text));
  if (pathname === PATH && search === "") return href;
  throw new InvalidArgumentError(`Its path must be ${PATH}: ${origin}${PATH}`);
}

async function listen(context: Context, options: Options): Promise<void> {
  const { signal, env, now } = context;
  const token = env["EDGEPRESS_OPERATOR_TOKEN"];
  const secret = options.secret ?? (env["EDGEPRESS_WEBHOOK_SECRET"] || undefined);
  if (secret === undefined && !token) {
    throw unauthorizedError(
      "There is no secret to verify deliveries with.",
      "Set EDGEPRESS_WEBHOOK_SECRET, or EDGEPRESS_OPERATOR_TOKEN to subscribe.",
    );
  }
  if (secret !== undefined) requireNothingToSubscribe(options);
  const onDelivery = (delivery: Delivery) => handleDelivery(context, delivery, options.forward);
  const receiver = await openReceiver({ port: options.port ?? 0, now, onDelivery });
  let subscription: Subscription | null = null;
  try {
    if (secret !== undefined) {
      receiver.verifyWith(secret);
    } else if (token) {
      subscription = await subscribe(context, { ...options, token, url: options.url ?? receiver.url });
      receiver.verifyWith(subscription.secret);
    }
    reportAddress(context, receiver.url, subscription);
    if (!signal.aborted) await once(signal, "abort");
    throw interruptedError();
  } finally {
    // In this order, because deliveries to a closed receiver would count as failures.
    await subscription?.end();
    receiver.close();
  }
}

/** Throws a usage error for options of a new subscription beside the secret of an existing one. */
function requireNothingToSubscribe(options: Options): void {
  const given = (["blog", "events", "url"] as const).filter((name) => options[name] !== undefined);
  if (given.length === 0) return;
  const named = given.map((name) => `--${name}`).join(", ");
  throw usageError(
    `${named} can only be used to subscribe, which is not possible with a secret.`,
    options.secret === undefined
      ? "To subscribe, unset EDGEPRESS_WEBHOOK_SECRET."
      : "To subscribe, leave out --secret.",
  );
}

/** A program gets the address as the first line of the result, because it needs the port. */
function reportAddress({ output }: Context, url: string, subscription: Subscription | null): void {
  const id = subscription?._id ?? null;
  if (output.json) return output.line({ listening: url, subscription: id }, () => url);
  output.note(`Listening at ${url}${id === null ? "" : `, subscribed as ${id}`}. Press Ctrl-C to stop.`);
}

/** Milliseconds. Short, because Ctrl-C does not abort these requests once they are sent. */
const TIMEOUT_MS = 10_000;

type Subscription = { readonly _id: string; readonly secret: string; end(): Promise<void> };

/** Creates a subscription for this receiver. `end` deletes it, and only warns if that fails. */
async function subscribe(
  context: Context,
  { token, url, blog, events }: Pick<Options, "blog" | "events"> & { token: string; url: string },
): Promise<Subscription> {
  const { output } = context;
  const blogId = blog === undefined ? undefined : await context.blog(blog);
  const options = { authorizer: makeOperatorAuthorizer(token), finishes: true, timeoutMs: TIMEOUT_MS };
  const client = await context.client(options);
  const body = omitUndefined({ url, blogId, events }) as WebhookSubscriptionInput;
  const idempotencyKey = randomUUID();
  const created = () => client.request("POST /api/webhooksubscriptions", { body, idempotencyKey });
  // Before Ctrl-C, an attempt may have created the subscription and lost the response. One more attempt with the same
  // key gets it, so that the subscription can be deleted.
  const { value } = await created().catch((error) => (isAbort(error) ? created() : Promise.reject(error)));
  const { _id, secret } = value;
  return {
    _id,
    secret,
    async end() {
      try {
        // Ctrl-C has aborted the context's signal, so this client has its own.
        const patient = await context.client({ ...options, signal: new AbortController().signal });
        const params = { webhookSubscriptionId: _id };
        await patient.request("DELETE /api/webhooksubscriptions/{webhookSubscriptionId}", { params });
        output.note("Unsubscribed.");
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        output.warn(`The subscription ${_id} could not be deleted: ${reason}`);
      }
    },
  };
}

/** Prints a delivery, forwards it if it is genuine, and returns the HTTP status for the service. */
async function handleDelivery(
  { output, now }: Context,
  delivery: Delivery,
  forward: string | undefined,
): Promise<number> {
  const { verdict, event, payload } = delivery;
  const status = verdict !== "genuine" ? 401 : forward === undefined ? 204 : await forwardDelivery(forward, delivery);
  output.line({ time: now().toISOString(), event, verdict, status, payload }, () => {
    const time = output.paint("dim", now().toTimeString().slice(0, 8));
    const sign = verdict === "genuine" ? output.paint("green", "✓") : output.paint("red", "✗");
    const why = { genuine: "", wrong: "not signed with this secret", stale: "not signed within five minutes of now" }[
      verdict
    ];
    const passed = forward === undefined || verdict !== "genuine" ? "" : `→ ${status === 502 ? "unreachable" : status}`;
    return [time, sign, toPrintableLine(event) || "(no event)", formatSubject(payload), why, passed]
      .filter(Boolean)
      .join("  ");
  });
  return status;
}

async function forwardDelivery(url: string, { body, headers }: Delivery): Promise<number> {
  try {
    const request = { method: "POST", headers, body: new Uint8Array(body), redirect: "manual" } as const;
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 502;
  }
}

/** Returns what an event is about: a title with slug and locale, a name, or an email address. */
export function formatSubject(payload: unknown): string {
  const { data }: { readonly data?: unknown } = Object(payload);
  const members: Readonly<Record<string, unknown>> = Object(data);
  const text = (name: string) => {
    const value = members[name];
    return typeof value === "string" && value !== "" ? value : null;
  };
  const subject = text("title") ?? text("name") ?? text("email") ?? "";
  const where = [text("slug"), text("locale")].filter((each) => each !== null).join(", ");
  return toPrintableLine([subject, where && `(${where})`].filter(Boolean).join(" "));
}
