/** Subscriptions of readers to the mails of a blog: asking, confirming and ending (contract 20.9, 20.10). */
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

export const noBlog = () => new DomainError("not_found", "There is no such blog.");

/** Returns a blog that can be subscribed to. Throws `not_found` if there is none, or its site is off; and `rate_limited`. */
export async function openBlog(arrival: Arrival, request: Request, named: string): Promise<SiteBlog> {
  await limitReaders(arrival, request);
  const blog = await shownBlog(arrival, named);
  if (blog === null) throw noBlog();
  return blog;
}

/** Returns the blog that a link names, for a page that says that the link has ended; null if none is shown. */
export const shownBlog = (arrival: Arrival, named: string): Promise<SiteBlog | null> =>
  findShownBlog(read(arrival), named.slice(0, 100));

/**
 * Takes a request to subscribe, and sends the mail that asks to confirm it. It does the same whether the address is known or
 * not, so that nobody learns who reads a blog: somebody who is subscribed gets a mail that says so. Throws `rate_limited`.
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
    // A contact's link never ends, and works even if the site is off.
    const leave = (await leavingLinkOf(arrival, { blogId: blog._id, _id: contact.id })) ?? mail.leave;
    return alreadySubscribedMail({ ...mail, leave, link: leave });
  };
  arrival.waitUntil(written().then((text) => sendMailWithinLimit(arrival, "reader", text)));
}

/** A request and the hash of its token. */
type Asked = Requested & { readonly hash: string };

/** Returns the request that a token belongs to; null if there is none, or it has ended. */
async function requestOf(arrival: Arrival, token: string): Promise<Asked | null> {
  if (!isConfirmToken(token)) return null;
  const hash = await sha256(token);
  const found = await findContactRequest(read(arrival), hash, new Date());
  return found && { ...found, hash };
}

const gone = () => new DomainError("not_found", "This link was already used, or has expired.");

/** Somebody who confirms, or has already (`isDone`). */
export type Confirming = Asked & { readonly isDone: boolean };

const isConfirmed = ({ state, contactId, isOver }: Requested): boolean =>
  state === "confirmed" && contactId !== null && !isOver;

/** Returns who a link to confirm is for. Throws `not_found` if it has ended, or was used to unsubscribe, and `rate_limited`. */
export async function openConfirmation(arrival: Arrival, request: Request, token: string): Promise<Confirming> {
  await limitReaders(arrival, request);
  const found = await requestOf(arrival, token);
  if (found === null) throw gone();
  const isDone = isConfirmed(found);
  if (!isDone && !(found.state === "open" && found.isTaken)) throw gone();
  return { ...found, isDone };
}

/** Makes who a link is for a contact, and tells them; once, however often it is asked for. Throws as `confirmSubscription`. */
export async function confirm(arrival: Arrival, asking: Confirming): Promise<void> {
  if (asking.isDone) return;
  const secret = signingSecret(arrival);
  const { blog, email, locale, hash } = asking;
  arrival.identify(blog.organizationId);
  const writer = writerOf(arrival, blog.organizationId, { kind: "reader", id: blog._id });
  const contactId = await confirmSubscription(writer, asking, hash).catch(async (error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    // The button was pressed more than once at the same time.
    const now = await findContactRequest(read(arrival), hash, new Date());
    if (now === null || !isConfirmed(now)) throw gone();
    return null;
  });
  if (contactId === null) return;
  const link = leavingLink(arrival, blog._id, await unsubscribeToken(secret, contactId));
  const mail = subscribedMail({ to: email, blog: blog.name, locale, link, leave: link });
  arrival.waitUntil(sendMailWithinLimit(arrival, "reader", mail));
}

/** Who leaves: a contact, somebody who has asked to become one (`hash`), or both. */
export type Leaving = Subscriber & { readonly contactId: string | null; readonly hash: string | null };

/** Returns who a link to unsubscribe is for. Throws `not_found` and `rate_limited`. */
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

/** Ends the subscription that a link is for, and the request. */
export async function unsubscribe(arrival: Arrival, { blog, contactId, hash }: Leaving): Promise<void> {
  const { organizationId } = blog;
  arrival.identify(organizationId);
  const end = (id: string) => endSubscription(writerOf(arrival, organizationId, { kind: "reader", id: blog._id }), id);
  if (contactId !== null) await end(contactId);
  if (hash === null || (await withdrawRequest(databaseOf(arrival.env, organizationId), hash))) return;
  // It was confirmed since the link was looked up: whoever is told that it has ended must not stay subscribed.
  const now = await findContactRequest(read(arrival), hash, new Date());
  if (now?.state === "confirmed" && now.contactId !== null) await end(now.contactId);
}
