/** Imports contacts who agreed elsewhere to get a blog's emails, or who unsubscribed from them (contract 6.3). */
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { ImportedConsent } from "../../domain/imported-contacts.ts";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { commit, makeLicense, type License } from "../core/commit.ts";
import { getAuditKind, type Writer } from "../core/writer.ts";
import { checkQuota, contactsFit, parseUsage, selectUsage } from "../core/quota.ts";
import { resolveTargetBlog } from "../core/reach.ts";
import { joinAnd, insertWhere, isAmong, orm, queryRows, type Statement } from "../core/sql.ts";
import { blogs, contacts } from "../../schema/blogs.ts";

/** A contact in an import. `state` is null if the import does not say whether they want emails. */
export type ImportedContact = {
  readonly email: string;
  readonly name: string;
  readonly locale: string | undefined;
  readonly state: "subscribed" | "unsubscribed" | null;
  /** Since when they are in this state; undefined if the import does not say. */
  readonly time: string | undefined;
};

export type ImportOutcome =
  | { readonly kind: "created" | "changed" | "unchanged"; readonly detail: string | null }
  | { readonly kind: "refused"; readonly error: DomainError };

type Stored = {
  readonly email: string;
  readonly id: string;
  readonly consentTime: string | null;
  readonly unsubscribeTime: string | null;
};

export type ContactImport = {
  readonly blogId: string | undefined;
  readonly from: string;
  readonly contacts: readonly (ImportedContact | DomainError)[];
  /** Only returns what would happen. */
  readonly isDry: boolean;
};

/** How often an import is planned again because the organization has got more contacts meanwhile. */
const MOST_TRIES = 5;

const WAS_UNSUBSCRIBED = "Has unsubscribed here, and stays so.";

/**
 * Stores new contacts, and what an import says about existing ones, in one transaction without events. Returns the
 * outcome of each, in their order, and whether anything was written. Nobody who has unsubscribed is subscribed again.
 * Throws `blog_required`, `blog_forbidden` and `quota_exceeded`.
 */
export async function importContacts(
  writer: Writer,
  given: ContactImport,
  buildAnswer: (outcomes: readonly ImportOutcome[]) => unknown,
): Promise<{ readonly outcomes: readonly ImportOutcome[]; readonly written: boolean }> {
  const target = resolveTargetBlog(writer, given.blogId);
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    const { id: blogId } = target.requireOne(await queryRows<{ id: string }>(writer.db, target.found));
    const license = makeLicense(writer);
    const { stored, room } = await readStored(writer, blogId, given);
    const { outcomes, kept, created } = planImport(given.contacts, stored, { room, now: license.time });
    if (given.isDry || kept.length === 0) return { outcomes, written: false };
    const imported = {
      from: given.from,
      time: license.time,
      by: { kind: getAuditKind(writer.actor), id: writer.actor.id },
    };
    const outcome = await commit<unknown, { usage: string }>(writer, license, {
      action: "contacts.import",
      resourceId: blogId,
      blogId,
      where: sql`from ${blogs} where ${joinAnd(target.is, eq(blogs.id, blogId), created > 0 && contactsFit(writer, created))}`,
      change: (held) => upsertContacts(writer, blogId, { kept, imported }, held),
      answer: sql`${JSON.stringify({ value: buildAnswer(outcomes) })}`,
      diagnose: sql<{ usage: string }>`select ${selectUsage(writer)} as "usage" from ${blogs} where ${target.is}`,
    });
    if (!outcome.refused) return { outcomes, written: true };
    const usage = outcome.diagnosis[0]?.usage;
    if (usage === undefined) throw new DomainError("blog_forbidden");
  }
  throw new DomainError("not_ready", "Others are adding contacts. Send the request again.", { retryAfterSeconds: 5 });
}

async function readStored(writer: Writer, blogId: string, { contacts: given }: ContactImport) {
  const emails = given.flatMap((each) => (each instanceof DomainError ? [] : [each.email]));
  const [stored, [organization]] = await Promise.all([
    orm(writer.db)
      .select({
        email: contacts.email,
        id: contacts.id,
        consentTime: contacts.consentTime,
        unsubscribeTime: contacts.unsubscribeTime,
      })
      .from(contacts)
      .where(and(eq(contacts.blogId, blogId), isAmong(contacts.email, emails))),
    queryRows<{ usage: string }>(writer.db, sql`select ${selectUsage(writer)} as "usage"`),
  ]);
  const usage = organization?.usage ?? "{}";
  const { used, quota } = parseUsage(writer, usage);
  const full = () => checkQuota(writer, usage, { contacts: quota.contacts }) ?? new DomainError("quota_exceeded");
  return { stored, room: { left: Math.max(0, quota.contacts - used.contacts), full } };
}

type Room = { readonly left: number; readonly full: () => DomainError };

/** Returns the outcome of each, and the rows to store: one for each email address that is new or changes. */
function planImport(
  given: ContactImport["contacts"],
  stored: readonly Stored[],
  { room, now }: { readonly room: Room; readonly now: string },
) {
  const known = new Map<string, Stored & { readonly contact?: ImportedContact }>(
    stored.map((each) => [each.email, each]),
  );
  const kept = new Map<string, Stored & { readonly contact: ImportedContact; readonly creationTime: string }>();
  let created = 0;
  const planOne = (contact: ImportedContact): ImportOutcome => {
    const found = known.get(contact.email);
    if (found === undefined && created >= room.left) return { kind: "refused", error: room.full() };
    const { consentTime, unsubscribeTime } = computeTimes(contact, found, now);
    const isSame = found?.consentTime === consentTime && found.unsubscribeTime === unsubscribeTime;
    if (isSame) {
      const stays = contact.state === "subscribed" && unsubscribeTime !== null;
      return { kind: "unchanged", detail: stays ? WAS_UNSUBSCRIBED : null };
    }
    if (found === undefined) created += 1;
    const row = { email: contact.email, id: found?.id ?? newId(), consentTime, unsubscribeTime };
    known.set(contact.email, row);
    kept.set(contact.email, { ...row, contact: kept.get(contact.email)?.contact ?? contact, creationTime: now });
    return { kind: found === undefined ? "created" : "changed", detail: null };
  };
  const outcomes = given.map((each) =>
    each instanceof DomainError ? ({ kind: "refused", error: each } as const) : planOne(each),
  );
  return { outcomes, kept: [...kept.values()], created };
}

function computeTimes({ state, time }: ImportedContact, found: Stored | undefined, now: string) {
  const { consentTime = null, unsubscribeTime = null } = found ?? {};
  if (unsubscribeTime !== null || state === null) return { consentTime, unsubscribeTime };
  if (state === "unsubscribed") return { consentTime, unsubscribeTime: time ?? now };
  return { consentTime: consentTime ?? time ?? now, unsubscribeTime };
}

const getField = (name: string): SQL => sql.raw(`given.value ->> '$.${name}'`);

function upsertContacts(
  writer: Writer,
  blogId: string,
  { kept, imported }: { readonly kept: ReturnType<typeof planImport>["kept"]; readonly imported: ImportedConsent },
  { id: version, held }: License,
): Statement[] {
  const given = kept.map(({ contact, ...row }) => ({
    ...row,
    name: contact.name,
    locale: contact.locale ?? null,
    isSaid: row.consentTime !== null || row.unsubscribeTime !== null,
  }));
  return [
    // What has happened to a contact since it was read wins: an import never undoes that somebody unsubscribed.
    sql`${insertWhere(
      contacts,
      {
        id: getField("id"),
        organizationId: writer.organizationId,
        blogId,
        email: getField("email"),
        name: getField("name"),
        locale: sql`coalesce(${getField("locale")}, ${blogs.locales} ->> '$[0]')`,
        creationTime: getField("creationTime"),
        consentTime: getField("consentTime"),
        unsubscribeTime: getField("unsubscribeTime"),
        version,
        imported: sql`iif(${getField("isSaid")}, ${JSON.stringify(imported)}, null)`,
      },
      sql`from ${blogs} cross join json_each(${JSON.stringify(given)}) given where ${blogs.id} = ${blogId} and ${held}`,
    ).getSQL()} on conflict (blog_id, email) do update set version = excluded.version, imported = excluded.imported,
        consent_time = iif(unsubscribe_time is null, coalesce(consent_time, excluded.consent_time), consent_time),
        unsubscribe_time = coalesce(unsubscribe_time, excluded.unsubscribe_time)`,
  ];
}
