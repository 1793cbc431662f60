/** An organization's contacts: people who wrote to one of its blogs or signed up there. */
import { and, eq, sql } from "drizzle-orm";
import { DomainError } from "../../domain/errors.ts";
import { newId } from "../../lib/ids.ts";
import { commit, makeLicense } from "../core/commit.ts";
import type { Writer } from "../core/writer.ts";
import { paginate, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { contactsFit, checkQuota, selectUsage } from "../core/quota.ts";
import { blogs, contacts } from "../../schema/blogs.ts";
import { defineResource, type RecordOf } from "../core/resource.ts";
import { joinAnd, builder, insertWhere, runTransaction } from "../core/sql.ts";
import { isShown } from "./names.ts";
import { ownsBlog, selectOwnBlogId, resolveTargetBlog } from "../core/reach.ts";

/** The version of a contact that has never changed is its id. */
export const CONTACT = defineResource(
  {
    _id: contacts.id,
    blogId: contacts.blogId,
    email: contacts.email,
    name: contacts.name,
    locale: contacts.locale,
    creationTime: contacts.creationTime,
    consentTime: contacts.consentTime,
    unsubscribeTime: contacts.unsubscribeTime,
    imported: contacts.imported,
  },
  sql`coalesce(${contacts.version}, ${contacts.id})`,
);

export type ContactRecord = RecordOf<typeof CONTACT>;

export type NewContact = {
  readonly blogId?: string | undefined;
  readonly email: string;
  readonly name: string;
  readonly locale?: string | undefined;
};

/** Returns the condition, on `contacts`, that the writer may touch them. */
export const isOwnContact = ({ organizationId, pinnedBlogId }: Writer) =>
  joinAnd(
    sql`${contacts.organizationId} = ${organizationId}`,
    isShown(contacts.blogId),
    pinnedBlogId !== null && sql`${contacts.blogId} = ${pinnedBlogId}`,
  );

/** Returns a page of a blog's contacts, newest first. Throws `blog_forbidden` if out of reach, and `invalid_cursor`. */
export async function listContacts(
  writer: Writer,
  query: PageQuery & { readonly blogId: string; readonly email?: string | undefined },
): Promise<Page<ContactRecord>> {
  const page = paginate(query, contacts.creationTime, contacts.id);
  const { reach, found } = await runTransaction(writer.db, {
    reach: sql`select 1 where ${ownsBlog(writer, query.blogId)}`,
    found: builder
      .select(CONTACT.fields)
      .from(contacts)
      .where(
        and(
          eq(contacts.blogId, selectOwnBlogId(writer, query.blogId)),
          query.email === undefined ? undefined : eq(contacts.email, query.email),
          page.from,
        ),
      )
      .orderBy(...page.order)
      .limit(page.limit)
      .offset(page.offset),
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  return toPage(query, found, CONTACT.toRecord);
}

/**
 * Stores a new contact and its event `contact.created`, and returns the contact. Without a locale it gets the blog's
 * default locale. Throws `contact_exists` if the blog has a contact with this email address, `quota_exceeded`,
 * `blog_required` and `blog_forbidden`.
 */
export async function createContact(writer: Writer, contact: NewContact): Promise<Versioned<ContactRecord>> {
  const license = makeLicense(writer);
  const id = newId();
  const target = resolveTargetBlog(writer, contact.blogId);
  const row = {
    id,
    organizationId: writer.organizationId,
    blogId: sql`${blogs.id}`,
    email: contact.email,
    name: contact.name,
    locale: sql`coalesce(${contact.locale ?? null}, ${blogs.locales} ->> '$[0]')`,
    creationTime: license.time,
  };
  const stored = eq(contacts.id, id);
  const outcome = await commit(writer, license, {
    action: "contacts.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${target.is} and ${contactsFit(writer, 1)} and not exists (select 1 from ${contacts}
      where ${contacts.blogId} = ${blogs.id} and ${contacts.email} = ${contact.email})`,
    change: ({ held }) => ({
      returning: insertWhere(contacts, row, sql`from ${blogs} where ${joinAnd(target.is, held)}`).returning(
        CONTACT.fields,
      ),
      again: () => builder.select(CONTACT.fields).from(contacts).where(stored),
    }),
    event: {
      kind: "contact.created",
      blogId: sql`${contacts.blogId}`,
      data: CONTACT.json(),
      from: sql`from ${contacts} where ${stored}`,
    },
    answer: sql`(select ${CONTACT.answer()} from ${contacts} where ${stored})`,
    diagnose: sql<{ usage: string }>`select f.*, ${selectUsage(writer)} as "usage" from (${target.found}) f`,
  });
  if (outcome.refused) {
    const { usage } = target.requireOne(outcome.diagnosis);
    throw checkQuota(writer, usage, { contacts: 1 }) ?? new DomainError("contact_exists");
  }
  return CONTACT.toRecord(outcome.row);
}
