/** Subscriptions of readers to the mails of a blog: asking, confirming and ending (contract 20.9, 20.10). */
import { contactOf, unsubscribeToken } from "../domain/subscriber-tokens.ts";
import { isConfirmToken, newConfirmToken } from "../domain/secrets.ts";
import { LIMITS } from "../domain/limits.ts";
import { DomainError } from "../errors.ts";
import { sha256 } from "../lib/hash.ts";
import { alreadySubscribedMail, confirmSubscriptionMail, subscribedMail } from "../mail/mail.ts";
import {
  confirmSubscription,
  endSubscription,
  findConfirmed,
  findContactId,
  findContactRequest,
  findOpenBlog,
  findSubscriber,
  requestSubscription,
  withdrawRequest,
  type OpenBlog,
  type Subscriber,
} from "../store/blogs/subscribing.ts";
import { databaseOf, sharedDatabase } from "../store/database.ts";
import { readerOf } from "../store/core/sql.ts";
import type { Arrival } from "./arrival.ts";
import { baseUrlOf } from "./base-url.ts";
import { writerOf } from "./call.ts";
import { withinLimit } from "./limits.ts";
import { sendMailWithinLimit } from "./mail.ts";
import { limitReaders, limitStrangers } from "./strangers.ts";

/** Reads from the primary, as a link is used seconds after it was made. */
const read = ({ env }: Arrival) => readerOf(sharedDatabase(env));

/** Returns the secret that signs the links by which contacts leave. Throws `not_ready` if the service has none. */
function signingSecret({ settings }: Arrival): string {
  if (settings.authSecret === "") throw new DomainError("not_ready", "AUTH_SECRET is not set.");
  return settings.authSecret;
}

const leavingLink = (arrival: Arrival, blogId: string, token: string): string =>
  `${baseUrlOf(arrival)}/blogs/${blogId}/unsubscribe/${token}`;

/** Returns the address where a contact ends its subscription; null if the service does not know its own or has no secret. */
export async function leavingLinkOf(
  arrival: Arrival,
  contact: { blogId: string; _id: string },
): Promise<string | null> {
  const { settings } = arrival;
  if (settings.authSecret === "" || (settings.production && settings.baseUrl === "")) return null;
  return leavingLink(arrival, contact.blogId, await unsubscribeToken(settings.authSecret, contact._id));
}

/** Returns a blog that can be subscribed to. Throws `not_found` if there is none, or its site is off; and `rate_limited`. */
export async function openBlog(arrival: Arrival, request: Request, named: string): Promise<OpenBlog> {
  await limitReaders(arrival, request);
  const blog = await findOpenBlog(read(arrival), named.slice(0, 100));
  if (blog === null) throw new DomainError("not_found", "There is no such blog.");
  return blog;
}

/** Returns the main locale of the blog that a link names, for a page that says that the link has ended; null without one. */
export const localeOfBlog = async (arrival: Arrival, named: string): Promise<string | null> =>
  (await findOpenBlog(read(arrival), named.slice(0, 100)))?.locale ?? null;

/**
 * Takes a request to subscribe, and sends the mail that asks to confirm it. It does the same whether the address is known or
 * not, so that nobody learns who reads a blog: somebody who is subscribed gets a mail that says so. Throws `rate_limited`.
 */
export async function subscribe(
  arrival: Arrival,
  request: Request,
  { blog, email, locale }: { readonly blog: OpenBlog; readonly email: string; readonly locale: string | undefined },
): Promise<void> {
  const { env } = arrival;
  const counter = [env.MAIL_REQUEST_LIMIT, LIMITS.mailRequestsPerMinute] as const;
  await limitStrangers(arrival, request, { subject: "subscribe", counter });
  await withinLimit(arrival, env.STRANGERS_56_LIMIT, `subscribe blog ${blog.blogId}`, {
    code: "rate_limited",
    quota: LIMITS.strangersOf56PerMinute,
  });
  const base = `${baseUrlOf(arrival)}/blogs/${blog.blogId}`;
  const { token, hash } = await newConfirmToken();
  const db = databaseOf(env, blog.organizationId);
  const { isNew, contact } = await requestSubscription(db, { blog, email, locale, hash, now: new Date() });
  if (!isNew) return;
  const mail = {
    to: email,
    blog: blog.blogName,
    locale: contact?.locale ?? locale ?? blog.locale,
    leave: `${base}/unsubscribe/${token}`,
  };
  const written = async () => {
    if (contact?.isSubscribed !== true) return confirmSubscriptionMail({ ...mail, link: `${base}/subscribe/${token}` });
    // A contact's link never ends, and works even if the site is off.
    const leave = (await leavingLinkOf(arrival, { blogId: blog.blogId, _id: contact.id })) ?? mail.leave;
    return alreadySubscribedMail({ ...mail, leave, link: leave });
  };
  arrival.waitUntil(written().then((text) => sendMailWithinLimit(arrival, "reader", text)));
}

/** Somebody who has not confirmed, by the hash of their token. */
export type Asking = Subscriber & { readonly hash: string };
/** Who a link is for: one of these, or a contact by its id. */
export type Linked = Asking | (Subscriber & { readonly contactId: string });

const GONE = "This link was already used, or has expired.";

/** Returns who a link to confirm is for. Throws `not_found` if it was used, or has ended, and `rate_limited`. */
export async function openConfirmation(arrival: Arrival, request: Request, token: string): Promise<Asking> {
  await limitReaders(arrival, request);
  const hash = isConfirmToken(token) ? await sha256(token) : null;
  const found = hash && (await findContactRequest(read(arrival), hash, new Date()));
  if (hash === null || !found) throw new DomainError("not_found", GONE);
  return { ...found, hash };
}

/** Makes who a link is for a contact, and tells them. Throws the errors of `confirmSubscription`. */
export async function confirm(arrival: Arrival, asking: Asking): Promise<void> {
  const secret = signingSecret(arrival);
  const { organizationId, blogId, blogName, email, locale, hash } = asking;
  arrival.identify(organizationId);
  const writer = writerOf(arrival, organizationId, { kind: "reader", id: blogId });
  const contactId = await confirmSubscription(writer, asking, hash).catch((error: unknown) => {
    const isGone = error instanceof DomainError && error.code === "not_found";
    throw isGone ? new DomainError("not_found", GONE) : error;
  });
  const link = leavingLink(arrival, blogId, await unsubscribeToken(secret, contactId));
  const mail = subscribedMail({ to: email, blog: blogName, locale, link, leave: link });
  arrival.waitUntil(sendMailWithinLimit(arrival, "reader", mail));
}

/**
 * Returns who a link to unsubscribe is for: a contact, or somebody who has not confirmed. Throws `not_found` and
 * `rate_limited`.
 */
export async function openLeaving(arrival: Arrival, request: Request, token: string): Promise<Linked> {
  await limitReaders(arrival, request);
  const hash = isConfirmToken(token) ? await sha256(token) : null;
  const asking = hash && (await findContactRequest(read(arrival), hash, new Date()));
  if (hash && asking) return openRequested(arrival, { ...asking, hash });
  const contactId = hash
    ? await findConfirmed(read(arrival), hash, new Date())
    : await contactOf(signingSecret(arrival), token);
  const found = contactId && (await findSubscriber(read(arrival), contactId));
  if (contactId === null || !found) throw new DomainError("not_found", "This link is not valid, or no longer.");
  return { ...found, contactId };
}

/** Returns who has asked; where they are a contact already, that contact. */
async function openRequested(arrival: Arrival, asking: Asking): Promise<Linked> {
  const contactId = await findContactId(read(arrival), asking.blogId, asking.email);
  return contactId === null ? asking : { ...asking, contactId };
}

/** Ends the subscription that a link is for, or the request. */
export async function unsubscribe(arrival: Arrival, linked: Linked): Promise<void> {
  const { organizationId, blogId } = linked;
  arrival.identify(organizationId);
  const end = (contactId: string) =>
    endSubscription(writerOf(arrival, organizationId, { kind: "reader", id: blogId }), contactId);
  if ("contactId" in linked) await end(linked.contactId);
  if (!("hash" in linked) || (await withdrawRequest(databaseOf(arrival.env, organizationId), linked.hash))) return;
  // It was confirmed since the link was looked up: whoever is told that it has ended must not stay subscribed.
  const contactId = await findConfirmed(read(arrival), linked.hash, new Date());
  if (contactId !== null) await end(contactId);
}
