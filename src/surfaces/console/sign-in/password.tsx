/** The pages on which a person who has forgotten their password requests a link and sets a new one. */
import { Hono } from "hono";
import { APIError } from "better-auth/api";
import * as z from "zod";
import { getBaseUrl } from "../../request/base-url.ts";
import { enforceRequestedMailLimits, sendMail } from "../../request/mail.ts";
import { enforceReadLimit } from "../../request/strangers.ts";
import { DomainError } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { writePasswordResetMail } from "../../../background/mail/mail.ts";
import { email } from "../../../operations/fields.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { getAccounts, makeAccounts } from "../session.ts";
import { rememberBrowser } from "./browsers.ts";
import { parseInput } from "./checked.ts";
import { MailSent } from "./mail.tsx";
import { password as newPassword } from "./new-account.tsx";

export const password = new Hono<ConsoleEnv>();

password.get("/forgot-password", (c) => ask(c, newForm()));

onSubmit(password, "/forgot-password", {
  again: ask,
  async work(c, form) {
    const { email: address } = parseInput(z.object({ email }), { email: form.text("email") });
    await enforceRequestedMailLimits(c.env.arrival, c.req.raw, "account", address);
    const { arrival } = c.env;
    const sendPasswordReset = (to: string, token: string) =>
      sendMail(arrival, writePasswordResetMail(to, `${getBaseUrl(arrival)}/console/reset-password/${token}`));
    await makeAccounts(c, { sendPasswordReset }).api.requestPasswordReset({ body: { email: address } });
    return page(c, "Check your email", <MailSent to={address} local={!arrival.settings.production} />);
  },
});

password.get("/reset-password/:token", async (c) => {
  if ((await findLink(c)) === null) throw makeGoneError();
  return set(c, newForm());
});

onSubmit(password, "/reset-password/:token", {
  again: set,
  async work(c, form) {
    const asked = parseInput(z.object({ password: newPassword }), { password: form.text("password") });
    const userId = await endSessions(c);
    try {
      await getAccounts(c).api.resetPassword({ body: { newPassword: asked.password, token: param(c, "token") } });
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      throw makeGoneError();
    }
    await rememberUserBrowser(c, userId);
    return goTo(c, "/console/sign-in", "password-set");
  },
});

/**
 * Ends all sessions of the account and returns its user id. Throws `not_found` for an invalid link. Call it before the
 * password is changed: if the request fails in between, lost sessions are better than old ones beside a new password.
 */
async function endSessions(c: ConsoleContext): Promise<string> {
  const found = await findLink(c);
  if (found === null) throw makeGoneError();
  await (await getAccounts(c).$context).internalAdapter.deleteUserSessions(found.value);
  return found.value;
}

/** The link has proven the address. An owner whose attempts strangers have used up can sign in again by it. */
async function rememberUserBrowser(c: ConsoleContext, userId: string): Promise<void> {
  const user = await (await getAccounts(c).$context).internalAdapter.findUserById(userId);
  if (user !== null) await rememberBrowser(c, user.email);
}

/** Returns better-auth's record of the link, or null if there is none or it has expired. Throws `rate_limited`. */
async function findLink(c: ConsoleContext) {
  await enforceReadLimit(c.env.arrival, c.req.raw);
  const { internalAdapter } = await getAccounts(c).$context;
  const found = await internalAdapter.findVerificationValue(`reset-password:${c.req.param("token")}`);
  return found !== null && found.expiresAt > new Date() ? found : null;
}

const makeGoneError = (): DomainError =>
  new DomainError("not_found", "This link was already used, or has expired. Request a new one on the sign-in page.");

function ask(c: ConsoleContext, state: FormState, status?: Status) {
  return page(
    c,
    "Forgot your password?",
    <div class="narrow">
      <Form action="/console/forgot-password" state={state} submit="Send link">
        <TextField
          state={state}
          name="email"
          label="Email address"
          type="email"
          required
          autocomplete="username"
          hint="We will email you a link to set a new password."
        />
      </Form>
      <p>
        <a href="/console/sign-in">Back to sign in</a>
      </p>
    </div>,
    status,
  );
}

function set(c: ConsoleContext, state: FormState, status?: Status) {
  return page(
    c,
    "Set a new password",
    <div class="narrow">
      <Form action={c.req.path} state={state} submit="Set password" labels={{ password: "New password" }}>
        <TextField
          state={state}
          name="password"
          label="New password"
          type="password"
          required
          autocomplete="new-password"
          hint={`At least ${LIMITS.passwordLeast} characters. All sessions are signed out.`}
        />
      </Form>
    </div>,
    status,
  );
}
