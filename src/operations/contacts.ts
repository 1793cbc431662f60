/** Defines the operations on the contacts of a blog: who gets its mails. */
import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { listOf } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { blogId, deleted, email, identifier, line, locale, output, pageSize, paging } from "./fields.ts";

const contact = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    email: z.string().meta({ example: "ada@example.com" }),
    name: z.string().meta({ example: "Ada" }),
    locale: z.string().meta({ example: "en" }),
    creationTime: output.dateTime,
    consentTime: output.dateTime.nullable().meta({
      description: "When they confirmed by email that they want the blog's emails; null if they never did.",
      format: "date-time",
    }),
    unsubscribeTime: output.dateTime
      .nullable()
      .meta({ description: "When they unsubscribed; null if they have not.", format: "date-time" }),
  })
  .meta({ id: "Contact" });

const wholeContact = contact
  .extend({
    unsubscribeUrl: z.string().nullable().meta({
      description:
        "The URL where they unsubscribe, for the List-Unsubscribe header and the end of an email. Null if the service has no BASE_URL or AUTH_SECRET.",
      example: "https://press.example.com/blogs/019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a/unsubscribe/…",
    }),
  })
  .meta({ id: "WholeContact" });

export const listContacts = defineOperation({
  name: "contacts.list",
  summary: "List the contacts of a blog",
  description: "Newest first.",
  scope: "contacts:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    email: email
      .optional()
      .meta({ description: "Only the contact with this email address.", example: "ada@example.com" }),
    ...paging,
  }),
  output: z.array(wholeContact),
  async run({ store, leavingLinkOf }, input) {
    const { items, next } = await store.listContacts({ ...input, limit: pageSize(input.limit) });
    const whole = items.map(async ({ value, version }) => ({
      value: { ...value, unsubscribeUrl: await leavingLinkOf(value) },
      version,
    }));
    return listOf({ items: await Promise.all(whole), next });
  },
});

export const getContact = defineOperation({
  name: "contacts.get",
  summary: "Get a contact",
  description: "Everything that the service stores about it.",
  scope: "contacts:read",
  effect: "read",
  input: z.strictObject({ contactId: identifier("a contact") }),
  output: wholeContact,
  async run({ store, leavingLinkOf }, { contactId }) {
    const { value, version } = await store.findContact(contactId);
    return { value: { ...value, unsubscribeUrl: await leavingLinkOf(value) }, version };
  },
});

export const eraseContact = defineOperation({
  name: "contacts.erase",
  summary: "Erase a contact",
  description:
    "Deletes it, and removes the email address and the name from its event, its deliveries and the stored responses. Deliveries that have not been sent are skipped. Fires no event.",
  scope: "contacts:write",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ contactId: identifier("a contact") }),
  output: deleted,
  async run({ store, ifMatch }, { contactId }) {
    await store.eraseContact(contactId, ifMatch);
    return { value: { _id: contactId } };
  },
});

export const createContact = defineOperation({
  name: "contacts.create",
  summary: "Create a contact",
  description: "A blog has one contact per email address, regardless of case. Fires contact.created.",
  scope: "contacts:write",
  effect: "write",
  input: z
    .strictObject({
      blogId: blogId.optional(),
      email,
      name: line(LIMITS.name).default("").meta({ example: "Ada" }),
      locale: locale.optional(),
    })
    .meta({ id: "ContactInput" }),
  output: contact,
  run: ({ store }, input) => store.createContact(input),
});
