/** The settings page: shows the identifier of the organization and changes its name. */
import { Hono } from "hono";
import { LIMITS } from "../domain/limits.ts";
import { registry } from "../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { attempt, Form, newForm, TextField, type FormState } from "./forms.tsx";
import { goTo, page, type Status } from "./layout.tsx";
import { perform } from "./session.ts";
import { readForm } from "./read-form.ts";
import { Time } from "./time.tsx";

export const settings = new Hono<ConsoleEnv>();

settings.get("/", async (c) => show(c));

settings.post("/", async (c) => {
  const form = await readForm(c);
  return attempt(
    form,
    (state, status) => show(c, state, status),
    async () => {
      await perform(c, registry.updateOrganization, { name: form.text("name") });
      return goTo(c, "/console/settings", "saved");
    },
  );
});

async function show(c: ConsoleContext, refused?: FormState, status?: Status) {
  const { value } = await perform(c, registry.showOrganization, {});
  const state = refused ?? newForm({ name: value.name });
  return page(
    c,
    "Settings",
    <>
      <p class="hint">
        Identifier <code>{value._id}</code>, created <Time at={value.creationTime} />
      </p>
      <p>
        <a href="/console/usage">Usage and quotas</a>
        {" · "}
        <a href="/console/transfer">Import and export</a>
        {" · "}
        <a href="/docs">Reference of the API</a>
      </p>
      <Form action="/console/settings" state={state} submit="Save">
        <TextField state={state} name="name" label="Name of the organization" required maxlength={LIMITS.name} />
      </Form>
    </>,
    status,
  );
}
