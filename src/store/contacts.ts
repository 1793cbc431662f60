/** An organization's contacts: the people who wrote to, or signed up at, one of its blogs. */
import { sql } from "drizzle-orm";
import { DomainError } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { commit, newLicence, type Writer } from "./commit.ts";
import { pageClause, toPage, type Page, type PageQuery, type Versioned } from "./paging.ts";
import { blogs, contacts } from "./schema.ts";
import { all, bare, insertInto, jsonObject, transaction } from "./sql.ts";
import { onlyBlogOr } from "./target-blog.ts";

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

const RETURNED = sql.join(
  Object.entries(COLUMNS).map(([name, column]) => sql`${bare(column)} as ${sql.identifier(name)}`),
  sql`, `,
);

/** The contact methods of an organization's store. */
export function organizationContacts(writer: Writer) {
  const { db, organizationId, pinnedBlogId } = writer;
  return {
    /** A page of a blog's contacts, newest first; `blog_forbidden` where the blog is not within reach. */
    async listContacts(query: PageQuery & { readonly blogId: string }): Promise<Page<ContactRecord>> {
      const own = sql`exists (select 1 from ${blogs}
        where ${blogs.id} = ${query.blogId} and ${blogs.organizationId} = ${organizationId})`;
      const [reach = [], found = []] = await transaction(db, [
        sql`select 1 where ${own}`,
        sql`select ${RETURNED} from ${contacts} where ${all(sql`${contacts.blogId} = ${query.blogId}`, own)}
          ${pageClause(query, contacts.creationTime, contacts.id)}`,
      ]);
      if (reach.length === 0) throw new DomainError("blog_forbidden");
      return toPage(query, found as ContactRecord[], (row) => ({ value: row, version: row._id }));
    },

    /** Stores a new contact with its `contact.created`. */
    async createContact(contact: NewContact): Promise<Versioned<ContactRecord>> {
      const licence = newLicence(writer);
      const id = newId();
      const blogId = contact.blogId ?? pinnedBlogId ?? undefined;
      const target = onlyBlogOr(organizationId, blogId);
      const { into, values } = insertInto(contacts, {
        id,
        organizationId,
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
        where: sql`from ${blogs} where ${target.is} and not exists (select 1 from ${contacts} x
          where x.blog_id = ${blogs.id} and x.email = ${contact.email})`,
        change: ({ held }) => [
          sql`${into} select ${values} from ${blogs} where ${all(target.is, held)} returning ${RETURNED}`,
        ],
        event: {
          kind: "contact.created",
          blogId: sql`blog_id`,
          data: jsonObject(COLUMNS),
          from: sql`from ${contacts} where id = ${id}`,
        },
        answer: sql`(select ${jsonObject({ value: jsonObject(COLUMNS), version: sql`id` })}
          from ${contacts} where id = ${id})`,
        diagnose: target.found,
      });
      if ("refused" in outcome) {
        throw target.refusal(outcome.diagnosis) ?? new DomainError("contact_exists");
      }
      return { value: outcome.rows[0]?.[0] as ContactRecord, version: id };
    },
  };
}
