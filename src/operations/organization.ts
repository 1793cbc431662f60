import * as z from "zod";
import { LIMITS } from "../domain/limits.ts";
import { defineOperation } from "./define.ts";
import { deleted, line, output, readOnlyMembers } from "./fields.ts";
import { requireOwner } from "./owner.ts";
import { requireSentBack } from "./unchanged.ts";

const organization = z
  .object({
    _id: output.id,
    name: z.string().meta({ example: "Acme" }),
    creationTime: output.dateTime,
    modelTokensPerDay: z.int().nullable().meta({
      description: "The most tokens of models in a day (UTC); null for no ceiling.",
      example: 500_000,
    }),
  })
  .meta({ id: "Organization" });

const { name: _, modelTokensPerDay: __, ...madeByService } = organization.shape;

const MOST_TOKENS = 1_000_000_000;

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
  summary: "Change the organization",
  scope: "operator",
  effect: "write",
  input: z
    .strictObject({
      name: organizationName,
      modelTokensPerDay: z.int().min(0).max(MOST_TOKENS).nullable().optional().meta({
        description:
          "The most tokens of models in a day (UTC): a generation that would exceed it does not begin. null for no ceiling; left out, it stays.",
        example: 500_000,
      }),
      ...readOnlyMembers(madeByService),
    })
    .meta({ id: "OrganizationChange" }),
  output: organization,
  audit: "changed the organization *",
  sample: { body: { name: "Acme" } },
  async run({ store, ifMatch }, { name, modelTokensPerDay, ...shown }) {
    await requireSentBack(shown, ifMatch, async () => ({ value: await store.showOrganization() }));
    return { value: await store.changeOrganization({ name, modelTokensPerDay }) };
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
