/**
 * How readers subscribe to a blog's emails and unsubscribe (contract 20.9, 20.10). They have no account: the secret in
 * an email proves who they are. Only its hash is stored.
 */
import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { SUBSCRIBING } from "../../domain/subscriber-tokens.ts";
import { newId } from "../../lib/ids.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { storeReliably } from "../core/lost-answers.ts";
import { contactsFit, checkQuota, selectUsage } from "../core/quota.ts";
import {
  joinAnd,
  builder,
  insertWhere,
  orm,
  makeReader,
  runTransaction,
  type Database,
  type Reader,
  type Statement,
} from "../core/sql.ts";
import { CONTACT } from "./contacts.ts";
import { hasBlogName, isShown, toBlogName } from "./names.ts";
import { blogs, contactRequests, contacts } from "../../schema/blogs.ts";
import { SITE_BLOG, type SiteBlog } from "./shown.ts";

type Spoken = { readonly blog: SiteBlog; readonly locale: string };

/** A contact, or a reader who has asked to become one. `isOver` is true if they have unsubscribed. */
export type Subscriber = Spoken & { readonly email: string; readonly isOver: boolean };

const MAIN_LOCALE = sql`${blogs.locales} ->> '$[0]'`;

/** The condition, on a row of `blogs`, that its site is shown, so that readers may subscribe. */
const SHOWN = sql`(${blogs.siteEnabled} = 1 and ${isShown(blogs.id)})`;

/** Returns a blog whose site is shown, by its id or vanityId; null if there is none. */
export async function findShownBlog(read: Reader, named: string): Promise<SiteBlog | null> {
  const [found] = await read<{ blog: string }>(
    sql`select ${SITE_BLOG} as "blog" from ${blogs} where ${hasBlogName(toBlogName(named))} and ${blogs.siteEnabled} = 1`,
  );
  return found === undefined ? null : (JSON.parse(found.blog) as SiteBlog);
}

/** A request, with the contact of its address, if any. `isTaken`: the blog accepts subscriptions at the moment. */
export type Requested = Subscriber & {
  readonly state: "open" | "confirmed" | "withdrawn";
  readonly isTaken: boolean;
  readonly contactId: string | null;
};

/** Prefixes of a token hash with which a request was confirmed or withdrawn, so that its links still say so. */
const [CONFIRMED_BY, WITHDRAWN_BY] = ["confirmed ", "withdrawn "];

/** Returns the request that was made with the token of this hash; null if there is none, or it has expired. */
export async function findContactRequest(read: Reader, hash: string, now: Date): Promise<Requested | null> {
  const { email, tokenHash, expirationTime } = contactRequests;
  const states = [hash, CONFIRMED_BY + hash, WITHDRAWN_BY + hash];
  const [found] = await read<Row & { tokenHash: string; taken: number; contactId: string | null }>(
    sql`select ${SITE_BLOG} as "blog", ${email}, coalesce(${contacts.locale}, ${contactRequests.locale}) as "locale",
        ${contacts.unsubscribeTime} is not null as "over", ${tokenHash} as "tokenHash", ${SHOWN} as "taken", ${contacts.id} as "contactId"
      from ${contactRequests} join ${blogs} on ${blogs.id} = ${contactRequests.blogId}
        left join ${contacts} on ${contacts.blogId} = ${contactRequests.blogId} and ${contacts.email} = ${email}
      where ${inArray(tokenHash, states)} and ${expirationTime} > ${now.toISOString()}`,
  );
  if (found === undefined) return null;
  const { tokenHash: stored, taken, contactId, ...row } = found;
  const state = stored === hash ? "open" : stored.startsWith(CONFIRMED_BY) ? "confirmed" : "withdrawn";
  return { ...toSubscriber(row), state, isTaken: taken === 1, contactId };
}

type Row = { readonly blog: string; readonly email: string; readonly locale: string; readonly over: number };

const toSubscriber = ({ blog, over, ...rest }: Row): Subscriber => ({
  ...rest,
  blog: JSON.parse(blog) as SiteBlog,
  isOver: over === 1,
});

/** Returns a contact by its id, or null. Works also while the site is off: unsubscribing must always be possible. */
export async function findSubscriber(read: Reader, id: string): Promise<Subscriber | null> {
  const [found] = await read<Row>(
    sql`select ${SITE_BLOG} as "blog", ${contacts.email}, ${contacts.locale}, ${contacts.unsubscribeTime} is not null as "over"
      from ${contacts}
      join ${blogs} on ${blogs.id} = ${contacts.blogId} where ${contacts.id} = ${id}`,
  );
  return found === undefined ? null : toSubscriber(found);
}

/** Returns the id of a blog's contact with this email address; null if there is none. */
export async function findContactId(read: Reader, blogId: string, email: string): Promise<string | null> {
  const [found] = await read<{ id: string }>(
    sql`select ${contacts.id} from ${contacts} where ${contacts.blogId} = ${blogId} and ${contacts.email} = ${email}`,
  );
  return found?.id ?? null;
}

/** A contact with the address of a request. `isSubscribed` is false if it has not consented, or has unsubscribed. */
export type KnownContact = { readonly id: string; readonly locale: string; readonly isSubscribed: boolean };

export type NewRequest = {
  readonly blog: SiteBlog;
  readonly email: string;
  readonly locale: string | undefined;
  readonly hash: string;
  readonly now: Date;
};

/**
 * Stores a request for a blog's emails, in place of an earlier one of the same address. `isNew` is false, and nothing
 * changes, if the last one is less than `SUBSCRIBING.againSeconds` old. Also returns the contact with this address, if
 * any. If D1's response is lost, the repetition recognizes its own request by the hash. Otherwise nobody would send the
 * email.
 */
export async function requestSubscription(
  db: Database,
  { blog: { _id: blogId, organizationId }, email, locale, hash, now }: NewRequest,
): Promise<{ readonly isNew: boolean; readonly contact: KnownContact | null }> {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();
  const row = {
    id: newId(),
    organizationId,
    blogId,
    email,
    locale: sql`coalesce(${locale ?? null}, ${MAIN_LOCALE})`,
    tokenHash: hash,
    creationTime: now.toISOString(),
    expirationTime: after(SUBSCRIBING.hours * 3600),
  };
  const statements = {
    stored: insertWhere(contactRequests, row, sql`from ${blogs} where ${blogs.id} = ${blogId}`)
      .onConflictDoUpdate({
        target: [contactRequests.blogId, contactRequests.email],
        set: {
          locale: sql`excluded.locale`,
          tokenHash: hash,
          creationTime: row.creationTime,
          expirationTime: row.expirationTime,
        },
        setWhere: sql`${contactRequests.creationTime} <= ${after(-SUBSCRIBING.againSeconds)} or ${contactRequests.tokenHash} = ${hash}`,
      })
      .returning({ id: contactRequests.id }),
    known: sql<Omit<KnownContact, "isSubscribed"> & { subscribed: number }>`select ${contacts.id}, ${contacts.locale},
      ${contacts.consentTime} is not null and ${contacts.unsubscribeTime} is null as "subscribed"
      from ${contacts} where ${contacts.blogId} = ${blogId} and ${contacts.email} = ${email}`,
  };
  const { stored, known } = await storeReliably(() => runTransaction(db, statements));
  const [found] = known;
  const contact = found ? { id: found.id, locale: found.locale, isSubscribed: found.subscribed === 1 } : null;
  return { isNew: stored.length > 0, contact };
}

const isSameContact = ({ blog, email }: Subscriber): SQL =>
  joinAnd(sql`${contacts.blogId} = ${blog._id}`, sql`${contacts.email} = ${email}`);

/**
 * Makes the person who requested with the token of this hash a contact with a time of consent, once, and ends the
 * request. A new contact fires `contact.created`. An existing contact gets the time, and is subscribed again if it was
 * not. Returns the contact's id. Throws `not_found` if the request has been confirmed or has expired, and
 * `quota_exceeded` and `event_limit`, which keep the request.
 */
export async function confirmSubscription(writer: Writer, subscriber: Subscriber, hash: string): Promise<string> {
  const license = makeLicense(writer);
  const id = newId();
  const asked = hasToken(writer, hash);
  const inTime = joinAnd(asked, sql`${contactRequests.expirationTime} > ${license.time}`, SHOWN);
  const from = sql`from ${contactRequests} join ${blogs} on ${blogs.id} = ${contactRequests.blogId}`;
  const outcome = await commit(writer, license, {
    action: "contacts.subscribe",
    resourceId: sql`coalesce((select ${contacts.id} from ${contacts} where ${isSameContact(subscriber)}), ${id})`,
    blogId: subscriber.blog._id,
    where: sql`${from} where ${inTime} and (${contactExists(subscriber)} or ${contactsFit(writer, 1)})`,
    change: () => recordConsent(writer, license, { subscriber, hash, id }),
    event: {
      kind: "contact.created",
      blogId: sql`${contacts.blogId}`,
      data: CONTACT.json(),
      from: sql`from ${contacts} where ${contacts.id} = ${id}`,
      // An existing contact fires nothing.
      when: sql`not ${contactExists(subscriber)}`,
    },
    answer: sql`'{}'`,
    diagnose: sql<{ usage: string }>`select ${selectUsage(writer)} as "usage" ${from} where ${inTime}`,
  });
  if (outcome.refused) {
    const usage = outcome.diagnosis[0]?.usage;
    const refusal = usage === undefined ? null : checkQuota(writer, usage, { contacts: 1 });
    throw refusal ?? new DomainError("not_found");
  }
  return (await findContactId(makeReader(writer.db), subscriber.blog._id, subscriber.email)) ?? id;
}

const contactExists = (subscriber: Subscriber): SQL =>
  sql`exists (select 1 from ${contacts} where ${isSameContact(subscriber)})`;

const hasToken = ({ organizationId }: Writer, hash: string): SQL =>
  joinAnd(sql`${contactRequests.tokenHash} = ${hash}`, sql`${contactRequests.organizationId} = ${organizationId}`);

/** Marks a confirmed or withdrawn request: its token works no more, but its links say so until it expires. */
const markToken = (by: string) => ({ tokenHash: sql<string>`${by} || ${contactRequests.tokenHash}` });

/** Returns the statements that record the consent of a contact, or create one with this id, and end the request. */
function recordConsent(
  writer: Writer,
  { id: version, time, held }: License,
  { subscriber, hash, id }: { readonly subscriber: Subscriber; readonly hash: string; readonly id: string },
): Statement[] {
  const { organizationId } = writer;
  const asked = hasToken(writer, hash);
  const row = {
    id,
    organizationId,
    blogId: sql`${contactRequests.blogId}`,
    email: sql`${contactRequests.email}`,
    name: "",
    locale: sql`${contactRequests.locale}`,
    creationTime: time,
    consentTime: time,
  };
  const { consentTime, unsubscribeTime, imported } = contacts;
  return [
    builder
      .update(contacts)
      .set({
        consentTime: sql`iif(${unsubscribeTime} is null and ${imported} is null, coalesce(${consentTime}, ${time}), ${time})`,
        unsubscribeTime: null,
        imported: null,
        version,
      })
      .where(and(isSameContact(subscriber), held)),
    insertWhere(
      contacts,
      row,
      sql`from ${contactRequests} where ${joinAnd(asked, held)} and not ${contactExists(subscriber)}`,
    ),
    builder.update(contactRequests).set(markToken(CONFIRMED_BY)).where(and(asked, held)),
  ];
}

/** Records when a contact unsubscribed; only the first time counts. */
export async function endSubscription(writer: Writer, contactId: string): Promise<void> {
  const license = makeLicense(writer);
  const mine = joinAnd(sql`${contacts.id} = ${contactId}`, sql`${contacts.organizationId} = ${writer.organizationId}`);
  await commit(writer, license, {
    action: "contacts.unsubscribe",
    resourceId: contactId,
    blogId: sql`${contacts.blogId}`,
    where: sql`from ${contacts} where ${mine} and ${contacts.unsubscribeTime} is null`,
    change: ({ held }) => [
      builder.update(contacts).set({ unsubscribeTime: license.time, version: license.id }).where(and(mine, held)),
    ],
    answer: sql`'{}'`,
  });
}

/** Ends a request that the recipient did not want. Returns whether it existed and was not confirmed. */
export async function withdrawRequest(db: Database, hash: string): Promise<boolean> {
  const ended = orm(db).update(contactRequests).set(markToken(WITHDRAWN_BY)).where(eq(contactRequests.tokenHash, hash));
  return (await ended.returning({ id: contactRequests.id })).length > 0;
}
