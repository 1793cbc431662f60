/** The page of an invitation's link, on which a person signs in or creates an account, and joins the organization. */
import { openDatabase } from "../../../store/database.ts";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { getBaseUrl } from "../../request/base-url.ts";
import { makeWriter } from "../../request/writer.ts";
import { enforceRequestedMailLimits, canDeliverMail, sendMail } from "../../request/mail.ts";
import { enforceReadLimit } from "../../request/strangers.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { DomainError } from "../../../domain/errors.ts";
import { sha256 } from "../../../lib/hash.ts";
import { isLinkSecret, newLinkSecret } from "../../../domain/secrets.ts";
import { writeInvitationMail } from "../../../background/mail/mail.ts";
import { openOrganizationStore } from "../../../store/organization.ts";
import { bringPerson } from "../../../store/people/system-shards.ts";
import { findInvitation, renewMailedLink, type OpenInvitation } from "../../../store/people/system-memberships.ts";
import type { ConsoleContext, ConsoleEnv, Person } from "../env.ts";
import { attempt, Form, newForm, type FormState } from "../forms.tsx";
import { readForm } from "../read-form.ts";
import { goTo, page, type Status } from "../layout.tsx";
import { findPerson, switchTo } from "../session.ts";
import { MailSent } from "./mail.tsx";
import { createAccount, NEW_ACCOUNT_LABELS, NewAccountFields, parseNewAccount } from "./new-account.tsx";

export const invitation = new Hono<ConsoleEnv>();

invitation.get("/:secret", async (c) => show(c, await requireInvitation(c), newForm()));

/** Joins with the account that is signed in. Redirects to the sign-in page if none is. */
invitation.post("/:secret", async (c) => {
  const open = await requireInvitation(c);
  const person = await findPerson(c);
  if (person === null) return goTo(c, `/console/sign-in?next=${encodeURIComponent(c.req.path)}`);
  await accept(c, open, person);
  await switchTo(c, open.organizationId);
  return goTo(c, "/console", "joined");
});

invitation.post("/:secret/sign-up", async (c) => {
  const form = await readForm(c);
  const open = await requireInvitation(c);
  return attempt(
    form,
    (state, status) => show(c, open, state, status),
    async () => {
      if (getNewcomers(c, open) === "none") {
        throw new DomainError("role_forbidden", "New accounts are closed. Sign in with an existing account to join.");
      }
      if (getNewcomers(c, open) === "mail") throw new DomainError("role_forbidden", MAILED_LINK);
      const account = parseNewAccount(form);
      const user = await createAccount(c, account, { email: open.email, emailProven: open.proven });
      await accept(c, open, user);
      return goTo(c, "/console", "joined");
    },
  );
});

/**
 * Mails a new link to the invited address. Opening it proves that the address is theirs: the inviter knows the first
 * link.
 */
invitation.post("/:secret/mail", async (c) => {
  const open = await requireInvitation(c);
  const { arrival } = c.env;
  await enforceRequestedMailLimits(arrival, c.req.raw, "invitation", open.email);
  const { secret, hash } = await newLinkSecret();
  await renewMailedLink(openDatabase(arrival.env, open.organizationId), open.id, hash);
  sendMail(arrival, writeInvitationMail(open.email, open.name, `${getBaseUrl(arrival)}/console/invitations/${secret}`));
  return page(
    c,
    "Check your email",
    <MailSent to={open.email} works={`for ${LIMITS.invitationDays} days`} local={!arrival.settings.production} />,
  );
});

const MAILED_LINK = "To create an account, open the link in your invitation email. It confirms your email address.";

async function accept(c: ConsoleContext, open: OpenInvitation, user: { id: string; email: string }): Promise<void> {
  await bringPerson(c.env.arrival.env, open.organizationId, user.id);
  const writer = makeWriter(c.env.arrival, open.organizationId, { kind: "person", id: user.id });
  await openOrganizationStore(writer).acceptInvitation(await hashSecret(c), user);
}

const hashSecret = (c: ConsoleContext): Promise<string> => sha256(c.req.param("secret") ?? "");

/** Returns the open invitation that the path's secret belongs to. Throws `not_found` if there is none, and `rate_limited`. */
async function requireInvitation(c: ConsoleContext): Promise<OpenInvitation> {
  const { arrival } = c.env;
  await enforceReadLimit(arrival, c.req.raw);
  const isSecret = isLinkSecret(c.req.param("secret") ?? "");
  const found = isSecret ? await findInvitation(arrival.env, await hashSecret(c), new Date()) : null;
  if (found !== null) return found;
  throw new DomainError("not_found", "This invitation was accepted or canceled, or has expired. Ask for a new one.");
}

async function show(c: ConsoleContext, open: OpenInvitation, state: FormState, status?: Status) {
  const person = await findPerson(c);
  const { settings } = c.env.arrival;
  const path = `/console/invitations/${c.req.param("secret")}`;
  const body =
    person === null ? (
      <Strangers
        open={open}
        state={state}
        path={path}
        oidc={settings.oidc?.name ?? null}
        newcomers={getNewcomers(c, open)}
      />
    ) : (
      <Known open={open} person={person} path={path} />
    );
  return page(c, `Join ${open.name}`, body, status);
}

/**
 * How a person without an account can create one: "none" if they cannot, "form" on this page, or "mail" if they first
 * have to open a link in a mail, which proves their address.
 */
type Newcomers = "none" | "form" | "mail";

function getNewcomers(c: ConsoleContext, open: OpenInvitation): Newcomers {
  if (c.env.arrival.settings.signUp === "closed") return "none";
  return !open.proven && canDeliverMail(c.env.arrival) ? "mail" : "form";
}

const Known: FC<{ open: OpenInvitation; person: Person; path: string }> = ({ open, person, path }) =>
  person.email === open.email ? (
    <Form action={path} submit={`Join ${open.name}`}>
      <p>
        You are invited to <strong>{open.name}</strong> as <strong>{open.role}</strong>.
      </p>
    </Form>
  ) : (
    <>
      <p>
        This invitation is for <strong>{open.email}</strong>, and you are signed in as <strong>{person.email}</strong>.
        Sign out, then open the link again.
      </p>
      <Form action="/console/sign-out" submit="Sign out" />
    </>
  );

type StrangersProps = {
  open: OpenInvitation;
  state: FormState;
  path: string;
  oidc: string | null;
  newcomers: Newcomers;
};

const Strangers: FC<StrangersProps> = ({ open, state, path, oidc, newcomers }) => {
  const next = encodeURIComponent(path);
  return (
    <div class="narrow">
      <p>
        You are invited to <strong>{open.name}</strong> as <strong>{open.role}</strong>.
      </p>
      <p>
        Already have an account? <a href={`/console/sign-in?next=${next}`}>Sign in to join</a>
      </p>
      {oidc !== null && (
        <p>
          <a class="button" href={`/console/sign-in/oidc?next=${next}`}>
            Continue with {oidc}
          </a>
        </p>
      )}
      {newcomers !== "none" && <h2>New here?</h2>}
      {newcomers === "form" && (
        <Form action={`${path}/sign-up`} state={state} submit="Create account and join" labels={NEW_ACCOUNT_LABELS}>
          <NewAccountFields state={state} email={open.email} />
        </Form>
      )}
      {newcomers === "mail" && (
        <Form action={`${path}/mail`} state={state} submit="Resend the link">
          <p>{MAILED_LINK}</p>
        </Form>
      )}
    </div>
  );
};
