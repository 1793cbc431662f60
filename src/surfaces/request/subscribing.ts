/** How readers subscribe to a blog, confirm it, and unsubscribe (contract 20.9, 20.10). */
import { contactOf, unsubscribeToken } from "../../domain/subscriber-tokens.ts";
import { isConfirmToken, newConfirmToken } from "../../domain/secrets.ts";
import { DomainError } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { alreadySubscribedMail, confirmSubscriptionMail, subscribedMail } from "../../background/mail/mail.ts";
import {
  confirmSubscription,
  endSubscription,
  findContactRequest,
  findShownBlog,
  findSubscriber,
  requestSubscription,
  withdrawRequest,
  type Requested,
  type Subscriber,
} from "../../store/blogs/subscribing.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";
import { databaseOf, sharedDatabase } from "../../store/database.ts";
import { readerOf } from "../../store/core/sql.ts";
import type { Arrival } from "./arrival.ts";
import { baseUrlOf } from "./base-url.ts";
import { writerOf } from "./writer.ts";
import { withinLimit } from "./limits.ts";
import { sendMailWithinLimit } from "./mail.ts";
import { limitReaders, limitStrangers } from "./strangers.ts";

/** Reads from the primary, because a link may be used seconds after it was made. */
const read = ({ env }: Arrival) => readerOf(sharedDatabase(env));

/** Returns the secret that signs unsubscribe links. Throws `not_ready` if the service has none. */
function signingSecret({ settings }: Arrival): string {
  if (settings.authSecret === "") throw new DomainError("not_ready", "AUTH_SECRET is not set.");
  return settings.authSecret;
}

const leavingLink = (arrival: Arrival, blogId: string, token: string): string =>
  `${baseUrlOf(arrival)}/blogs/${blogId}/unsubscribe/${token}`;

/** Returns the unsubscribe link of a contact, or null if the service has no base URL or no secret. */
export async function leavingLinkOf(
  arrival: Arrival,
  contact: { blogId: string; _id: string },
): Promise<string | null> {
  const { settings } = arrival;
  if (settings.authSecret === "" || (settings.production && settings.baseUrl === "")) return null;
  return leavingLink(arrival, contact.blogId, await unsubscribeToken(settings.authSecret, contact._id));
}

export const noBlog = () => new DomainError("not_found", "There is no such blog.");

/** Returns a blog whose site is on. Throws `not_found` and `rate_limited`. */
export async function openBlog(arrival: Arrival, request: Request, named: string): Promise<SiteBlog> {
  await limitReaders(arrival, request);
  const blog = await shownBlog(arrival, named);
  if (blog === null) throw noBlog();
  return blog;
}

/** Returns a blog by its id or vanityId, or null if there is none or its site is off. */
export const shownBlog = (arrival: Arrival, named: string): Promise<SiteBlog | null> =>
  findShownBlog(read(arrival), named.slice(0, 100));

/**
 * Stores a request to subscribe and sends a mail that asks to confirm it. A subscribed address gets a mail that says so.
 * The result is the same, so that nobody learns who reads a blog. Throws `rate_limited`.
 */
export async function subscribe(
  arrival: Arrival,
  request: Request,
  { blog, email, locale }: { readonly blog: SiteBlog; readonly email: string; readonly locale: string | undefined },
): Promise<void> {
  const { env } = arrival;
  await limitStrangers(arrival, request, "mailRequests", { subject: "subscribe" });
  await withinLimit(arrival, "subscriptions", blog._id);
  const base = `${baseUrlOf(arrival)}/blogs/${blog._id}`;
  const { token, hash } = await newConfirmToken();
  const db = databaseOf(env, blog.organizationId);
  const { isNew, contact } = await requestSubscription(db, { blog, email, locale, hash, now: new Date() });
  if (!isNew) return;
  const mail = {
    to: email,
    blog: blog.name,
    newsletter: blog.newsletter,
    locale: contact?.locale ?? locale ?? blog.locales[0] ?? "en",
    leave: `${base}/unsubscribe/${token}`,
  };
  const written = async () => {
    if (contact?.isSubscribed !== true) return confirmSubscriptionMail({ ...mail, link: `${base}/subscribe/${token}` });
    // A contact's own link never expires, and works even if the site is off.
    const leave = (await leavingLinkOf(arrival, { blogId: blog._id, _id: contact.id })) ?? mail.leave;
    return alreadySubscribedMail({ ...mail, leave, link: leave });
  };
  arrival.waitUntil(written().then((text) => sendMailWithinLimit(arrival, "reader", text)));
}

type Asked = Requested & { readonly hash: string };

/** Returns the request that a token belongs to, or null if there is none or it has expired. */
async function requestOf(arrival: Arrival, token: string): Promise<Asked | null> {
  if (!isConfirmToken(token)) return null;
  const hash = await sha256(token);
  const found = await findContactRequest(read(arrival), hash, new Date());
  return found && { ...found, hash };
}

const gone = () => new DomainError("not_found", "This link was already used, or has expired.");

/** A request to confirm. `isDone` if it is confirmed already. */
export type Confirming = Asked & { readonly isDone: boolean };

const isConfirmed = ({ state, contactId, isOver }: Requested): boolean =>
  state === "confirmed" && contactId !== null && !isOver;

/** Returns the request of a confirmation link. Throws `not_found` if it has ended or was withdrawn, and `rate_limited`. */
export async function openConfirmation(arrival: Arrival, request: Request, token: string): Promise<Confirming> {
  await limitReaders(arrival, request);
  const found = await requestOf(arrival, token);
  if (found === null) throw gone();
  const isDone = isConfirmed(found);
  if (!isDone && !(found.state === "open" && found.isTaken)) throw gone();
  return { ...found, isDone };
}

/** Stores the contact and mails them. Does nothing if they have confirmed already. Throws as `confirmSubscription`. */
export async function confirm(arrival: Arrival, asking: Confirming): Promise<void> {
  if (asking.isDone) return;
  const secret = signingSecret(arrival);
  const { blog, email, locale, hash } = asking;
  arrival.identify(blog.organizationId);
  const writer = writerOf(arrival, blog.organizationId, { kind: "reader", id: blog._id });
  const contactId = await confirmSubscription(writer, asking, hash).catch(async (error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    // Another press of the button at the same time may have confirmed it.
    const now = await findContactRequest(read(arrival), hash, new Date());
    if (now === null || !isConfirmed(now)) throw gone();
    return null;
  });
  if (contactId === null) return;
  const link = leavingLink(arrival, blog._id, await unsubscribeToken(secret, contactId));
  const mail = subscribedMail({ to: email, blog: blog.name, locale, link, leave: link });
  arrival.waitUntil(sendMailWithinLimit(arrival, "reader", mail));
}

/** What an unsubscribe link ends: a subscription (`contactId`), an open request (`hash`), or both. */
export type Leaving = Subscriber & { readonly contactId: string | null; readonly hash: string | null };

/** Returns what an unsubscribe link ends. Throws `not_found` and `rate_limited`. */
export async function openLeaving(arrival: Arrival, request: Request, token: string): Promise<Leaving> {
  await limitReaders(arrival, request);
  const asked = await requestOf(arrival, token);
  if (asked?.state === "open") return { ...asked, isOver: false };
  if (asked?.state === "withdrawn") return { ...asked, isOver: true, hash: null };
  const contactId = isConfirmToken(token) ? (asked?.contactId ?? null) : await contactOf(signingSecret(arrival), token);
  const found = contactId && (await findSubscriber(read(arrival), contactId));
  if (!found) throw new DomainError("not_found", "This link is not valid, or no longer.");
  return { ...found, contactId, hash: null };
}

export async function unsubscribe(arrival: Arrival, { blog, contactId, hash }: Leaving): Promise<void> {
  const { organizationId } = blog;
  arrival.identify(organizationId);
  const end = (id: string) => endSubscription(writerOf(arrival, organizationId, { kind: "reader", id: blog._id }), id);
  if (contactId !== null) await end(contactId);
  if (hash === null || (await withdrawRequest(databaseOf(arrival.env, organizationId), hash))) return;
  // The request may have been confirmed since the link was looked up. Then the new subscription must end, too.
  const now = await findContactRequest(read(arrival), hash, new Date());
  if (now?.state === "confirmed" && now.contactId !== null) await end(now.contactId);
}
