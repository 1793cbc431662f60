/** Creates an account with a name and a password, for a person who has opened a link. */
import { getDirectory } from "../../../store/database.ts";
import { APIError } from "better-auth/api";
import type { FC } from "hono/jsx";
import * as z from "zod";
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { line } from "../../../operations/fields.ts";
import { removeHalfMadeUser } from "../../../store/people/system-people.ts";
import type { ConsoleContext } from "../env.ts";
import { TextField, type FormState } from "../forms.tsx";
import { makeAccounts, forwardCookies } from "../session.ts";
import type { Submission } from "../submission.ts";
import { rememberBrowser } from "./browsers.ts";
import { parseInput } from "./checked.ts";

/** A new password. Its length is limited in UTF-16 units. */
export const password = z
  .string()
  .min(LIMITS.passwordLeast, `must have at least ${LIMITS.passwordLeast} characters`)
  .max(LIMITS.passwordMost, `must have at most ${LIMITS.passwordMost} characters`);

export const personName = line(LIMITS.name).trim().min(1, "is required");

const newAccount = z.object({ name: personName, password });

type NewAccount = z.infer<typeof newAccount>;

/** Returns the name and the password in a form. Throws `invalid_request` with the invalid fields. */
export const parseNewAccount = (form: Submission): NewAccount =>
  parseInput(newAccount, { name: form.text("name"), password: form.text("password") });

/**
 * Creates an account, signs in with it, and returns the user. `emailProven` is true if the link was sent only to the
 * owner of the address, by mail. Throws `member_exists` if the address already has an account.
 */
export async function createAccount(
  c: ConsoleContext,
  { name, password }: NewAccount,
  { email, emailProven }: { email: string; emailProven: boolean },
): Promise<{ id: string; email: string }> {
  await removeHalfMadeUser(getDirectory(c.env.arrival.env), email);
  try {
    const { headers } = c.req.raw;
    const accounts = makeAccounts(c, { emailProven });
    const created = await accounts.api.signUpEmail({ body: { name, email, password }, headers, returnHeaders: true });
    const { user } = forwardCookies(c, created);
    await rememberBrowser(c, user.email);
    return user;
  } catch (error) {
    if (!(error instanceof APIError) || !error.body?.code?.startsWith("USER_ALREADY_EXISTS")) throw error;
    throw new DomainError("member_exists", "An account with this email address already exists. Sign in with it.");
  }
}

/** Labels of {@link NewAccountFields}, where they differ from those of other forms. */
export const NEW_ACCOUNT_LABELS = { name: "Your name" };

export const NewAccountFields: FC<{ state: FormState; email: string }> = ({ state, email }) => (
  <>
    <div class="field">
      <span class="label">Email address</span>
      <output>{email}</output>
      {/* Password managers need a field with the user name. */}
      <input type="hidden" name="username" autocomplete="username" value={email} />
    </div>
    <TextField
      state={state}
      name="name"
      label={NEW_ACCOUNT_LABELS.name}
      required
      autocomplete="name"
      maxlength={LIMITS.name}
    />
    <TextField
      state={state}
      name="password"
      label="Password"
      type="password"
      hint={`At least ${LIMITS.passwordLeast} characters.`}
      required
      autocomplete="new-password"
    />
  </>
);
