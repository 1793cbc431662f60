/** The page on which a person deletes their own account (contract 10.15). */
import { Hono } from "hono";
import { writeAccountDeletedMail } from "../../../background/mail/mail.ts";
import { DomainError } from "../../../domain/errors.ts";
import { openOrganizationStore } from "../../../store/organization.ts";
import {
  deleteCopies,
  deletePerson,
  JOINED,
  listSoleOwnerships,
} from "../../../store/people/system-account-deletion.ts";
import { renderProof, requireProof } from "./proof.tsx";
import { sendMailWithinLimit } from "../../request/mail.ts";
import { makeWriter } from "../../request/writer.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { newForm, onSubmit, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { forwardCookies, getAccounts, getMemberships, getPerson } from "../session.ts";

const PATH = "/console/account/delete";

export const accountDeletion = new Hono<ConsoleEnv>();

accountDeletion.get("/", (c) => ask(c, newForm()));

onSubmit(accountDeletion, "/", {
  again: ask,
  async work(c, form) {
    const { arrival } = c.env;
    const { id, email } = getPerson(c);
    await requireProof(c, form);
    const [owned] = await listSoleOwnerships(arrival.env, id);
    if (owned !== undefined) {
      throw new DomainError(
        "last_owner",
        `You are the only owner of “${owned}”. First make somebody else an owner, or delete it for good.`,
        {
          worded: true,
        },
      );
    }
    for (const { organizationId } of getMemberships(c)) {
      await openOrganizationStore(makeWriter(arrival, organizationId, { kind: "person", id })).leaveOrganization(id);
    }
    await deleteCopies(arrival.env, { id, email });
    // The cookies go first: afterwards, no session says whose they are.
    const { headers } = c.req.raw;
    forwardCookies(c, await getAccounts(c).api.signOut({ headers, returnHeaders: true }));
    if (!(await deletePerson(arrival.env, { id, email }))) {
      throw new DomainError("role_forbidden", JOINED);
    }
    arrival.waitUntil(sendMailWithinLimit(arrival, "account", writeAccountDeletedMail(email)));
    return goTo(c, "/console/sign-in", "account-deleted");
  },
});

async function ask(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  return page(
    c,
    "Delete your account?",
    <ConfirmDelete
      action={PATH}
      submit="Delete account"
      keep={{ path: "/console/account", text: "Cancel" }}
      state={state}
    >
      <p>
        You leave all organizations, your sessions end, and connected apps lose access, at once and for good. What you
        have written stays with its organization.
      </p>
      {await renderProof(c, state)}
    </ConfirmDelete>,
    status,
  );
}
