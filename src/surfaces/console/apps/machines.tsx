/** The pages of machine connections: programs that use MCP without a browser. Only owners make, rotate and end them. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import * as z from "zod";
import { DomainError, invalidField } from "../../../domain/errors.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { MCP_SCOPES } from "../../../domain/principal.ts";
import { SCOPE_TEXTS } from "../../../domain/scope-texts.ts";
import { newMachineSecret } from "../../../domain/secrets.ts";
import { newId } from "../../../lib/ids.ts";
import { instant, line } from "../../../operations/fields.ts";
import { requireOwner } from "../../../operations/owner.ts";
import { connect } from "../../../store/access/system-oauth-connections.ts";
import { endMachine, listMachines, rotateMachine, type Machine } from "../../../store/access/machines.ts";
import type { Writer } from "../../../store/core/writer.ts";
import { getBaseUrl } from "../../request/base-url.ts";
import { makePrincipalWriter } from "../../request/writer.ts";
import { listBlogs } from "../articles/found.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { CheckField, Form, newForm, onSubmit, SelectField, TextField, toChoices, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { getPerson, getPrincipal } from "../session.ts";
import { parseInput } from "../sign-in/checked.ts";
import { ACTIONS, Table } from "../table.tsx";
import { Expiration, toEndOfDay } from "../keys/creation.tsx";
import { Named, Scopes, TIMES } from "../keys/lists.tsx";
import { showMachineReady } from "../keys/ready.tsx";

export const machines = new Hono<ConsoleEnv>();

const PATH = "/console/keys/machines";

/** Nothing that readers see. */
const FIRST_SCOPES = ["articles:read", "articles:draft", "blogs:read", "topics:read"];

const input = z.object({
  name: line(LIMITS.appName).min(1, "must not be empty"),
  scopes: z.array(z.enum(MCP_SCOPES)).min(1, "must have at least one"),
  blogId: line(100).nullable(),
  expirationTime: instant.nullable(),
});

/** Throws `role_forbidden` unless the member is an owner. */
function openWriter(c: ConsoleContext, effect: "read" | "write" = "write"): Writer {
  const principal = getPrincipal(c);
  if (effect === "write") requireOwner(principal);
  return makePrincipalWriter(c.env.arrival, principal, { effect });
}

/** Returns the machine connections of the organization, for the list among the keys. */
export const findMachines = (c: ConsoleContext): Promise<Machine[]> => listMachines(openWriter(c, "read"));

machines.get("/new", (c) => showNew(c, newForm({ scopes: FIRST_SCOPES })));

onSubmit(machines, "/new", {
  again: showNew,
  async work(c, form) {
    const { expirationTime, ...given } = parseInput(input, {
      name: form.text("name").trim(),
      scopes: form.all("scopes"),
      blogId: form.text("blogId") || null,
      expirationTime: toEndOfDay(form.text("expirationTime")),
    });
    if (expirationTime !== null && expirationTime <= new Date().toISOString())
      throw invalidField("expirationTime", "must be in the future");
    const { secret, hash, hint } = await newMachineSecret();
    const id = newId();
    const { name, scopes, blogId } = given;
    const whose = { id, userId: getPerson(c).id, clientId: id, clientName: name };
    const resource = `${getBaseUrl(c.env.arrival)}/mcp`;
    const writer = openWriter(c);
    await connect(writer, { ...whose, scopes, blogId, resource, secretHash: hash, hint, expirationTime });
    return showMachineReady(c, { id, name, secret });
  },
});

async function showNew(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  requireOwner(getPrincipal(c));
  const blogs = await listBlogs(c);
  return page(
    c,
    "New machine connection",
    <Form action={`${PATH}/new`} state={state} submit="Create connection">
      <p>
        For a program that uses MCP without a person: CI, n8n, a scheduled agent. It acts for you, and ends when you are
        no longer a member.
      </p>
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="The program that uses it, such as “Nightly translations”."
        required
        maxlength={LIMITS.appName}
      />
      <Expiration state={state} />
      <CheckField
        state={state}
        name="scopes"
        label="Scopes"
        hint="What the program can do. Without articles:write, it changes nothing that readers see."
        choices={MCP_SCOPES.map((scope) => ({ value: scope, label: scope, hint: SCOPE_TEXTS[scope] }))}
      />
      <SelectField
        state={state}
        name="blogId"
        label="Blog"
        hint="A connection for one blog cannot access any other."
        choices={[{ value: "", label: "All blogs" }, ...toChoices(blogs)]}
      />
    </Form>,
    status,
  );
}

async function findMachine(c: ConsoleContext): Promise<Machine> {
  const found = (await listMachines(openWriter(c))).find(({ _id }) => _id === c.req.param("id"));
  if (found === undefined) throw new DomainError("not_found", "This connection has ended.");
  return found;
}

machines.get("/:id", async (c) => {
  const { _id, name, hint, owner, expirationTime } = await findMachine(c);
  const isExpired = expirationTime !== null && expirationTime <= new Date().toISOString();
  return page(
    c,
    name,
    <>
      <p>
        It acts for {owner}. Client ID <code>{_id}</code>, secret <code>…{hint}</code>
      </p>
      {!isExpired && (
        <section aria-labelledby="rotate">
          <h2 id="rotate">New secret</h2>
          <p>The present secret, and all tokens that were issued for it, stop working immediately.</p>
          <Form action={`${PATH}/${_id}/rotate`} submit="Create new secret" tone="quiet" />
        </section>
      )}
      <section aria-labelledby="end">
        <h2 id="end">End</h2>
        <p>The program is refused immediately. This cannot be undone.</p>
        <Form action={`${PATH}/${_id}/end`} submit="End connection" tone="danger" />
      </section>
    </>,
  );
});

machines.post("/:id/rotate", async (c) => {
  const { _id: id, name } = await findMachine(c);
  const { secret, ...stored } = await newMachineSecret();
  await rotateMachine(openWriter(c), id, stored);
  return showMachineReady(c, { id, name, secret });
});

machines.post("/:id/end", async (c) => {
  await endMachine(openWriter(c), c.req.param("id"));
  return goTo(c, "/console/keys", "machine-ended");
});

export const Machines: FC<{ machines: readonly Machine[]; mayCreate: boolean }> = ({ machines: all, mayCreate }) => (
  <section aria-labelledby="machines">
    <div class="heading">
      <h2 id="machines">Machine connections</h2>
      {mayCreate && (
        <a class="button" href={`${PATH}/new`}>
          New machine connection
        </a>
      )}
    </div>
    <p class="hint">For programs that use MCP without a browser. Only owners can create them.</p>
    {all.length === 0 ? (
      <p class="empty">
        No machine connections yet. <a href="/docs/guides/agent-by-mcp">How agents connect</a>
      </p>
    ) : (
      <Table
        label="List of machine connections"
        rows={all}
        columns={[
          { head: "Name", cell: (each) => <Named {...each} />, class: "name" },
          { head: "Scopes", cell: ({ scopes }) => <Scopes scopes={scopes} /> },
          { head: "Blog", cell: ({ blog }) => blog ?? <span class="quiet-text">All</span> },
          { head: "Acts for", cell: ({ owner }) => owner },
          ...TIMES,
          {
            head: ACTIONS,
            cell: ({ _id, name }) =>
              mayCreate && (
                <a class="nowrap" href={`${PATH}/${_id}`} aria-label={`Manage ${name}`}>
                  Manage
                </a>
              ),
          },
        ]}
      />
    )}
  </section>
);
