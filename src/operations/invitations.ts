import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { newLinkSecret } from "../domain/secrets.ts";
import { DAY_MS } from "../lib/time.ts";
import { writeInvitationMail } from "../background/mail/mail.ts";
import { defineOperation } from "./define.ts";
import { deleted, email, identifier, output } from "./fields.ts";
import { role } from "./members.ts";

const invitation = z
  .object({
    _id: output.id,
    email: z.string().meta({ example: "ada@example.com" }),
    role,
    expirationTime: output.dateTime,
    creationTime: output.dateTime,
  })
  .meta({ id: "Invitation" });

export const listInvitations = defineOperation({
  name: "invitations.list",
  summary: "List pending invitations",
  description: "Those that can still be accepted, newest first, without their links.",
  scope: "operator",
  effect: "read",
  input: z.strictObject({}),
  output: z.array(invitation),
  run: async ({ store }) => ({ value: await store.listInvitations() }),
});

export const createInvitation = defineOperation({
  name: "invitations.create",
  summary: "Invite a member",
  description: `The link is shown in this response and never again; it is also sent by email if email is set up. It works once, for ${LIMITS.invitationDays} days, for an account with this address. An earlier invitation for the address is canceled. An organization can send ${RATES.mailRequests} invitations a minute and have ${LIMITS.invitations} pending ones.`,
  scope: "operator",
  effect: "write",
  showsSecret: true,
  input: z.strictObject({ email, role }).meta({ id: "InvitationInput" }),
  output: invitation
    .extend({ link: z.string().meta({ example: "https://press.example.com/console/invitations/EXAMPLE" }) })
    .meta({ id: "NewInvitation" }),
  refuses: ["role_forbidden", "member_exists", "invitation_limit"],
  audit: "invited *",
  sample: { body: { email: "ada@example.com", role: "writer" } },
  async run({ store, principal, service, later, limit, seal, services }, input) {
    await services();
    if (input.role === "owner" && principal.role !== "owner") throw new DomainError("role_forbidden");
    await limit("invitations", principal.organizationId);
    // Read the name first: nothing may fail between storing the invitation and sending its email.
    const { name } = await store.showOrganization();
    const [shown, mailed] = [await newLinkSecret(), await newLinkSecret()];
    const toLink = ({ secret }: { secret: string }) => `${service.baseUrl()}/console/invitations/${secret}`;
    const link = toLink(shown);
    const created = await store.createInvitation({
      ...input,
      hash: shown.hash,
      mailHash: mailed.hash,
      expirationTime: new Date(Date.now() + LIMITS.invitationDays * DAY_MS).toISOString(),
      answer: (record) => seal(JSON.stringify({ value: { ...record, link } })),
    });
    later("mail", writeInvitationMail(input.email, name, toLink(mailed)));
    return { value: { ...created, link } };
  },
});

export const cancelInvitation = defineOperation({
  name: "invitations.cancel",
  summary: "Cancel an invitation",
  description: "Its link stops working at once.",
  scope: "operator",
  effect: "delete",
  input: z.strictObject({ invitationId: identifier("an invitation") }),
  output: deleted,
  refuses: ["not_found"],
  audit: "canceled an invitation",
  async run({ store }, { invitationId }) {
    await store.cancelInvitation(invitationId);
    return { value: { _id: invitationId } };
  },
});
