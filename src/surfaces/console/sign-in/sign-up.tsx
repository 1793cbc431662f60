/**
 * The sign-up pages. They work only if SIGN_UP is "open". A person enters an email address and gets a link by mail, which
 * lets them create the account. So the response does not reveal whether an address has an account, and the address of
 * every account is proven to be its owner's.
 */
import { Hono } from "hono";
import * as z from "zod";
import { getBaseUrl } from "../../request/base-url.ts";
import { enforceRequestedMailLimits, sendMail } from "../../request/mail.ts";
import { enforceReadLimit } from "../../request/strangers.ts";
import { DomainError } from "../../../domain/errors.ts";
import { sha256 } from "../../../lib/hash.ts";
import { isLinkSecret, newLinkSecret } from "../../../domain/secrets.ts";
import { writeAccountExistsMail, writeSignUpMail } from "../../../background/mail/mail.ts";
import { email } from "../../../operations/fields.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, onSubmit, Form, newForm, TextField, getValue, type FormState } from "../forms.tsx";
import { readForm } from "../read-form.ts";
import { goTo, page, type Status } from "../layout.tsx";
import { getAccounts } from "../session.ts";
import { parseInput } from "./checked.ts";
import { toLocalPath, addNext } from "./local-path.ts";
import { NO_SIGN_UP } from "./sign-in.tsx";
import { MailSent } from "./mail.tsx";
import { createAccount, NEW_ACCOUNT_LABELS, NewAccountFields, parseNewAccount } from "./new-account.tsx";

/** How long a link works, in milliseconds. */
const LINK_MS = 60 * 60_000;

export const signUp = new Hono<ConsoleEnv>();

signUp.use(async (c, next) => {
  const mode = c.env.arrival.settings.signUp;
  if (mode === "open") return next();
  return page(c, "Sign up", <p>{NO_SIGN_UP[mode]}</p>, 403);
});

signUp.get("/", (c) => ask(c, newForm({ next: getNext(c) })));

onSubmit(signUp, "/", {
  again: ask,
  async work(c, form) {
    const { email: address } = parseInput(z.object({ email }), { email: form.text("email") });
    await enforceRequestedMailLimits(c.env.arrival, c.req.raw, "account", address);
    const { secret, hash } = await newLinkSecret();
    const { internalAdapter } = await getAccounts(c).$context;
    const known = await internalAdapter.findUserByEmail(address);
    const base = getBaseUrl(c.env.arrival);
    const expiresAt = new Date(Date.now() + LINK_MS);
    // Store the link even if it is never sent, so that a known address takes the same time as a new one.
    await internalAdapter.createVerificationValue({ identifier: toIdentifier(hash), value: address, expiresAt });
    const next = toLocalPath(c, form.text("next"), "");
    const mail =
      known === null
        ? writeSignUpMail(address, addNext(`${base}/console/sign-up/${secret}`, next))
        : writeAccountExistsMail(address, addNext(`${base}/console/sign-in`, next));
    sendMail(c.env.arrival, mail);
    return page(c, "Check your email", <MailSent to={address} local={!c.env.arrival.settings.production} />);
  },
});

signUp.get("/:secret", async (c) => complete(c, await requireAddress(c), newForm({ next: getNext(c) })));

signUp.post("/:secret", async (c) => {
  const form = await readForm(c);
  const address = await requireAddress(c);
  return attempt(
    form,
    (state, status) => complete(c, address, state, status),
    async () => {
      const account = parseNewAccount(form);
      const { internalAdapter } = await getAccounts(c).$context;
      const spent = await internalAdapter.consumeVerificationValue(await getIdentifier(c));
      if (spent === null) throw makeGoneError();
      await createAccount(c, account, { email: address, emailProven: true });
      return goTo(c, toLocalPath(c, form.text("next"), "/console/organizations"));
    },
  );
});

const getNext = (c: ConsoleContext): string => toLocalPath(c, c.req.query("next"), "");

const toIdentifier = (hash: string): string => `sign-up:${hash}`;

const getIdentifier = async (c: ConsoleContext): Promise<string> =>
  toIdentifier(await sha256(c.req.param("secret") ?? ""));

/** Returns the address that the link was sent to. Throws `not_found` if it does not work, and `rate_limited`. */
async function requireAddress(c: ConsoleContext): Promise<string> {
  await enforceReadLimit(c.env.arrival, c.req.raw);
  if (!isLinkSecret(c.req.param("secret") ?? "")) throw makeGoneError();
  const { internalAdapter } = await getAccounts(c).$context;
  const found = await internalAdapter.findVerificationValue(await getIdentifier(c));
  if (found === null || found.expiresAt < new Date()) throw makeGoneError();
  return found.value;
}

const makeGoneError = (): DomainError =>
  new DomainError("not_found", "This link was already used, or has expired. Sign up again to get a new one.");

function ask(c: ConsoleContext, state: FormState, status?: Status) {
  return page(
    c,
    "Sign up",
    <div class="narrow">
      <Form action="/console/sign-up" state={state} submit="Continue">
        <input type="hidden" name="next" value={getValue(state, "next")} />
        <TextField
          state={state}
          name="email"
          label="Email address"
          type="email"
          required
          autocomplete="email"
          hint="We will email you a link to set your password."
        />
      </Form>
      <p>
        Already have an account? <a href={addNext("/console/sign-in", getValue(state, "next"))}>Sign in</a>
      </p>
    </div>,
    status,
  );
}

function complete(c: ConsoleContext, address: string, state: FormState, status?: Status) {
  return page(
    c,
    "Create your account",
    <div class="narrow">
      <Form action={c.req.path} state={state} submit="Create account" labels={NEW_ACCOUNT_LABELS}>
        <input type="hidden" name="next" value={getValue(state, "next")} />
        <NewAccountFields state={state} email={address} />
      </Form>
    </div>,
    status,
  );
}
