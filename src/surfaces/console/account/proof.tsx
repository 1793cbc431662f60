/** Proof that whoever uses a session is its person, before what cannot be undone. */
import { APIError } from "better-auth/api";
import { DomainError, invalidField } from "../../../domain/errors.ts";
import { findSessionStart } from "../../../store/people/system-account-deletion.ts";
import { findPassword } from "../../../store/people/system-people.ts";
import { getDirectory } from "../../../store/database.ts";
import type { ConsoleContext } from "../env.ts";
import { TextField, type FormState } from "../forms.tsx";
import { getAccounts, getPerson } from "../session.ts";
import type { Submission } from "../submission.ts";
import { limitGuesses } from "../sign-in/guesses.ts";

/** For how many minutes after signing in somebody without a password has proved who they are. */
const FRESH_MINUTES = 10;

/** Throws unless the person has just proved who they are: by their password, or without one by signing in. */
export async function requireProof(c: ConsoleContext, form: Submission): Promise<void> {
  const { email, session } = getPerson(c);
  const db = getDirectory(c.env.arrival.env);
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

const SIGN_IN_FIRST = `Sign out, sign in with your provider, and try again within ${FRESH_MINUTES} minutes.`;

/** Returns the field of the password, or what somebody without one has to do. */
export async function renderProof(c: ConsoleContext, state: FormState) {
  const hasPassword = (await findPassword(getDirectory(c.env.arrival.env), getPerson(c).email)) !== null;
  return hasPassword ? (
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
  );
}
