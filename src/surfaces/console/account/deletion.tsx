/** The page on which a person deletes their own account (contract 10.15). */
import { Hono } from "hono";
import { APIError } from "better-auth/api";
import { writeAccountDeletedMail } from "../../../background/mail/mail.ts";
import { DomainError, invalidField } from "../../../domain/errors.ts";
import { openOrganizationStore } from "../../../store/organization.ts";
import { deletePerson, findSessionStart, listSoleOwnerships } from "../../../store/people/system-account-deletion.ts";
import { findPassword } from "../../../store/people/system-people.ts";
import { getSharedDatabase } from "../../../store/database.ts";
import { sendMailWithinLimit } from "../../request/mail.ts";
import { makeWriter } from "../../request/writer.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { newForm, onSubmit, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { forwardCookies, getAccounts, getMemberships, getPerson } from "../session.ts";
import type { Submission } from "../submission.ts";
import { limitGuesses } from "../sign-in/guesses.ts";

const PATH = "/console/account/delete";

/** How many minutes after signing in somebody without a password may delete their account. */
const FRESH_MINUTES = 10;

export const accountDeletion = new Hono<ConsoleEnv>();

accountDeletion.get("/", (c) => ask(c, newForm()));

onSubmit(accountDeletion, "/", {
  again: ask,
  async work(c, form) {
    const { arrival } = c.env;
    const { id, email } = getPerson(c);
    const db = getSharedDatabase(arrival.env);
    await requireProof(c, form);
    const [owned] = await listSoleOwnerships(db, id);
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
    // The cookies go first: afterwards, no session says whose they are.
    const { headers } = c.req.raw;
    forwardCookies(c, await getAccounts(c).api.signOut({ headers, returnHeaders: true }));
    if (!(await deletePerson(db, { id, email }))) {
      throw new DomainError("role_forbidden", "You have joined an organization meanwhile. Sign in, and try again.");
    }
    arrival.waitUntil(sendMailWithinLimit(arrival, "account", writeAccountDeletedMail(email)));
    return goTo(c, "/console/sign-in", "account-deleted");
  },
});

/** Throws unless the person has just proved who they are: by their password, or without one by signing in. */
async function requireProof(c: ConsoleContext, form: Submission): Promise<void> {
  const { email, session } = getPerson(c);
  const db = getSharedDatabase(c.env.arrival.env);
  if ((await findPassword(db, email)) === null) {
    const start = await findSessionStart(db, session.id);
    if (start !== null && Date.now() - start.getTime() < FRESH_MINUTES * 60_000) return;
    throw new DomainError("role_forbidden", SIGN_IN_FIRST, { worded: true });
  }
  await limitGuesses(c, email);
  try {
    await getAccounts(c).api.verifyPassword({ body: { password: form.text("password") }, headers: c.req.raw.headers });
  } catch (error) {
    if (error instanceof APIError) throw invalidField("password", "is incorrect");
    throw error;
  }
}

const SIGN_IN_FIRST = `Sign out, sign in with your provider, and delete your account within ${FRESH_MINUTES} minutes.`;

async function ask(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const hasPassword = (await findPassword(getSharedDatabase(c.env.arrival.env), getPerson(c).email)) !== null;
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
      {hasPassword ? (
        <TextField
          state={state}
          name="password"
          label="Password"
          type="password"
          required
          autocomplete="current-password"
        />
      ) : (
        <p class="hint">{SIGN_IN_FIRST}</p>
      )}
    </ConfirmDelete>,
    status,
  );
}
