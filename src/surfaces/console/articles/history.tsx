/** The pages of an article's versions: the list, one compared with the article, and two compared. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { pickWritten } from "../../../domain/article-fields.ts";
import type { RevisionValue } from "../../../operations/revisions.ts";
import { registry } from "../../../operations/registry.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { atVersion } from "../version.tsx";
import { Table } from "../table.tsx";
import { Time } from "../time.tsx";
import { findEdited } from "./edited.ts";
import { findArticle, getTitle } from "./found.ts";
import { loadActorNames } from "./makers.ts";
import { About } from "./reading.tsx";
import { State } from "./shared.tsx";
import { TEXT_LABELS } from "./field-labels.ts";
import { capitalize } from "../../../lib/text.ts";

export const history = new Hono<ConsoleEnv>();

history.get("/:id/history", async (c) => {
  const id = c.req.param("id");
  const found = await findArticle(c, id);
  const { value: states } = await perform(c, registry.listRevisions, { articleId: id });
  const nameActor = await loadActorNames(
    c,
    states.flatMap(({ by }) => by ?? []),
  );
  return page(
    c,
    `Version history of “${getTitle(found.article)}”`,
    <>
      <About found={found} />
      <p>
        Each change keeps the previous version. While somebody types, that is the version from before they started, and
        each that they remove a lot from. Versions do not include tags and authors, so restoring one does not change
        them. <a href={`/console/articles/${id}/passages`}>Who wrote which passage</a> ·{" "}
        <a href={`/console/articles/${id}`}>Back to article</a>
      </p>
      {states.length === 0 ? <p>No previous versions yet.</p> : <States states={states} nameOf={nameActor} />}
      {states.length > 1 && <Choose states={states} />}
    </>,
  );
});

type StatesProps = { readonly states: readonly RevisionValue[]; readonly nameOf: NameOf };

type NameOf = Awaited<ReturnType<typeof loadActorNames>>;

const States: FC<StatesProps> = ({ states, nameOf }) => (
  <Table
    label="Previous versions, newest first"
    rows={states}
    columns={[
      {
        head: "Version",
        names: true,
        cell: ({ articleId, number }) => (
          <a href={`/console/articles/${articleId}/history/${number}`}>Version {number}</a>
        ),
      },
      { head: "Saved", cell: ({ lastEditTime }) => <Time at={lastEditTime} /> },
      { head: "By", cell: ({ by }) => capitalize(describeMaker(by, nameOf)) },
      {
        head: "Status",
        cell: ({ published, workingCopy }) =>
          workingCopy ? <span class="badge">Unpublished changes</span> : <State published={published} />,
      },
      { head: "Title", class: "clip", cell: getTitle },
    ]}
  />
);

function describeMaker(by: RevisionValue["by"], nameOf: NameOf): string {
  if (by === null) return "unknown";
  return by.action === "articles.generate" ? `generated for ${nameOf(by)}` : nameOf(by);
}

const Choose: FC<{ states: readonly RevisionValue[] }> = ({ states }) => (
  <form class="filters" method="get" action={`/console/articles/${states[0]?.articleId}/history/compare`}>
    {[
      { name: "from", label: "Compare version", chosen: 1 },
      { name: "with", label: "with version", chosen: 0 },
    ].map(({ name, label, chosen }) => (
      <div>
        <label for={name}>{label}</label>
        <select id={name} name={name}>
          {states.map(({ number }, index) => (
            <option selected={index === chosen}>{number}</option>
          ))}
        </select>
      </div>
    ))}
    <button type="submit" class="quiet">
      Compare
    </button>
  </form>
);

history.get("/:id/history/compare", async (c) => {
  const id = c.req.param("id");
  const { from = "", with: other = "" } = c.req.query();
  const found = await findArticle(c, id);
  const { value } = await perform(c, registry.compareRevisions, { articleId: id, revision: from, with: other });
  return page(
    c,
    `Versions ${from} and ${other} of “${getTitle(found.article)}”`,
    <>
      <About found={found} />
      <Differences
        compared={value}
        heads={[`Version ${from}`, `Version ${other}`]}
        same="Both versions have the same text."
      />
      <p>
        <a href={`/console/articles/${id}/history`}>All versions</a>
      </p>
    </>,
  );
});

history.get("/:id/history/:number", (c) => show(c, c.req.param(), newForm()));

onSubmit(history, "/:id/history/:number", {
  again: (c, state, status) => show(c, { id: param(c, "id"), number: param(c, "number") }, state, status),
  async work(c, form) {
    const id = param(c, "id");
    const number = param(c, "number");
    const [asked, path] = [{ articleId: id, revision: number }, `/console/articles/${id}`];
    if (!(await findArticle(c, id)).article.published) {
      await perform(c, registry.restoreRevision, asked, atVersion(form));
      return goTo(c, path, "state-restored");
    }
    const { value: state } = await perform(c, registry.getRevision, asked);
    await perform(c, registry.saveDraft, { articleId: id, ...pickWritten(state) }, atVersion(form));
    return goTo(c, path, "draft-saved");
  },
});

async function show(
  c: ConsoleContext,
  { id, number }: { readonly id: string; readonly number: string },
  state: FormState,
  status?: Status,
): Promise<Response> {
  const found = await findEdited(c, id);
  const { value } = await perform(c, registry.compareRevisions, { articleId: id, revision: number });
  const changed = state.problem?.code === "precondition_failed";
  return page(
    c,
    `Version ${number} of “${getTitle(found.article)}”`,
    <>
      <About found={found} />
      {changed && (
        <p class="alert warn" role="alert">
          <strong>The version was not restored.</strong> Somebody saved the article after you opened this page. The
          differences from the current version are below.
        </p>
      )}
      <Differences
        compared={value}
        heads={["This version", "Now"]}
        same="The current version has the same text. Tags and authors are not compared."
      />
      {can(c, "articles:draft") && (
        <Form
          action={`/console/articles/${id}/history/${number}`}
          state={changed ? { ...state, problem: null } : state}
          submit={`Restore version ${number}`}
        >
          <input type="hidden" name="version" value={found.current} />
          <p class="hint">
            {found.article.published
              ? "The version is restored as unpublished changes. Readers see it once they are published."
              : "The version replaces the draft. The current version stays in the version history."}
            {found.copy !== null && " It replaces the current unpublished changes."}
          </p>
        </Form>
      )}
      <p>
        <a href={`/console/articles/${id}/history`}>All versions</a>
      </p>
    </>,
    status,
  );
}

type Compared = z.infer<typeof registry.compareRevisions.output>;

const LABELS: Readonly<Record<string, string>> = { ...TEXT_LABELS, published: "Published" };

type DifferencesProps = {
  readonly compared: Compared;
  readonly heads: readonly [before: string, after: string];
  readonly same: string;
};

const Differences: FC<DifferencesProps> = ({ compared: { fields, content }, heads, same }) => (
  <>
    {fields.length > 0 && (
      <Table
        label="Changed fields"
        rows={fields}
        columns={[
          { head: "Field", names: true, cell: ({ name }) => LABELS[name] ?? name },
          { head: heads[0], cell: ({ before }) => formatValue(before) },
          { head: heads[1], cell: ({ after }) => formatValue(after) },
        ]}
      />
    )}
    {content === null && <p>The content differs in too many lines to compare.</p>}
    {content !== null && content.unified !== "" && <Lines unified={content.unified} />}
    {fields.length === 0 && content?.unified === "" && <p>{same}</p>}
  </>
);

const formatValue = (value: string | boolean): string => (typeof value === "string" ? value : value ? "Yes" : "No");

/** The diff, without its notes about a missing line break at the end. */
const Lines: FC<{ unified: string }> = ({ unified }) => (
  <pre class="diff" tabindex={0} role="region" aria-label="Removed and added lines of the content">
    {unified
      .trimEnd()
      .split("\n")
      .filter((line) => !line.startsWith("\\"))
      .map((line) =>
        line.startsWith("+") ? <ins>{`${line}\n`}</ins> : line.startsWith("-") ? <del>{`${line}\n`}</del> : `${line}\n`,
      )}
  </pre>
);
