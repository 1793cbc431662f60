import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { listOf } from "./articles.ts";
import { defineOperation } from "./define.ts";
import { blogId, email, line, locale, output, pageSize, paging } from "./fields.ts";

const contact = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    email: z.string().meta({ example: "ada@example.com" }),
    name: z.string().meta({ example: "Ada" }),
    locale: z.string().meta({ example: "en" }),
    creationTime: output.dateTime,
  })
  .meta({ id: "Contact" });

export const listContacts = defineOperation({
  name: "contacts.list",
  summary: "List the contacts of a blog",
  description: "Newest first.",
  scope: "contacts:read",
  effect: "read",
  input: z.strictObject({
    blogId,
    email: email.optional().meta({ description: "Only the contact with this address.", example: "ada@example.com" }),
    ...paging,
  }),
  output: z.array(contact),
  async run({ store }, input) {
    return listOf(await store.listContacts({ ...input, limit: pageSize(input.limit) }));
  },
});

export const createContact = defineOperation({
  name: "contacts.create",
  summary: "Create a contact",
  description: "A blog has one contact per e-mail address, regardless of case. Fires contact.created.",
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
