/** An organization's contacts: the people who wrote to, or signed up at, one of its blogs. */
import { sql } from "drizzle-orm";
import { DomainError } from "../../errors.ts";
import { newId } from "../../lib/ids.ts";
import { commit, newLicence, type Writer } from "../core/commit.ts";
import { pageClause, toPage, type Page, type PageQuery, type Versioned } from "../core/paging.ts";
import { contactFits, quotaRefusal, usageOf } from "../core/quota.ts";
import { blogs, contacts } from "./schema.ts";
import { all, insertInto, jsonObject, returned, transaction } from "../core/sql.ts";
import { ownBlog, ownBlogId, targetBlog } from "../core/reach.ts";

export type ContactRecord = {
  _id: string;
  blogId: string;
  email: string;
  name: string;
  locale: string;
  creationTime: string;
};

export type NewContact = {
  readonly blogId?: string | undefined;
  readonly email: string;
  readonly name: string;
  readonly locale?: string | undefined;
};

const COLUMNS = {
  _id: contacts.id,
  blogId: contacts.blogId,
  email: contacts.email,
  name: contacts.name,
  locale: contacts.locale,
  creationTime: contacts.creationTime,
} as const;

const RETURNED = returned(COLUMNS);

/** A page of a blog's contacts, newest first; `blog_forbidden` where the blog is not within reach. */
export async function listContacts(
  writer: Writer,
  query: PageQuery & { readonly blogId: string },
): Promise<Page<ContactRecord>> {
  const { reach, found } = await transaction(writer.db, {
    reach: sql`select 1 where ${ownBlog(writer, query.blogId)}`,
    found: sql<ContactRecord>`select ${RETURNED} from ${contacts} where ${contacts.blogId} = ${ownBlogId(writer, query.blogId)}
      ${pageClause(query, contacts.creationTime, contacts.id)}`,
  });
  if (reach.length === 0) throw new DomainError("blog_forbidden");
  return toPage(query, found, (row) => ({ value: row, version: row._id }));
}

/** Stores a new contact with its `contact.created`. */
export async function createContact(writer: Writer, contact: NewContact): Promise<Versioned<ContactRecord>> {
  const licence = newLicence(writer);
  const id = newId();
  const target = targetBlog(writer, contact.blogId);
  const { into, values } = insertInto(contacts, {
    id,
    organizationId: writer.organizationId,
    blogId: sql`${blogs.id}`,
    email: contact.email,
    name: contact.name,
    locale: sql`coalesce(${contact.locale ?? null}, ${blogs.locales} ->> '$[0]')`,
    creationTime: licence.time,
  });
  const outcome = await commit(writer, licence, {
    action: "contacts.create",
    resourceId: id,
    blogId: sql`${blogs.id}`,
    where: sql`from ${blogs} where ${target.is} and ${contactFits(writer)} and not exists (select 1 from ${contacts} x
      where x.blog_id = ${blogs.id} and x.email = ${contact.email})`,
    change: ({ held }) => ({
      returning: sql<ContactRecord>`${into} select ${values} from ${blogs} where ${all(target.is, held)}
        returning ${RETURNED}`,
    }),
    event: {
      kind: "contact.created",
      blogId: sql`blog_id`,
      data: jsonObject(COLUMNS),
      from: sql`from ${contacts} where id = ${id}`,
    },
    answer: sql`(select ${jsonObject({ value: jsonObject(COLUMNS), version: sql`id` })}
      from ${contacts} where id = ${id})`,
    diagnose: sql<{ usage: string }>`select f.*, ${usageOf(writer)} as "usage" from (${target.found}) f`,
  });
  if (outcome.refused) {
    const { usage } = target.one(outcome.diagnosis);
    throw quotaRefusal(writer, usage, { contacts: 1 }) ?? new DomainError("contact_exists");
  }
  return { value: outcome.row, version: id };
}
