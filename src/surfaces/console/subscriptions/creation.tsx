/** The page that creates a webhook subscription. */
import { Hono } from "hono";
import type { z } from "zod";
import { registry } from "../../../operations/registry.ts";
import { listBlogs } from "../articles/found.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { Example } from "../example.tsx";
import { onSubmit, Form, newForm, SelectField, toChoices, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { Secret } from "../secret.tsx";
import { perform } from "../session.ts";
import { EventsField, NameField, UrlField } from "./fields.tsx";

export const creation = new Hono<ConsoleEnv>();

creation.get("/new", (c) => show(c, newForm()));

onSubmit(creation, "/new", {
  again: show,
  async work(c, form) {
    const input = {
      url: form.text("url").trim(),
      name: form.text("name").trim(),
      blogId: form.text("blogId") || null,
      events: form.all("events"),
    };
    const { value } = await perform(c, registry.createWebhookSubscription, input, form);
    return showSecret(c, "Webhook created", value);
  },
});

async function show(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  const blogs = await listBlogs(c);
  return page(
    c,
    "New webhook",
    <Form action="/console/webhooks/new" state={state} submit="Create webhook" labels={{ blogId: "Events from" }}>
      <NameField state={state} />
      <UrlField state={state} />
      <SelectField
        state={state}
        name="blogId"
        label="Events from"
        hint="You cannot change this later."
        choices={[{ value: "", label: "Whole organization" }, ...toChoices(blogs)]}
      />
      <EventsField state={state} />
    </Form>,
    status,
  );
}

/** The page that shows the signing secret of a new webhook, once. */
export function showSecret(
  c: ConsoleContext,
  title: string,
  { _id, url, secret }: z.infer<typeof registry.createWebhookSubscription.output>,
): Promise<Response> {
  return page(
    c,
    title,
    <div class="stack">
      <p class="url">
        This is the signing secret of <code>{url}</code>. Copy it now. It is not shown again.
      </p>
      <Secret label="Signing secret" value={secret} />
      <p>
        Each delivery has the header <code>X-Service-Signature: t=…,v1=…</code>. Accept it only if <code>t</code>, in
        seconds, is at most five minutes old, and if <code>v1</code> is the hexadecimal HMAC-SHA256 with this secret of{" "}
        <code>t</code>, a period and the body as received.
      </p>
      <Example id="verify" label="In Node.js" code={VERIFY} />
      <p>
        <a class="button" href={`/console/webhooks/${_id}`}>
          Go to webhook
        </a>
      </p>
    </div>,
  );
}

const VERIFY = `import { createHmac, timingSafeEqual } from "node:crypto";

function isGenuine(secret, header, body) {
  const [, t, v1] = /^t=(\\d+),v1=([0-9a-f]{64})$/.exec(header ?? "") ?? [];
  if (!v1 || Math.abs(Date.now() / 1000 - t) > 300) return false;
  const expected = createHmac("sha256", secret).update(\`\${t}.\`).update(body).digest();
  return timingSafeEqual(expected, Buffer.from(v1, "hex"));
}`;
