/** The pages of an article's former states: the list, and one compared with the article, with a button to restore it. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import type { RevisionValue } from "../../operations/revisions.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, Form, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { can, perform, personOf } from "../session.ts";
import { Table } from "../table.tsx";
import { Time } from "../time.tsx";
import { findArticle, titleOf } from "./found.ts";
import { FIELDS } from "./members-of.ts";
import { About } from "./reading.tsx";
import { State } from "./shared.tsx";

export const history = new Hono<ConsoleEnv>();

history.get("/:id/history", async (c) => {
  const id = c.req.param("id");
  const found = await findArticle(c, id);
  const { value: states } = await perform(c, registry.listRevisions, { articleId: id });
  return page(
    c,
    `History of “${titleOf(found.article)}”`,
    <>
      <About found={found} />
      <p>
        Each change keeps the state before it. <a href={`/console/articles/${id}`}>Back to the article</a>
      </p>
      {states.length === 0 ? (
        <p>The article has not been changed yet.</p>
      ) : (
        <States states={states} me={personOf(c).id} />
      )}
    </>,
  );
});

const States: FC<{ states: readonly RevisionValue[]; me: string }> = ({ states, me }) => (
  <Table
    label="Former states, newest first"
    rows={states}
    columns={[
      {
        head: "State",
        names: true,
        cell: ({ articleId, number }) => (
          <a href={`/console/articles/${articleId}/history/${number}`}>State {number}</a>
        ),
      },
      { head: "Made", cell: ({ lastEditTime }) => <Time at={lastEditTime} /> },
      { head: "By", cell: ({ by }) => makerOf(by, me) },
      { head: "Then", cell: ({ published }) => <State published={published} /> },
      { head: "Title", class: "clip", cell: titleOf },
    ]}
  />
);

const MAKERS: Readonly<Record<string, string>> = {
  user: "a member",
  key: "an API key",
  operator: "an access token",
  app: "an application",
  schedule: "a schedule",
};

function makerOf(by: RevisionValue["by"], me: string): string {
  if (by === null) return "unknown";
  const who = by.id === me ? "you" : (MAKERS[by.kind] ?? by.kind);
  return by.action === "articles.generate" ? `generated for ${who}` : who;
}

history.get("/:id/history/:number", (c) => show(c, c.req.param("id"), c.req.param("number"), newForm()));

history.post("/:id/history/:number", async (c) => {
  const form = await readForm(c);
  const { id, number } = c.req.param();
  return attempt(
    form,
    (state, status) => show(c, id, number, state, status),
    async () => {
      const options = { version: form.text("version"), idempotencyKey: form.idempotencyKey };
      await perform(c, registry.restoreRevision, { articleId: id, revision: number }, options);
      return goTo(c, `/console/articles/${id}`, "state-restored");
    },
  );
});

async function show(
  c: ConsoleContext,
  id: string,
  number: string,
  state: FormState,
  status?: Status,
): Promise<Response> {
  const found = await findArticle(c, id);
  const { value } = await perform(c, registry.compareRevisions, { articleId: id, revision: number });
  const changed = state.problem?.code === "precondition_failed";
  return page(
    c,
    `State ${number} of “${titleOf(found.article)}”`,
    <>
      <About found={found} />
      {changed && (
        <p class="alert warn" role="alert">
          <strong>It was not restored.</strong> Somebody saved the article after you opened this page. The differences
          below are those from what is stored now.
        </p>
      )}
      <Differences compared={value} />
      {can(c, "articles:write") && (
        <Form
          action={`/console/articles/${id}/history/${number}`}
          state={changed ? { ...state, problem: null } : state}
          submit={`Restore state ${number}`}
        >
          <input type="hidden" name="version" value={found.version} />
          <p class="hint">
            The article gets these texts and stays {found.article.published ? "published" : "a draft"}. What it has now
            is kept as a state, too.
          </p>
        </Form>
      )}
      <p>
        <a href={`/console/articles/${id}/history`}>All states</a>
      </p>
    </>,
    status,
  );
}

type Compared = z.infer<typeof registry.compareRevisions.output>;

const LABELS: Readonly<Record<string, string>> = { ...FIELDS, published: "Published" };

const Differences: FC<{ compared: Compared }> = ({ compared: { fields, content } }) => (
  <>
    {fields.length > 0 && (
      <Table
        label="Fields that differ"
        rows={fields}
        columns={[
          { head: "Field", names: true, cell: ({ name }) => LABELS[name] ?? name },
          { head: "In this state", cell: ({ before }) => shown(before) },
          { head: "Now", cell: ({ after }) => shown(after) },
        ]}
      />
    )}
    {content === null && <p>The contents differ in too many lines to compare them.</p>}
    {content !== null && content.unified !== "" && <Lines unified={content.unified} />}
    {fields.length === 0 && content?.unified === "" && <p>The article has the same texts now.</p>}
  </>
);

const shown = (value: string | boolean): string => (typeof value === "string" ? value : value ? "yes" : "no");

const Lines: FC<{ unified: string }> = ({ unified }) => (
  <pre class="diff" tabindex={0} role="region" aria-label="Lines of the content that differ: removed since, and added">
    {unified
      .trimEnd()
      .split("\n")
      .map((line) =>
        line.startsWith("+") ? <ins>{`${line}\n`}</ins> : line.startsWith("-") ? <del>{`${line}\n`}</del> : `${line}\n`,
      )}
  </pre>
);
