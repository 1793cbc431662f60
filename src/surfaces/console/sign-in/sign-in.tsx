/** The pages for signing in and out. */
import { Hono } from "hono";
import { APIError } from "better-auth/api";
import { normalizeEmail } from "../../../domain/email.ts";
import type { SignUp } from "../../../domain/settings.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { getAccounts, findPerson, forwardCookies } from "../session.ts";
import { rememberBrowser } from "./browsers.ts";
import { limitGuesses } from "./guesses.ts";
import { toLocalPath, addNext } from "./local-path.ts";

export const signIn = new Hono<ConsoleEnv>();

signIn.get("/sign-in", async (c) => {
  const next = toLocalPath(c, c.req.query("next"));
  if ((await findPerson(c)) !== null) return goTo(c, next);
  return show(c, newForm({ next }));
});

onSubmit(signIn, "/sign-in", {
  again: show,
  async work(c, form) {
    const email = normalizeEmail(form.text("email"));
    await passwordSignIn(c, email, form.text("password"));
    return goTo(c, toLocalPath(c, form.text("next")));
  },
});

signIn.post("/sign-out", async (c) => {
  const { headers } = c.req.raw;
  forwardCookies(c, await getAccounts(c).api.signOut({ headers, returnHeaders: true }));
  return goTo(c, "/console/sign-in", "signed-out");
});

/**
 * Signs in with a password. Throws `credentials_invalid` if the address or the password is wrong; neither the response
 * nor its time reveals which. Throws `too_many_failed_attempts` beyond the limits ({@link limitGuesses}).
 */
async function passwordSignIn(c: ConsoleContext, email: string, password: string): Promise<void> {
  await limitGuesses(c, email);
  try {
    const body = { email, password };
    const { headers } = c.req.raw;
    forwardCookies(c, await getAccounts(c).api.signInEmail({ body, headers, returnHeaders: true }));
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    throw new DomainError("credentials_invalid", "The email address or password is incorrect.");
  }
  await rememberBrowser(c, email);
}

/** What people without an account are told if they cannot sign up. */
export const NO_SIGN_UP: Readonly<Record<Exclude<SignUp, "open">, string>> = {
  invitation: "Accounts are by invitation only. Ask a member of your organization to invite you.",
  closed: "New accounts are closed.",
};

function show(c: ConsoleContext, state: FormState, status?: Status) {
  const { oidc, signUp } = c.env.arrival.settings;
  const next = String(state.values["next"] ?? "/console");
  return page(
    c,
    "Sign in",
    <div class="narrow">
      <Form action="/console/sign-in" state={state} submit="Sign in">
        <input type="hidden" name="next" value={next} />
        <TextField state={state} name="email" label="Email address" type="email" required autocomplete="username" />
        <TextField
          state={state}
          name="password"
          label="Password"
          type="password"
          required
          autocomplete="current-password"
        />
      </Form>
      {oidc !== null && (
        <p>
          <a class="button" href={`/console/sign-in/oidc?next=${encodeURIComponent(next)}`}>
            Continue with {oidc.name}
          </a>
        </p>
      )}
      <p>
        <a href="/console/forgot-password">Forgot your password?</a>
      </p>
      {signUp === "open" ? (
        <p>
          No account yet? <a href={addNext("/console/sign-up", next)}>Sign up</a>
        </p>
      ) : (
        <p class="hint">{NO_SIGN_UP[signUp]}</p>
      )}
    </div>,
    status,
  );
}
