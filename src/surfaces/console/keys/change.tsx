/** The page of an API key: its name and scopes, which can be changed, and its rotation. */
import { Hono } from "hono";
import { DomainError } from "../../../domain/errors.ts";
import { readAllItems } from "../../../lib/pages.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Form, newForm, onSubmit, SelectField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import type { Submission } from "../submission.ts";
import { Expiration, KeyName, Scopes, toEndOfDay } from "./creation.tsx";
import { showApiKeyReady } from "./ready.tsx";

export const change = new Hono<ConsoleEnv>();

change.get("/:id", async (c) => {
  const { name, scopes } = await findKey(c);
  return showKey(c, newForm({ name, scopes }));
});

onSubmit(change, "/:id", {
  again: (c, state, status) => showKey(c, state, status),
  async work(c, form) {
    const input = { apiKeyId: c.req.param("id"), name: form.text("name").trim(), scopes: form.all("scopes") };
    await perform(c, registry.updateApiKey, input, form);
    return goTo(c, "/console/keys", "saved");
  },
});

onSubmit(change, "/:id/rotate", {
  async again(c, state, status, form: Submission) {
    const { name, scopes } = await findKey(c);
    return showKey(c, newForm({ name, scopes }), status, { ...state, values: form.values });
  },
  async work(c, form) {
    const input = {
      apiKeyId: c.req.param("id"),
      overlapSeconds: Number(form.text("overlapSeconds")),
      expirationTime: toEndOfDay(form.text("expirationTime")),
    };
    const { value } = await perform(c, registry.rotateApiKey, input, form);
    return showApiKeyReady(c, value);
  },
});

const HOUR = 60 * 60;
const OVERLAPS = [
  { value: "0", label: "No longer: it ends now" },
  { value: String(HOUR), label: "One hour" },
  { value: String(24 * HOUR), label: "One day" },
  { value: String(7 * 24 * HOUR), label: "Seven days" },
];

async function showKey(
  c: ConsoleContext,
  state: FormState,
  status?: Status,
  rotation: FormState = newForm({ overlapSeconds: String(24 * HOUR) }),
): Promise<Response> {
  const { _id, name, hint, expirationTime } = await findKey(c);
  const isExpired = expirationTime !== null && expirationTime <= new Date().toISOString();
  const path = `/console/keys/${_id}`;
  return page(
    c,
    name,
    <>
      <p>
        <code class="quiet-text">…{hint}</code>
      </p>
      <Form action={path} state={state} submit="Save">
        <KeyName state={state} />
        <Scopes state={state} hint="What the key can do. A change takes effect immediately." />
      </Form>
      {!isExpired && (
        <section aria-labelledby="rotate">
          <h2 id="rotate">Rotate</h2>
          <p>Creates a new key with the same name, scopes and blog. Change your programs over while both work.</p>
          <Form action={`${path}/rotate`} state={rotation} submit="Rotate key" tone="quiet">
            <SelectField state={rotation} name="overlapSeconds" label="Keep the old key for" choices={OVERLAPS} />
            <Expiration state={rotation} />
          </Form>
        </section>
      )}
      <p>
        <a href={`${path}/revoke`}>Revoke this key…</a>
      </p>
    </>,
    status,
  );
}

/** Throws `not_found`. */
export async function findKey(c: ConsoleContext) {
  const all = await readAllItems((cursor) => perform(c, registry.listApiKeys, { cursor }));
  const found = all.find(({ _id }) => _id === c.req.param("id"));
  if (found === undefined) throw new DomainError("not_found", "There is no such API key.");
  return found;
}
