import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { IMPORTED_CONTACTS } from "../domain/imported-contacts.ts";
import { LIMITS } from "../domain/limits.ts";
import { invalidField, type DomainError } from "../domain/errors.ts";
import type { ImportedContact, ImportOutcome } from "../store/blogs/importing.ts";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { blogId, deleted, email, identifier, instant, line, locale, output, toPageSize, paging } from "./fields.ts";

const contact = z
  .object({
    _id: output.id,
    blogId: output.blogId,
    email: z.string().meta({ example: "ada@example.com" }),
    name: z.string().meta({ example: "Ada" }),
    locale: z.string().meta({ example: "en" }),
    creationTime: output.dateTime,
    consentTime: output.dateTime.nullable().meta({
      description:
        "When they confirmed by email that they want the blog's emails, or agreed elsewhere (`imported`); null if they never did.",
      format: "date-time",
    }),
    unsubscribeTime: output.dateTime
      .nullable()
      .meta({ description: "When they unsubscribed; null if they have not.", format: "date-time" }),
    imported: z
      .object({
        from: z.string().meta({ example: "members.csv" }),
        time: output.dateTime,
        by: z.object({
          kind: z.string().meta({ example: "user" }),
          id: z.string().meta({ example: "019a9d3b-6c7d-7e8f-9a0b-1c2d3e4f5a6b" }),
        }),
      })
      .nullable()
      .meta({
        description:
          "Who imported, and from where, that they agreed elsewhere to get the emails, or unsubscribed; null if nobody did.",
      }),
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
  refuses: ["blog_forbidden"],
  hasEtag: true,
  sample: { query: { blogId: "{blogId}" } },
  async run({ store, service }, input) {
    const { items, next } = await store.listContacts({ ...input, limit: toPageSize(input.limit) });
    const whole = items.map(async ({ value, version }) => ({
      value: { ...value, unsubscribeUrl: await service.getUnsubscribeUrl(value) },
      version,
    }));
    return toListResult({ items: await Promise.all(whole), next });
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
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store, service }, { contactId }) {
    const { value, version } = await store.findContact(contactId);
    return { value: { ...value, unsubscribeUrl: await service.getUnsubscribeUrl(value) }, version };
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
  refuses: ["not_found"],
  audit: "erased the contact *",
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
  refuses: ["blog_required", "blog_forbidden", "contact_exists", "quota_exceeded", "event_limit"],
  hasEtag: true,
  audit: "added the contact *",
  sample: { body: { blogId: "{blogId}", email: "ada@example.com", name: "Ada", locale: "en" } },
  run: ({ store }, input) => store.createContact(input),
});

const importOutcome = z
  .object({
    outcome: z.enum(["created", "changed", "unchanged", "refused"]).meta({
      description: "`changed`: the contact was there, and is subscribed or unsubscribed now.",
      example: "created",
    }),
    code: z.string().nullable().meta({ description: "The error code of a refusal.", example: null }),
    detail: z
      .string()
      .nullable()
      .meta({ description: "The reason of a refusal, or why nothing changed.", example: null }),
  })
  .meta({ id: "ContactImportOutcome" });

const importedContact = z.strictObject({
  email: z.string(),
  name: z.string().optional(),
  locale: z.string().optional(),
  state: z.enum(["subscribed", "unsubscribed"]).optional(),
  time: z.string().optional(),
});

const ONE = z.object({
  email,
  name: line(LIMITS.name).default(""),
  locale: locale.optional(),
  time: instant.optional(),
});

/** Returns an imported contact as the store takes it, or its error. */
function checkContact({ state, ...given }: z.infer<typeof importedContact>, now: Date): ImportedContact | DomainError {
  const { success, data, error } = ONE.safeParse(given);
  if (!success) {
    const [issue] = error.issues;
    return invalidField(issue?.path.join(".") ?? "", issue?.message ?? "is invalid");
  }
  if (data.time !== undefined && data.time > now.toISOString())
    return invalidField("time", "must not be in the future");
  return { email: data.email, name: data.name, locale: data.locale, time: data.time, state: state ?? null };
}

const toAnswer = (outcomes: readonly ImportOutcome[]) =>
  outcomes.map((each) =>
    each.kind === "refused"
      ? { outcome: each.kind, code: each.error.code, detail: each.error.message }
      : { outcome: each.kind, code: null, detail: each.detail },
  );

export const importContacts = defineOperation({
  name: "contacts.import",
  summary: "Import contacts",
  description: `Up to ${IMPORTED_CONTACTS}, in one transaction. Fires no event and sends no email. Whoever has unsubscribed from the blog stays so. The outcomes are in the order of \`contacts\`. An organization can send ${RATES.bulk} such requests a minute.`,
  scope: "contacts:write",
  effect: "write",
  input: z
    .strictObject({
      blogId: blogId.optional(),
      from: line(LIMITS.name)
        .min(1, "must not be empty")
        .meta({ description: "Where they agreed, or what file they are from.", example: "members.csv" }),
      contacts: z
        .array(importedContact)
        .min(1, "must not be empty")
        .max(IMPORTED_CONTACTS)
        .meta({
          description:
            "Each with `email`; `state` is `subscribed` for those who have agreed to get the blog's emails, and `unsubscribed` for those who wanted no more, since `time`.",
          example: [{ email: "ada@example.com", name: "Ada", state: "subscribed", time: "2024-05-01T09:00:00Z" }],
        }),
      dryRun: z.boolean().default(false).meta({ description: "Only say what would happen.", example: false }),
    })
    .meta({ id: "ContactImport" }),
  output: z.array(importOutcome),
  refuses: ["blog_required", "blog_forbidden", "not_ready"],
  audit: "imported contacts",
  sample: {
    body: { blogId: "{blogId}", from: "members.csv", contacts: [{ email: "ada@example.com", state: "subscribed" }] },
  },
  async run({ store, limit, principal }, { contacts, dryRun, ...input }) {
    await limit("bulk", principal.organizationId);
    const given = {
      ...input,
      blogId: input.blogId,
      isDry: dryRun,
      contacts: contacts.map((each) => checkContact(each, new Date())),
    };
    const { outcomes, written } = await store.importContacts(given, toAnswer);
    return { value: toAnswer(outcomes), ...(!written && { uncommitted: true as const }) };
  },
});
