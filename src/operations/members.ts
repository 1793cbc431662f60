import * as z from "zod";
import { ROLES } from "../domain/principal.ts";
import { DomainError } from "../domain/errors.ts";
import { defineOperation } from "./define.ts";
import { deleted, identifier, output, toPageSize, paging, readOnlyMembers } from "./fields.ts";
import { requireSentBack } from "./unchanged.ts";

export const role = z.enum(ROLES).meta({
  id: "Role",
  description:
    "owner and admin: everything, but only owners add and remove owners. writer: articles and topics. contributor: drafts, unpublished changes and topics. reader: read access.",
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

const { role: _, ...madeByService } = member.shape;

const memberId = identifier("a member");

export const listMembers = defineOperation({
  name: "members.list",
  summary: "List the members",
  description: "The people who may use the organization, oldest membership first.",
  scope: "operator",
  effect: "read",
  input: z.strictObject(paging),
  output: z.array(member),
  async run({ store }, input) {
    const { items, next } = await store.listMembers({ ...input, limit: toPageSize(input.limit) });
    return { value: [...items], next };
  },
});

export const getMember = defineOperation({
  name: "members.get",
  summary: "Get a member",
  description: "With its ETag, for changes with If-Match.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({ memberId }),
  output: member,
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store }, { memberId: id }) {
    const found = await store.findMember(id);
    if (found === null) throw new DomainError("not_found", "There is no such member.");
    return found;
  },
});

export const updateMember = defineOperation({
  name: "members.update",
  summary: "Change a member's role",
  description: "It applies from the member's next request. An organization keeps at least one owner.",
  scope: "operator",
  effect: "write",
  versioned: true,
  input: z.strictObject({ memberId, role, ...readOnlyMembers(madeByService) }).meta({ id: "MemberChange" }),
  output: member,
  refuses: ["role_forbidden", "not_found", "last_owner"],
  hasEtag: true,
  audit: "changed the role of *",
  sample: { body: { role: "reader" } },
  async run({ store, principal, ifMatch }, { memberId: id, role: next, ...shown }) {
    await requireSentBack(shown, ifMatch, () => store.findMember(id));
    return store.changeRole(id, next, { byOwner: principal.role === "owner", ifMatch });
  },
});

export const removeMember = defineOperation({
  name: "members.remove",
  summary: "Remove a member",
  description:
    "They lose access at once, everywhere. Keys that they created stay, because they belong to the organization.",
  scope: "operator",
  effect: "delete",
  versioned: true,
  input: z.strictObject({ memberId }),
  output: deleted,
  refuses: ["role_forbidden", "not_found", "last_owner"],
  audit: "removed a member, or left the organization",
  async run({ store, principal, ifMatch }, { memberId: id }) {
    await store.removeMember(id, { byOwner: principal.role === "owner", ifMatch });
    return { value: { _id: id } };
  },
});
