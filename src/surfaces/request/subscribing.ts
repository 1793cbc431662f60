/** How readers subscribe to a blog, confirm it, and unsubscribe (contract 20.9, 20.10). */
import { verifyToken, makeUnsubscribeToken } from "../../domain/subscriber-tokens.ts";
import { isConfirmToken, newConfirmToken } from "../../domain/secrets.ts";
import { DomainError, makeBlogNotFoundError } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import {
  writeAlreadySubscribedMail,
  writeConfirmSubscriptionMail,
  writeSubscribedMail,
} from "../../background/mail/mail.ts";
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
import { openDatabaseOfBlog } from "../../store/database.ts";
import { openMetered } from "../../meter.ts";
import { makeReader } from "../../store/core/sql.ts";
import type { Arrival } from "./arrival.ts";
import { getBaseUrl } from "./base-url.ts";
import { makeWriter } from "./writer.ts";
import { enforceLimit } from "./limits.ts";
import { sendMailWithinLimit } from "./mail.ts";
import { enforceReadLimit, enforceAnonymousLimits } from "./strangers.ts";

/** Reads from the primary, because a link may be used seconds after it was made. */
const openPrimaryReader = ({ env }: Arrival, blog: string) => makeReader(openDatabaseOfBlog(env, blog));

/** Returns the secret that signs unsubscribe links. Throws `not_ready` if the service has none. */
function signingSecret({ settings }: Arrival): string {
  if (settings.authSecret === "") throw new DomainError("not_ready", "AUTH_SECRET is not set.");
  return settings.authSecret;
}

const buildUnsubscribeUrl = (arrival: Arrival, blogId: string, token: string): string =>
  `${getBaseUrl(arrival)}/blogs/${blogId}/unsubscribe/${token}`;

/** Returns the unsubscribe link of a contact, or null if the service has no base URL or no secret. */
export async function findUnsubscribeUrl(
  arrival: Arrival,
  contact: { blogId: string; _id: string },
): Promise<string | null> {
  const { settings } = arrival;
  if (settings.authSecret === "" || (settings.production && settings.baseUrl === "")) return null;
  return buildUnsubscribeUrl(arrival, contact.blogId, await makeUnsubscribeToken(settings.authSecret, contact._id));
}

/** Returns a blog whose site is on. Throws `not_found` and `rate_limited`. */
export async function readShownBlog(arrival: Arrival, request: Request, named: string): Promise<SiteBlog> {
  await enforceReadLimit(arrival, request);
  const blog = await findBlogByName(arrival, named);
  if (blog === null) throw makeBlogNotFoundError();
  return blog;
}

/** Returns a blog by its id or vanityId, or null if there is none or its site is off. */
export const findBlogByName = (arrival: Arrival, given: string): Promise<SiteBlog | null> => {
  const named = given.slice(0, 100);
  return findShownBlog(openPrimaryReader(arrival, named), named);
};

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
  await enforceAnonymousLimits(arrival, request, "mailRequests", { subject: "subscribe" });
  await enforceLimit(arrival, "subscriptions", blog._id);
  const base = `${getBaseUrl(arrival)}/blogs/${blog._id}`;
  const { token, hash } = await newConfirmToken();
  const db = openMetered(env, blog.organizationId);
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
    if (contact?.isSubscribed !== true)
      return writeConfirmSubscriptionMail({ ...mail, link: `${base}/subscribe/${token}` });
    // A contact's own link never expires, and works even if the site is off.
    const leave = (await findUnsubscribeUrl(arrival, { blogId: blog._id, _id: contact.id })) ?? mail.leave;
    return writeAlreadySubscribedMail({ ...mail, leave, link: leave });
  };
  arrival.waitUntil(written().then((text) => sendMailWithinLimit(arrival, "reader", text)));
}

type Asked = Requested & { readonly hash: string };

/** A link in a mail, which has the id of its blog. */
export type LinkName = { readonly blog: string; readonly token: string };

/** Returns the request that a token belongs to, or null if there is none or it has expired. */
async function findRequest(arrival: Arrival, { blog, token }: LinkName): Promise<Asked | null> {
  if (!isConfirmToken(token)) return null;
  const hash = await sha256(token);
  const found = await findContactRequest(openPrimaryReader(arrival, blog), hash, new Date());
  return found && { ...found, hash };
}

const makeLinkExpiredError = () => new DomainError("not_found", "This link was already used, or has expired.");

/** A request to confirm. `isDone` if it is confirmed already. */
export type Confirmation = Asked & { readonly isDone: boolean };

const isConfirmed = ({ state, contactId, isOver }: Requested): boolean =>
  state === "confirmed" && contactId !== null && !isOver;

/** Returns the request of a confirmation link. Throws `not_found` if it has ended or was withdrawn, and `rate_limited`. */
export async function readConfirmation(arrival: Arrival, request: Request, link: LinkName): Promise<Confirmation> {
  await enforceReadLimit(arrival, request);
  const found = await findRequest(arrival, link);
  if (found === null) throw makeLinkExpiredError();
  const isDone = isConfirmed(found);
  if (!isDone && !(found.state === "open" && found.isTaken)) throw makeLinkExpiredError();
  return { ...found, isDone };
}

/** Stores the contact and mails them. Does nothing if they have confirmed already. Throws as `confirmSubscription`. */
export async function confirm(arrival: Arrival, asking: Confirmation): Promise<void> {
  if (asking.isDone) return;
  const secret = signingSecret(arrival);
  const { blog, email, locale, hash } = asking;
  arrival.identify(blog.organizationId);
  const writer = makeWriter(arrival, blog.organizationId, { kind: "reader", id: blog._id });
  const contactId = await confirmSubscription(writer, asking, hash).catch(async (error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    // Another press of the button at the same time may have confirmed it.
    const now = await findContactRequest(openPrimaryReader(arrival, blog._id), hash, new Date());
    if (now === null || !isConfirmed(now)) throw makeLinkExpiredError();
    return null;
  });
  if (contactId === null) return;
  const link = buildUnsubscribeUrl(arrival, blog._id, await makeUnsubscribeToken(secret, contactId));
  const mail = writeSubscribedMail({ to: email, blog: blog.name, locale, link, leave: link });
  arrival.waitUntil(sendMailWithinLimit(arrival, "reader", mail));
}

/** What an unsubscribe link ends: a subscription (`contactId`), an open request (`hash`), or both. */
export type Unsubscription = Subscriber & { readonly contactId: string | null; readonly hash: string | null };

/** Returns what an unsubscribe link ends. Throws `not_found` and `rate_limited`. */
export async function readUnsubscription(arrival: Arrival, request: Request, link: LinkName): Promise<Unsubscription> {
  await enforceReadLimit(arrival, request);
  const { blog, token } = link;
  const asked = await findRequest(arrival, link);
  if (asked?.state === "open") return { ...asked, isOver: false };
  if (asked?.state === "withdrawn") return { ...asked, isOver: true, hash: null };
  const contactId = isConfirmToken(token)
    ? (asked?.contactId ?? null)
    : await verifyToken(signingSecret(arrival), token);
  const found = contactId && (await findSubscriber(openPrimaryReader(arrival, blog), contactId));
  if (!found) throw new DomainError("not_found", "This link is not valid, or no longer.");
  return { ...found, contactId, hash: null };
}

export async function unsubscribe(arrival: Arrival, { blog, contactId, hash }: Unsubscription): Promise<void> {
  const { organizationId } = blog;
  arrival.identify(organizationId);
  const end = (id: string) =>
    endSubscription(makeWriter(arrival, organizationId, { kind: "reader", id: blog._id }), id);
  if (contactId !== null) await end(contactId);
  if (hash === null || (await withdrawRequest(openMetered(arrival.env, organizationId), hash))) return;
  // The request may have been confirmed since the link was looked up. Then the new subscription must end, too.
  const now = await findContactRequest(openPrimaryReader(arrival, blog._id), hash, new Date());
  if (now?.state === "confirmed" && now.contactId !== null) await end(now.contactId);
}
