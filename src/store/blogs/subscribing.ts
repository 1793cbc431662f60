/**
 * How readers subscribe to a blog's mails and end that (contract 20.9, 20.10). They have no account: the secret in a mail is
 * what says who they are, and of that only a hash is stored.
 */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { SUBSCRIBING } from "../../domain/subscriber-tokens.ts";
import { newId } from "../../lib/ids.ts";
import { commit, newLicence, type Licence, type Writer } from "../core/commit.ts";
import { storeSurely } from "../core/lost-answers.ts";
import { contactFits, quotaRefusal, usageOf } from "../core/quota.ts";
import {
  all,
  insertWhere,
  orm,
  readerOf,
  transaction,
  type Database,
  type Reader,
  type Statement,
} from "../core/sql.ts";
import { CONTACT } from "./contacts.ts";
import { isNamed, namesOf } from "./names.ts";
import { blogs, contactRequests, contacts } from "./schema.ts";

/** A blog that readers may subscribe to, and the locale in which readers are spoken to. */
export type OpenBlog = {
  readonly blogId: string;
  readonly organizationId: string;
  readonly blogName: string;
  readonly locale: string;
};

/** A reader who has not confirmed yet, or a contact, with the blog. `locale` is that of the reader. */
export type Subscriber = OpenBlog & { readonly email: string; readonly isOver: boolean };

const OF_BLOG = sql`${blogs.id} as "blogId", ${blogs.organizationId} as "organizationId", ${blogs.name} as "blogName"`;
const MAIN_LOCALE = sql`${blogs.locales} ->> '$[0]'`;

/** Returns a blog by its id or vanityId; null if there is none, or if its site is off. */
export async function findOpenBlog(read: Reader, named: string): Promise<OpenBlog | null> {
  const [blog] = await read<OpenBlog>(
    sql`select ${OF_BLOG}, ${MAIN_LOCALE} as "locale" from ${blogs} where ${isNamed(namesOf(named))}
      and ${blogs.siteEnabled} = 1`,
  );
  return blog ?? null;
}

/** The locale of the contact with the address of a request; NULL if there is none. */
const LOCALE_OF_CONTACT = sql`(select ${contacts.locale} from ${contacts}
  where ${contacts.blogId} = ${contactRequests.blogId} and ${contacts.email} = ${contactRequests.email})`;

/** Returns who asked with the token of this hash; null if there is no such request, if it has ended, or the site is off. */
export async function findContactRequest(read: Reader, hash: string, now: Date): Promise<Subscriber | null> {
  const [found] = await read<Omit<Subscriber, "isOver">>(
    sql`select ${OF_BLOG}, ${contactRequests.email}, coalesce(${LOCALE_OF_CONTACT}, ${contactRequests.locale}) as "locale"
      from ${contactRequests}
      join ${blogs} on ${blogs.id} = ${contactRequests.blogId}
      where ${contactRequests.tokenHash} = ${hash} and ${contactRequests.expirationTime} > ${now.toISOString()}
      and ${blogs.siteEnabled} = 1`,
  );
  return found === undefined ? null : { ...found, isOver: false };
}

/** Returns a contact by its id, also where the site is off: who wants no more mails must always be heard. Null if none. */
export async function findSubscriber(read: Reader, id: string): Promise<Subscriber | null> {
  const [found] = await read<Omit<Subscriber, "isOver"> & { over: number }>(
    sql`select ${OF_BLOG}, ${contacts.email}, ${contacts.locale}, ${contacts.unsubscribeTime} is not null as "over"
      from ${contacts}
      join ${blogs} on ${blogs.id} = ${contacts.blogId} where ${contacts.id} = ${id}`,
  );
  if (found === undefined) return null;
  const { over, ...rest } = found;
  return { ...rest, isOver: over === 1 };
}

/** What stands before the hash of a token by which a request was confirmed. */
const CONFIRMED_BY = "confirmed ";

/** Returns the id of the contact that was confirmed with the token of this hash; null if there is none, or the link has ended. */
export async function findConfirmed(read: Reader, hash: string, now: Date): Promise<string | null> {
  const [found] = await read<{ id: string }>(
    sql`select ${contacts.id} from ${contactRequests}
      join ${contacts} on ${contacts.blogId} = ${contactRequests.blogId} and ${contacts.email} = ${contactRequests.email}
      where ${contactRequests.tokenHash} = ${CONFIRMED_BY + hash}
      and ${contactRequests.expirationTime} > ${now.toISOString()}`,
  );
  return found?.id ?? null;
}

/** Returns the id of a blog's contact with this address; null if there is none. */
export async function findContactId(read: Reader, blogId: string, email: string): Promise<string | null> {
  const [found] = await read<{ id: string }>(
    sql`select ${contacts.id} from ${contacts} where ${contacts.blogId} = ${blogId} and ${contacts.email} = ${email}`,
  );
  return found?.id ?? null;
}

/** A contact with the address of a request. `isSubscribed` is false if it has not consented, or has unsubscribed. */
export type KnownContact = { readonly id: string; readonly locale: string; readonly isSubscribed: boolean };

export type NewRequest = {
  readonly blog: OpenBlog;
  readonly email: string;
  readonly locale: string | undefined;
  readonly hash: string;
  readonly now: Date;
};

/**
 * Stores that somebody asks for a blog's mails; a later request of the same address takes the place of the earlier one. Returns
 * `isNew` false, and changes nothing, if the last one is less than `SUBSCRIBING.againSeconds` old; and the contact with this
 * address, if there is one. If the answer of D1 is lost, the repetition finds its own
 * request by the hash, which is new too: otherwise nobody would send the mail.
 */
export async function requestSubscription(
  db: Database,
  { blog: { blogId, organizationId }, email, locale, hash, now }: NewRequest,
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
    stored: insertWhere(db, contactRequests, row, sql`from ${blogs} where ${blogs.id} = ${blogId}`)
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
  const { stored, known } = await storeSurely(() => transaction(db, statements));
  const [found] = known;
  const contact = found ? { id: found.id, locale: found.locale, isSubscribed: found.subscribed === 1 } : null;
  return { isNew: stored.length > 0, contact };
}

/** Returns the condition, on `contacts`, that it is the one of this address in this blog. */
const isOf = ({ blogId, email }: Subscriber): SQL =>
  all(sql`${contacts.blogId} = ${blogId}`, sql`${contacts.email} = ${email}`);

/**
 * Makes who asked with the token of this hash a contact with a time of consent, once, and ends the request. A new contact
 * fires `contact.created`; one that there is gets the time, and is subscribed again if it was not. Returns the contact's id.
 * Throws `not_found` if the request has been confirmed or has ended, `quota_exceeded` and `event_limit`: then the request stays.
 */
export async function confirmSubscription(writer: Writer, subscriber: Subscriber, hash: string): Promise<string> {
  const licence = newLicence(writer);
  const id = newId();
  const asked = askedWith(writer, hash);
  const inTime = all(asked, sql`${contactRequests.expirationTime} > ${licence.time}`, sql`${blogs.siteEnabled} = 1`);
  const from = sql`from ${contactRequests} join ${blogs} on ${blogs.id} = ${contactRequests.blogId}`;
  const outcome = await commit(writer, licence, {
    action: "contacts.subscribe",
    resourceId: sql`coalesce((select ${contacts.id} from ${contacts} where ${isOf(subscriber)}), ${id})`,
    blogId: subscriber.blogId,
    where: sql`${from} where ${inTime} and (${isThere(subscriber)} or ${contactFits(writer)})`,
    change: () => consented(writer, licence, { subscriber, hash, id }),
    event: {
      kind: "contact.created",
      blogId: sql`${contacts.blogId}`,
      data: CONTACT.json(),
      from: sql`from ${contacts} where ${contacts.id} = ${id}`,
      // One that there is fires nothing.
      when: sql`not ${isThere(subscriber)}`,
    },
    answer: sql`'{}'`,
    diagnose: sql<{ usage: string }>`select ${usageOf(writer)} as "usage" ${from} where ${inTime}`,
  });
  if (outcome.refused) {
    const usage = outcome.diagnosis[0]?.usage;
    const refusal = usage === undefined ? null : quotaRefusal(writer, usage, { contacts: 1 });
    throw refusal ?? new DomainError("not_found");
  }
  return (await findContactId(readerOf(writer.db), subscriber.blogId, subscriber.email)) ?? id;
}

const isThere = (subscriber: Subscriber): SQL => sql`exists (select 1 from ${contacts} where ${isOf(subscriber)})`;

/** Returns the condition, on `contact_requests`, that it was made with the token of this hash. */
const askedWith = ({ organizationId }: Writer, hash: string): SQL =>
  all(sql`${contactRequests.tokenHash} = ${hash}`, sql`${contactRequests.organizationId} = ${organizationId}`);

/** What a request has once it is confirmed: its token confirms nothing more, but still ends the subscription. */
const CONFIRMED = { tokenHash: sql`${CONFIRMED_BY} || ${contactRequests.tokenHash}` };

/**
 * What a request has once it was withdrawn: no token leads to it. The row stays, as it says when the address got its last mail,
 * until it may get another one; then the retention removes it.
 */
const ENDED = {
  tokenHash: sql`${contactRequests.id}`,
  expirationTime: sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${contactRequests.creationTime}, ${`+${SUBSCRIBING.againSeconds} seconds`})`,
};

/** Returns the statements that note the consent of a contact, or make one with this id, and end the request. */
function consented(
  writer: Writer,
  { id: version, time, held }: Licence,
  { subscriber, hash, id }: { readonly subscriber: Subscriber; readonly hash: string; readonly id: string },
): Statement[] {
  const { db, organizationId } = writer;
  const asked = askedWith(writer, hash);
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
  const { consentTime, unsubscribeTime } = contacts;
  return [
    orm(db)
      .update(contacts)
      .set({
        consentTime: sql`iif(${unsubscribeTime} is null, coalesce(${consentTime}, ${time}), ${time})`,
        unsubscribeTime: null,
        version,
      })
      .where(and(isOf(subscriber), held)),
    insertWhere(
      db,
      contacts,
      row,
      sql`from ${contactRequests} where ${all(asked, held)} and not ${isThere(subscriber)}`,
    ),
    orm(db).update(contactRequests).set(CONFIRMED).where(and(asked, held)),
  ];
}

/** Notes when a contact wanted no more mails; only the first time counts. */
export async function endSubscription(writer: Writer, contactId: string): Promise<void> {
  const licence = newLicence(writer);
  const mine = all(sql`${contacts.id} = ${contactId}`, sql`${contacts.organizationId} = ${writer.organizationId}`);
  await commit(writer, licence, {
    action: "contacts.unsubscribe",
    resourceId: contactId,
    blogId: sql`${contacts.blogId}`,
    where: sql`from ${contacts} where ${mine} and ${contacts.unsubscribeTime} is null`,
    change: ({ held }) => [
      orm(writer.db)
        .update(contacts)
        .set({ unsubscribeTime: licence.time, version: licence.id })
        .where(and(mine, held)),
    ],
    answer: sql`'{}'`,
  });
}

/** Ends a request: who got its mail did not want it. Returns whether it was still there, and not confirmed. */
export async function withdrawRequest(db: Database, hash: string): Promise<boolean> {
  const ended = orm(db).update(contactRequests).set(ENDED).where(eq(contactRequests.tokenHash, hash));
  return (await ended.returning({ id: contactRequests.id })).length > 0;
}
