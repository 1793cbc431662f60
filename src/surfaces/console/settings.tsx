import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { invalidField } from "../../domain/errors.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { SignUp } from "../../domain/settings.ts";
import { registry } from "../../operations/registry.ts";
import type { Arrival } from "../request/arrival.ts";
import { canDeliverMail } from "../request/mail.ts";
import { findDeploymentModelName } from "../request/models.ts";
import { ConfirmDelete } from "./confirm-delete.tsx";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { Fact, Section } from "./parts.tsx";
import { onSubmit, Form, newForm, TextField, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { getPrincipal, perform } from "./session.ts";
import { formatDays, Time, Utc } from "./time.tsx";

export const settings = new Hono<ConsoleEnv>();

settings.get("/", async (c) => show(c));

onSubmit(settings, "/", {
  again: show,
  async work(c, form) {
    const tokens = form.text("modelTokensPerDay").trim();
    const modelTokensPerDay = tokens === "" ? null : readTokens(tokens);
    await perform(c, registry.updateOrganization, { name: form.text("name"), modelTokensPerDay });
    return goTo(c, "/console/settings", "saved");
  },
});

const NAME = "Organization name";
/** Returns NaN, which is refused, for anything but a whole number. Thousands may be set apart. */
const readTokens = (text: string): number =>
  /^(?:\d+|\d{1,3}(?:[.,\s’']\d{3})+)$/.test(text) ? Number(text.replaceAll(/\D/g, "")) : Number.NaN;

const TOKENS = "AI tokens a day";
const DELETION = "/console/settings/delete";

settings.get("/delete", (c) => askToDelete(c, newForm()));

onSubmit(settings, "/delete", {
  again: askToDelete,
  async work(c, form) {
    const { value } = await perform(c, registry.showOrganization, {});
    if (form.text("name").trim() !== value.name) throw invalidField("name", "is another one");
    await perform(c, registry.deleteOrganization, {});
    return goTo(c, "/console/organizations", "organization-deleted");
  },
});

async function askToDelete(c: ConsoleContext, state: FormState, status?: Status) {
  const { value } = await perform(c, registry.showOrganization, {});
  return page(
    c,
    `Delete ${value.name}?`,
    <ConfirmDelete
      action={DELETION}
      submit="Delete organization"
      keep={{ path: "/console/settings", text: "Cancel" }}
      state={state}
    >
      <p>
        Nobody sees its blogs and images any more, its members, keys and apps are refused, and what is planned rests.
        For {LIMITS.trashDays} days, an owner can restore it. After that, everything of it is deleted for good.
      </p>
      <TextField
        state={state}
        name="name"
        label={`To confirm, enter its name: ${value.name}`}
        required
        autocomplete="off"
      />
    </ConfirmDelete>,
    status,
  );
}

async function show(c: ConsoleContext, refused?: FormState, status?: Status) {
  const { value } = await perform(c, registry.showOrganization, {});
  const state =
    refused ?? newForm({ name: value.name, modelTokensPerDay: value.modelTokensPerDay?.toLocaleString("en") ?? "" });
  return page(
    c,
    "Settings",
    <>
      <General organization={value} state={state} />
      <Section id="access" name="Access" about="People and programs that can use the organization’s blogs.">
        <div class="card">
          <Links links={ACCESS} />
        </div>
      </Section>
      <Section id="limits" name="Usage and limits" about="Quotas, logs and data.">
        <div class="card">
          <Links links={LIMITS_AND_LOGS} />
        </div>
      </Section>
      <Deployment arrival={c.env.arrival} />
      {getPrincipal(c).role === "owner" && (
        <Section
          id="deletion"
          name="Deletion"
          about={`An owner can restore the organization for ${LIMITS.trashDays} days.`}
        >
          <div class="card">
            <a href={DELETION}>Delete the organization…</a>
          </div>
        </Section>
      )}
    </>,
    status,
  );
}

type Link = { readonly path: string; readonly name: string; readonly about: string };

const ACCESS: readonly Link[] = [
  { path: "/console/members", name: "Members and invitations", about: "People and their roles." },
  { path: "/console/keys", name: "API keys and access tokens", about: "For websites, scripts and agents." },
  { path: "/console/webhooks", name: "Webhooks", about: "Servers that are notified of every change." },
  { path: "/console/account", name: "Connected apps", about: "Each member finds their own in their account." },
];

const LIMITS_AND_LOGS: readonly Link[] = [
  { path: "/console/usage", name: "Usage and quotas", about: "Articles, images, events and deliveries." },
  { path: "/console/generations", name: "Generations", about: "What AI wrote, with tokens and cost." },
  { path: "/console/audit", name: "Audit log", about: "Who changed what, and when." },
  {
    path: "/console/transfer",
    name: "Import and export",
    about: "From Markdown, Ghost and WordPress, and to Markdown.",
  },
  { path: "/console/settings/export", name: "Export", about: "Everything of the organization, for its owners." },
];

const Links: FC<{ links: readonly Link[] }> = ({ links }) => (
  <ul class="links">
    {links.map(({ path, name, about }) => (
      <li>
        <a href={path}>{name}</a>
        <p class="hint">{about}</p>
      </li>
    ))}
  </ul>
);

const SIGN_UP: Readonly<Record<SignUp, string>> = {
  open: "Anyone can sign up.",
  invitation: "By invitation only.",
  closed: "Closed.",
};

const Deployment: FC<{ arrival: Arrival }> = ({ arrival }) => {
  const { signUp, oidc, kept, production } = arrival.settings;
  const model = findDeploymentModelName(arrival.env, arrival.settings);
  const sent = canDeliverMail(arrival) ? "Sent." : "Not sent, because email is not set up.";
  return (
    <Section id="deployment" name="This service" about="Set by the operator of the service, for all organizations.">
      <div class="card">
        <dl class="facts list">
          <Fact name="New accounts">{SIGN_UP[signUp]}</Fact>
          <Fact name="Sign-in">{oidc ? `With a password, or with ${oidc.name}.` : "With a password."}</Fact>
          <Fact name="AI model">{model === null ? "Not set up." : <code>{model}</code>}</Fact>
          <Fact name="Events kept for">{formatDays(kept.events)}</Fact>
          <Fact name="Deliveries kept for">{formatDays(kept.deliveries)}</Fact>
          <Fact name="Audit log kept for">{formatDays(kept.audit)}</Fact>
          <Fact name="Emails">
            {production ? (
              sent
            ) : (
              <>
                Not sent in local runs. <a href="/console/mail">View them</a>
              </>
            )}
          </Fact>
        </dl>
      </div>
    </Section>
  );
};

type GeneralProps = {
  readonly organization: z.infer<typeof registry.showOrganization.output>;
  readonly state: FormState;
};

const General: FC<GeneralProps> = ({ organization, state }) => (
  <Section id="general" name="General" about="The organization’s name, shown here and in invitations.">
    <div class="card">
      <Form action="/console/settings" state={state} submit="Save" labels={{ name: NAME, modelTokensPerDay: TOKENS }}>
        <TextField state={state} name="name" label={NAME} required maxlength={LIMITS.name} />
        <TextField
          state={state}
          name="modelTokensPerDay"
          label={TOKENS}
          hint="For generated articles and help with texts; topic ideas do not count. What would exceed it does not begin. Days are in UTC. Empty for no limit."
          maxlength={15}
        />
      </Form>
      <dl class="facts">
        <Fact name="ID">
          <code>{organization._id}</code>
        </Fact>
        <Fact name="Created">
          <Time at={organization.creationTime} />
          <Utc />
        </Fact>
      </dl>
    </div>
  </Section>
);
