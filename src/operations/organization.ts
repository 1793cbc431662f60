import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { defineOperation } from "./define.ts";
import { deleted, line, output, readOnlyMembers } from "./fields.ts";
import { requireOwner } from "./owner.ts";
import { requireSentBack } from "./unchanged.ts";

const organization = z
  .object({ _id: output.id, name: z.string().meta({ example: "Acme" }), creationTime: output.dateTime })
  .meta({ id: "Organization" });

const { name: _, ...madeByService } = organization.shape;

export const organizationName = line(LIMITS.name)
  .refine((name) => name.trim() !== "", "must not be blank")
  .meta({ example: "Acme" });

export const showOrganization = defineOperation({
  name: "organization.show",
  summary: "Get the organization",
  description: "The organization that the credential belongs to.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({}),
  output: organization,
  run: async ({ store }) => ({ value: await store.showOrganization() }),
});

export const updateOrganization = defineOperation({
  name: "organization.update",
  summary: "Rename the organization",
  scope: "operator",
  effect: "write",
  input: z
    .strictObject({ name: organizationName, ...readOnlyMembers(madeByService) })
    .meta({ id: "OrganizationChange" }),
  output: organization,
  audit: "renamed the organization to *",
  sample: { body: { name: "Acme" } },
  async run({ store, ifMatch }, { name, ...shown }) {
    await requireSentBack(shown, ifMatch, async () => ({ value: await store.showOrganization() }));
    return { value: await store.renameOrganization(name) };
  },
});

export const deleteOrganization = defineOperation({
  name: "organization.delete",
  summary: "Delete the organization",
  description: `Only owners can. Nobody can act for it any more, and nobody sees its blogs. An owner can restore it in the console for ${LIMITS.trashDays} days, then it is deleted for good. Fires blog.deleted for each blog.`,
  scope: "operator",
  effect: "delete",
  input: z.strictObject({}),
  output: deleted,
  refuses: ["role_forbidden"],
  audit: "deleted the organization",
  sample: { command: "organization delete --yes" },
  async run({ store, principal }) {
    requireOwner(principal);
    await store.deleteOrganization();
    return { value: { _id: principal.organizationId } };
  },
});
