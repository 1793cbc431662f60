/** The page on which a person creates, switches and leaves organizations. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import * as z from "zod";
import { makeWriter } from "../../request/writer.ts";
import { DomainError } from "../../../domain/errors.ts";
import { hmacSha256, toHex } from "../../../lib/hash.ts";
import { isId, newId } from "../../../lib/ids.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { organizationName } from "../../../operations/organization.ts";
import { openOrganizationStore, type OrganizationStore } from "../../../store/organization.ts";
import { assignHome, bringPerson } from "../../../store/people/system-shards.ts";
import { listMemberships, type OwnMembership } from "../../../store/people/system-memberships.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, TextField, getValue, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { renderProof, requireProof } from "./proof.tsx";
import { getMemberships, getPerson, switchTo } from "../session.ts";
import { parseInput } from "../sign-in/checked.ts";
import { toLocalPath } from "../sign-in/local-path.ts";

export const organizations = new Hono<ConsoleEnv>();

organizations.get("/", (c) => show(c, newForm({ next: toLocalPath(c, c.req.query("next")) })));

onSubmit(organizations, "/", {
  again: show,
  async work(c, form) {
    const { name } = parseInput(z.object({ name: organizationName }), { name: form.text("name") });
    const id = await makeOrganizationId(c, form.idempotencyKey ?? "");
    const { env } = c.env.arrival;
    await assignHome(env, id);
    await bringPerson(env, id, getPerson(c).id);
    const founded = await openOwnStore(c, id).createOrganization(name, getPerson(c).id);
    if (!founded && !(await isMember(c, id))) {
      throw new DomainError("not_found", "This form is no longer valid. Open the page again.");
    }
    await switchTo(c, id);
    return goTo(c, toLocalPath(c, form.text("next")), "organization-created");
  },
});

/**
 * Returns the id, a UUIDv7, of the organization that a form creates. All submissions of one form get the same id, so a
 * double click creates only one organization. Returns a new id if the form has no valid key. The id contains the time
 * of the form's key; the rest is an HMAC that the sender cannot choose. Otherwise a sender could choose an id that
 * shares the mark of another organization in the search index (store/articles/search-index.ts).
 */
async function makeOrganizationId(c: ConsoleContext, formKey: string): Promise<string> {
  if (!isId(formKey) || formKey.charAt(14) !== "7") return newId();
  const { authSecret } = c.env.arrival.settings;
  const random = toHex(await hmacSha256(authSecret, `organization ${getPerson(c).id} ${formKey}`));
  return `${formKey.slice(0, 15)}${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

/** Whether the person belongs to the organization. Asks the database: another submission may just have created it. */
async function isMember(c: ConsoleContext, id: string): Promise<boolean> {
  const memberships = await listMemberships(c.env.arrival.env, getPerson(c).id);
  return memberships.some(({ organizationId }) => organizationId === id);
}

organizations.post("/:id/switch", async (c) => {
  await switchTo(c, requireMembership(c).organizationId);
  return goTo(c, "/console", "switched");
});

organizations.get("/:id/leave", (c) => {
  const { name, organizationId } = requireMembership(c);
  return page(
    c,
    `Leave ${name}?`,
    <Form action={`/console/organizations/${organizationId}/leave`} submit={`Leave ${name}`} tone="danger">
      <p>You lose access to its blogs immediately. To rejoin, you need a new invitation.</p>
      <p>
        <a href="/console/organizations">Cancel</a>
      </p>
    </Form>,
  );
});

organizations.post("/:id/leave", async (c) => {
  await openOwnStore(c, requireMembership(c).organizationId).leaveOrganization(getPerson(c).id);
  return goTo(c, "/console/organizations", "left");
});

onSubmit(organizations, "/:id/restore", {
  again: show,
  async work(c) {
    const { organizationId } = requireMembership(c);
    await openOwnStore(c, organizationId).restoreOrganization(getPerson(c).id);
    await switchTo(c, organizationId);
    return goTo(c, "/console", "organization-restored");
  },
});

organizations.get("/:id/delete", (c) => askForGood(c, newForm()));

onSubmit(organizations, "/:id/delete", {
  again: askForGood,
  async work(c, form) {
    await requireProof(c, form);
    await openOwnStore(c, requireMembership(c).organizationId).eraseOrganization(getPerson(c).id);
    return goTo(c, "/console/organizations", "organization-erased");
  },
});

async function askForGood(c: ConsoleContext, state: FormState, status?: Status) {
  const { name, organizationId } = requireMembership(c);
  return page(
    c,
    `Delete ${name} for good?`,
    <ConfirmDelete
      action={`/console/organizations/${organizationId}/delete`}
      submit="Delete for good"
      keep={{ path: "/console/organizations", text: "Cancel" }}
      state={state}
    >
      <p>Its blogs, articles, images, contacts, logs and everything else of it are deleted. Nobody can restore them.</p>
      {await renderProof(c, state)}
    </ConfirmDelete>,
    status,
  );
}

/**
 * Returns the membership that the path names. Throws `not_found` without one, whether or not the organization exists.
 */
function requireMembership(c: ConsoleContext): OwnMembership {
  const found = getMemberships(c).find(({ organizationId }) => organizationId === c.req.param("id"));
  if (found === undefined) throw new DomainError("not_found", "You are not a member of this organization.");
  return found;
}

function openOwnStore(c: ConsoleContext, organizationId: string): OrganizationStore {
  return openOrganizationStore(makeWriter(c.env.arrival, organizationId, { kind: "person", id: getPerson(c).id }));
}

function show(c: ConsoleContext, state: FormState, status?: Status) {
  const memberships = getMemberships(c);
  const active = c.get("membership")?.organizationId;
  return page(
    c,
    "Your organizations",
    <>
      {memberships.length === 0 && (
        <p>You do not belong to an organization yet. Create one, or open an invitation link.</p>
      )}
      <ul class="cards">
        {memberships.map((membership) => (
          <Card membership={membership} isActive={membership.organizationId === active} />
        ))}
      </ul>
      <section aria-labelledby="create">
        <h2 id="create">New organization</h2>
        <Form action="/console/organizations" state={state} submit="Create organization">
          <input type="hidden" name="next" value={getValue(state, "next")} />
          <TextField
            state={state}
            name="name"
            label="Name"
            required
            maxlength={LIMITS.name}
            autocomplete="organization"
          />
        </Form>
      </section>
    </>,
    status,
  );
}

const Card: FC<{ membership: OwnMembership; isActive: boolean }> = ({ membership, isActive }) => {
  const path = `/console/organizations/${membership.organizationId}`;
  const { name, role, suspension, isDeleted } = membership;
  return (
    <li class="card">
      <strong>{name}</strong> <span class="badge">{role}</span>
      {suspension !== null && <p class="hint">{suspension}</p>}
      <div class="actions">
        {suspension !== null ? (
          isDeleted === 1 &&
          role === "owner" && (
            <>
              <Form action={`${path}/restore`} submit="Restore" about={name} inline />
              <a href={`${path}/delete`} aria-label={`Delete ${name} for good…`}>
                Delete for good…
              </a>
            </>
          )
        ) : isActive ? (
          <a class="button" href="/console">
            Open
          </a>
        ) : (
          <Form action={`${path}/switch`} submit="Switch" about={name} inline />
        )}
        <a href={`${path}/leave`} aria-label={`Leave ${name}…`}>
          Leave…
        </a>
      </div>
    </li>
  );
};
