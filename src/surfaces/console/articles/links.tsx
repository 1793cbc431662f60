/** The page of an article's preview links. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, SelectField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { Secret } from "../secret.tsx";
import { perform } from "../session.ts";
import { ACTIONS, Table } from "../table.tsx";
import { Time, Utc } from "../time.tsx";
import { findArticle, getTitle, requireWriter } from "./found.ts";
import { loadActorNames } from "./makers.ts";
import { About } from "./reading.tsx";
import { capitalize } from "../../../lib/text.ts";

type NewLink = z.infer<typeof registry.createPreview.output>;
type Link = z.infer<typeof registry.listPreviews.output>[number];

export const links = new Hono<ConsoleEnv>();

links.get("/:id/previews", (c) => {
  requireWriter(c);
  return show(c, c.req.param("id"), newForm({ expiresInSeconds: "3600" }));
});

onSubmit(links, "/:id/previews", {
  first: requireWriter,
  again: (c, state, status) => show(c, param(c, "id"), state, { status }),
  async work(c, form) {
    const articleId = param(c, "id");
    const input = { articleId, expiresInSeconds: Number(form.text("expiresInSeconds")) };
    const { value } = await perform(c, registry.createPreview, input, form);
    return show(c, articleId, newForm(form.values), { created: value });
  },
});

onSubmit(links, "/:id/previews/:previewId/revoke", {
  first: requireWriter,
  again: (c, state, status) => show(c, param(c, "id"), state, { status }),
  async work(c, form) {
    const articleId = param(c, "id");
    const previewId = param(c, "previewId");
    await perform(c, registry.revokePreview, { articleId, previewId }, form);
    return goTo(c, `/console/articles/${articleId}/previews`, "preview-revoked");
  },
});

const PERIODS = [
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
];

async function show(
  c: ConsoleContext,
  id: string,
  state: FormState,
  { status, created }: { readonly status?: Status; readonly created?: NewLink } = {},
): Promise<Response> {
  const found = await findArticle(c, id);
  const { value: made } = await perform(c, registry.listPreviews, { articleId: id });
  const nameActor = await loadActorNames(
    c,
    made.map(({ actor }) => actor),
  );
  const path = `/console/articles/${id}`;
  return page(
    c,
    `Preview links for “${getTitle(found.article)}”`,
    <>
      <About found={found} />
      {created && (
        <div class="stack">
          <p>
            Copy the link now. It is shown only once. It expires <Time at={created.expirationTime} />
            <Utc />.
          </p>
          <Secret label="Link" value={created.url} />
        </div>
      )}
      <p>
        Anyone with a preview link sees the current article without an account, including its{" "}
        <a href={path}>unpublished changes</a>. A link also expires when its creator can no longer write articles.
      </p>
      {made.length > 0 && <Links made={made} path={path} nameOf={nameActor} />}
      <Form action={`${path}/previews`} state={state} submit="Create link">
        <SelectField state={state} name="expiresInSeconds" label="Expires after" choices={PERIODS} />
      </Form>
      <p>
        <a href={path}>Back to article</a>
      </p>
    </>,
    status,
  );
}

type LinksProps = {
  readonly made: readonly Link[];
  readonly path: string;
  readonly nameOf: (actor: Link["actor"]) => string;
};

const ENDS = (
  <>
    {" "}
    Expires <Utc />
  </>
);

const CREATED = (
  <>
    Created
    <Utc />
  </>
);

const Links: FC<LinksProps> = ({ made, path, nameOf }) => (
  <Table
    label="Active preview links"
    rows={made}
    columns={[
      { head: ENDS, cell: ({ expirationTime }) => <Time at={expirationTime} />, names: true },
      { head: CREATED, label: "Created", cell: ({ creationTime }) => <Time at={creationTime} /> },
      { head: "Created by", cell: ({ actor }) => capitalize(nameOf(actor)) },
      {
        head: ACTIONS,
        cell: ({ _id }) => <Form action={`${path}/previews/${_id}/revoke`} submit="Revoke" tone="danger" inline />,
      },
    ]}
  />
);
