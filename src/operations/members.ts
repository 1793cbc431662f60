/** The people of an organization. */
import * as z from "zod";
import { ROLES } from "../domain/principal.ts";
import { defineOperation } from "./define.ts";
import { deleted, identifier, output } from "./fields.ts";

export const role = z.enum(ROLES).meta({
  id: "Role",
  description:
    "owner and admin: everything, but only owners appoint and remove owners. writer: articles and topics. reader: read access.",
  example: "writer",
});

const member = z
  .object({
    _id: output.id,
    userId: output.id,
    name: z.string().meta({ example: "Ada Lovelace" }),
    email: z.string().meta({ example: "ada@example.com" }),
    role,
    creationTime: output.dateTime,
  })
  .meta({ id: "Member" });

const memberId = identifier("a member");

export const listMembers = defineOperation({
  name: "members.list",
  summary: "List the members",
  description: "The people who may use the organization, oldest membership first.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({}),
  output: z.array(member),
  run: async ({ store }) => ({ value: await store.listMembers() }),
});

export const updateMember = defineOperation({
  name: "members.update",
  summary: "Change a member's role",
  description: "It applies from the member's next request on. An organization keeps at least one owner.",
  scope: "operator",
  effect: "write",
  input: z.strictObject({ memberId, role }).meta({ id: "MemberChange" }),
  output: member,
  async run({ store, principal }, input) {
    return { value: await store.changeRole(input.memberId, input.role, principal.role === "owner") };
  },
});

export const removeMember = defineOperation({
  name: "members.remove",
  summary: "Remove a member",
  description:
    "They lose access at once, on every surface. Keys that they created stay: those belong to the organization.",
  scope: "operator",
  effect: "delete",
  input: z.strictObject({ memberId }),
  output: deleted,
  async run({ store, principal }, { memberId: id }) {
    await store.removeMember(id, principal.role === "owner");
    return { value: { _id: id } };
  },
});
