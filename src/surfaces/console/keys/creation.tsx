/** The pages that create API keys and operator access tokens. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { LIMITS } from "../../../domain/limits.ts";
import { DEFAULT_SCOPES, SCOPES } from "../../../domain/principal.ts";
import { SCOPE_TEXTS } from "../../../domain/scope-texts.ts";
import { requireOwner } from "../../../operations/owner.ts";
import { registry } from "../../../operations/registry.ts";
import { listBlogs } from "../articles/found.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { onSubmit, CheckField, Form, newForm, SelectField, TextField, toChoices, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { getPrincipal, perform } from "../session.ts";
import { showApiKeyReady, showTokenReady } from "./ready.tsx";

export const creation = new Hono<ConsoleEnv>();

creation.get("/new", (c) => showNewKey(c, newForm({ scopes: DEFAULT_SCOPES })));

onSubmit(creation, "/new", {
  again: showNewKey,
  async work(c, form) {
    const input = {
      name: form.text("name").trim(),
      scopes: form.all("scopes"),
      blogId: form.text("blogId") || null,
      expirationTime: toEndOfDay(form.text("expirationTime")),
    };
    const { value } = await perform(c, registry.createApiKey, input, form);
    return showApiKeyReady(c, value);
  },
});

creation.get("/tokens/new", (c) => showNewToken(c, newForm()));

onSubmit(creation, "/tokens/new", {
  again: showNewToken,
  async work(c, form) {
    const input = { name: form.text("name").trim(), expirationTime: toEndOfDay(form.text("expirationTime")) };
    const { value } = await perform(c, registry.createAccessToken, input, form);
    return showTokenReady(c, value);
  },
});

/**
 * Returns the last millisecond of a day in UTC, or null for "", which never expires. `day` is the value of a date
 * field, such as "2026-01-31". The operation refuses any other text.
 */
export const toEndOfDay = (day: string): string | null => (day === "" ? null : `${day}T23:59:59.999Z`);

async function showNewKey(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const blogs = await listBlogs(c);
  return page(
    c,
    "New API key",
    <Form action="/console/keys/new" state={state} submit="Create key">
      <KeyName state={state} />
      <Expiration state={state} />
      <Scopes state={state} hint="What the key can do." />
      <SelectField
        state={state}
        name="blogId"
        label="Blog"
        hint="A key for one blog cannot access any other."
        choices={[{ value: "", label: "All blogs" }, ...toChoices(blogs)]}
      />
    </Form>,
    status,
  );
}

/** Throws `role_forbidden` unless the member is an owner. */
async function showNewToken(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  requireOwner(getPrincipal(c));
  return page(
    c,
    "New access token",
    <Form action="/console/keys/tokens/new" state={state} submit="Create token">
      <p>
        An operator access token can do everything in the organization. It can create keys and webhooks, and read the
        audit log. To read and write articles, <a href="/console/keys/new">an API key</a> is enough.
      </p>
      <Name state={state} hint="The program that uses it, such as “Terraform”." />
      <Expiration state={state} />
    </Form>,
    status,
  );
}

type FieldProps = { readonly state: FormState; readonly hint: string };

const Name: FC<FieldProps> = ({ state, hint }) => (
  <TextField state={state} name="name" label="Name" hint={hint} required maxlength={LIMITS.name} />
);

export const KeyName: FC<{ state: FormState }> = ({ state }) => (
  <Name state={state} hint="The program that uses it, such as “Website build”." />
);

export const Scopes: FC<FieldProps> = ({ state, hint }) => (
  <CheckField
    state={state}
    name="scopes"
    label="Scopes"
    hint={hint}
    choices={SCOPES.map((scope) => ({ value: scope, label: scope, hint: SCOPE_TEXTS[scope] }))}
  />
);

export const Expiration: FC<{ state: FormState }> = ({ state }) => (
  <TextField
    state={state}
    name="expirationTime"
    label="Expiration date"
    type="date"
    hint="It expires at the end of this day in UTC. Leave blank if it should never expire."
  />
);
