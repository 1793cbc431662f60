import { ConfirmDelete } from "./confirm-delete.tsx";
import { ACTIONS, Table } from "./table.tsx";
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { LIMITS } from "../../domain/limits.ts";
import { ROLES } from "../../domain/principal.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { Initials } from "./frame.tsx";
import { onSubmit, Form, newForm, SelectField, TextField, type Choice, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { Next } from "./next.tsx";
import { Secret } from "./secret.tsx";
import { getPrincipal, perform, getPerson } from "./session.ts";
import { readForm } from "./read-form.ts";
import { Time } from "./time.tsx";
import { capitalize } from "../../lib/text.ts";

export const members = new Hono<ConsoleEnv>();

members.get("/", (c) => show(c, newForm({ role: "writer" })));

onSubmit(members, "/invitations", {
  again: show,
  async work(c, form) {
    const input = { email: form.text("email"), role: form.text("role") };
    const { value } = await perform(c, registry.createInvitation, input, form);
    return page(
      c,
      "Invitation created",
      <>
        <p>
          Send this link to <strong>{value.email}</strong>. It works once, and expires after {LIMITS.invitationDays}{" "}
          days. If email is set up, they also get an email with a link.
        </p>
        <Secret label="Link" value={value.link} />
        <p>
          <a href="/console/members">Back to members</a>
        </p>
      </>,
    );
  },
});

members.post("/invitations/:id/cancel", async (c) => {
  await perform(c, registry.cancelInvitation, { invitationId: c.req.param("id") }, await readForm(c));
  return goTo(c, "/console/members", "invitation-canceled");
});

members.post("/:id", async (c) => {
  const form = await readForm(c);
  await perform(c, registry.updateMember, { memberId: c.req.param("id"), role: form.text("role") });
  return goTo(c, "/console/members", "member-updated");
});

members.get("/:id/remove", async (c) => {
  const { value: member } = await perform(c, registry.getMember, { memberId: c.req.param("id") });
  return page(
    c,
    `Remove ${member.name}?`,
    <ConfirmDelete
      action={`/console/members/${member._id}/remove`}
      submit={`Remove ${member.name}`}
      keep={{ path: "/console/members", text: "Cancel" }}
    >
      <p>
        {member.name} ({member.email}) loses access immediately, on all devices. Invitations that they sent are
        canceled. <a href="/console/keys">API keys and access tokens</a> keep working, because they belong to the
        organization. Revoke those that this person knows.
      </p>
    </ConfirmDelete>,
  );
});

members.post("/:id/remove", async (c) => {
  await perform(c, registry.removeMember, { memberId: c.req.param("id") }, await readForm(c));
  return goTo(c, "/console/members", "member-removed");
});

const ROLE_HINTS = {
  owner: "can do everything, including managing owners",
  admin: "can do everything except managing owners",
  writer: "writes and publishes articles",
  contributor: "writes drafts and unpublished changes, which others publish",
  reader: "reads everything, including drafts",
} as const;

const PAGE = 50;

async function show(c: ConsoleContext, state: FormState, status?: Status) {
  const [{ value: people, next }, { value: open }] = await Promise.all([
    perform(c, registry.listMembers, { limit: PAGE, cursor: c.req.query("cursor") }),
    perform(c, registry.listInvitations, {}),
  ]);
  const isOwner = getPrincipal(c).role === "owner";
  const roles = ROLES.filter((role) => role !== "owner" || isOwner);
  const choices = roles.map((role) => ({ value: role, label: `${capitalize(role)}: ${ROLE_HINTS[role]}` }));
  return page(
    c,
    "Members",
    <>
      <People
        people={people}
        self={getPerson(c).id}
        isOwner={isOwner}
        roles={roles.map((role) => ({ value: role, label: capitalize(role) }))}
      />
      <Next path="/console/members" cursor={next} label="More" />
      <section aria-labelledby="invite">
        <h2 id="invite">Invite a member</h2>
        <Form action="/console/members/invitations" state={state} submit="Create invitation">
          <TextField state={state} name="email" label="Email address" type="email" required />
          <SelectField state={state} name="role" label="Role" choices={choices} />
        </Form>
      </section>
      {open.length > 0 && <Invitations open={open} />}
    </>,
    status,
  );
}

type Person = z.infer<typeof registry.listMembers.output>[number];

type PeopleProps = { people: readonly Person[]; self: string; isOwner: boolean; roles: readonly Choice[] };

const People: FC<PeopleProps> = ({ people, self, isOwner, roles }) => (
  <Table
    label="Members"
    rows={people}
    columns={[
      {
        head: "Member",
        cell: ({ name, email, userId }) => (
          <span class="person">
            <Initials of={name} />
            <span>
              <strong>{name}</strong> {userId === self && <span class="badge">You</span>}
              <small>{email}</small>
            </span>
          </span>
        ),
      },
      {
        head: "Role",
        cell: (person) => (person.role === "owner" && !isOwner ? "Owner" : <RoleForm person={person} roles={roles} />),
      },
      { head: "Joined", cell: ({ creationTime }) => <Time at={creationTime} /> },
      {
        head: ACTIONS,
        cell: ({ _id, userId, role, name }) =>
          userId !== self &&
          (role !== "owner" || isOwner) && (
            <a href={`/console/members/${_id}/remove`} aria-label={`Remove ${name}…`}>
              Remove…
            </a>
          ),
      },
    ]}
  />
);

const RoleForm: FC<{ person: Person; roles: readonly Choice[] }> = ({ person, roles }) => (
  <Form action={`/console/members/${person._id}`} submit="Change" about={person.name} tone="quiet" inline>
    <select name="role" aria-label={`Role of ${person.name}`}>
      {roles.map(({ value, label }) => (
        <option value={value} selected={value === person.role}>
          {label}
        </option>
      ))}
    </select>
  </Form>
);

type Open = z.infer<typeof registry.listInvitations.output>[number];

const Invitations: FC<{ open: readonly Open[] }> = ({ open }) => (
  <section aria-labelledby="invitations">
    <h2 id="invitations">Pending invitations</h2>
    <ul class="cards">
      {open.map(({ _id, email, role, expirationTime }) => (
        <li class="card">
          <strong>{email}</strong> <span class="badge">{role}</span>
          <p class="hint">
            Expires <Time at={expirationTime} />
          </p>
          <Form
            action={`/console/members/invitations/${_id}/cancel`}
            submit="Cancel invitation"
            about={email}
            tone="quiet"
            inline
          />
        </li>
      ))}
    </ul>
  </section>
);
