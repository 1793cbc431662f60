/** Changes the articles that were ticked in the list, and says what came of each. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { invalidField } from "../../errors.ts";
import { commaSeparated } from "../../lib/text.ts";
import { registry } from "../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, Form, newForm, SelectField, TextField, type FormState } from "../forms.tsx";
import { page, type Status } from "../layout.tsx";
import { readForm } from "../read-form.ts";
import { perform } from "../session.ts";
import type { Submission } from "../submission.ts";
import { Table } from "../table.tsx";
import { writersOnly } from "./found.ts";

export const bulk = new Hono<ConsoleEnv>();

const ACTIONS = [
  { value: "publish", label: "Publish" },
  { value: "unpublish", label: "Unpublish" },
  { value: "tag", label: "Give tags" },
  { value: "delete", label: "Delete…" },
] as const;

type Action = (typeof ACTIONS)[number]["value"];

/** The fields below a list of articles that say what to do with those that are ticked. */
export const BulkFields: FC = () => (
  <div class="filters">
    <SelectField state={newForm()} name="action" label="With those that are ticked" choices={ACTIONS} />
    <TextField state={newForm()} name="tags" label="Tags" hint="For “Give tags”, separated by commas." />
    <button type="submit" class="quiet">
      Do it
    </button>
  </div>
);

/** The box that ticks an article of the list. */
export const Tick: FC<{ id: string; title: string }> = ({ id, title }) => (
  <input type="checkbox" name="articleIds" value={id} aria-label={`Tick “${title}”`} />
);

bulk.post("/", async (c) => {
  writersOnly(c);
  const form = await readForm(c);
  const back = listOf(form);
  return attempt(
    form,
    (state, status) => refused(c, back, state, status),
    async () => {
      const asked = askedIn(form);
      if (asked.action === "delete" && form.text("sure") !== "yes") return confirm(c, asked.articleIds, form);
      const { value } = await perform(c, registry.changeArticles, asked, { idempotencyKey: form.idempotencyKey });
      return outcomes(c, back, value);
    },
  );
});

/** Returns the address of the list in which the form is. */
const listOf = (form: Submission): string =>
  `/console/articles?${new URLSearchParams({ blog: form.text("blogId") }).toString()}`;

/** Returns what the form asks for. Throws if nothing is ticked, or no tags are given. */
function askedIn(form: Submission) {
  const articleIds = form.all("articleIds");
  if (articleIds.length === 0) throw invalidField("articleIds", "tick at least one article");
  const action = ACTIONS.find(({ value }) => value === form.text("action"))?.value ?? ("none" as Action);
  return { action, articleIds, ...(action === "tag" && { tags: commaSeparated(form.text("tags")) }) };
}

const refused = (c: ConsoleContext, back: string, state: FormState, status: Status) =>
  page(
    c,
    "Nothing was changed",
    <>
      <p class="alert" role="alert">
        {state.problem?.message}
      </p>
      <p>
        <a href={back}>Back to the articles</a>
      </p>
    </>,
    status,
  );

const confirm = (c: ConsoleContext, ids: readonly string[], form: Submission) =>
  page(
    c,
    `Delete ${ids.length} articles?`,
    <Form action="/console/articles/bulk">
      {ids.map((id) => (
        <input type="hidden" name="articleIds" value={id} />
      ))}
      <input type="hidden" name="action" value="delete" />
      <input type="hidden" name="blogId" value={form.text("blogId")} />
      <input type="hidden" name="sure" value="yes" />
      <p>They will be gone for good, for their readers too. Their translations stay, unless they are ticked.</p>
      <div class="row">
        <button type="submit" class="danger">
          Delete them
        </button>
        <a href={listOf(form)}>Keep them</a>
      </div>
    </Form>,
  );

type Outcome = { readonly _id: string; readonly outcome: string; readonly detail: string | null };

function outcomes(c: ConsoleContext, back: string, found: readonly Outcome[]) {
  const count = (outcome: string) => found.filter((each) => each.outcome === outcome).length;
  const left = found.filter(({ outcome }) => outcome === "refused");
  return page(
    c,
    "Changed",
    <>
      <p role="status">
        {count("changed")} changed, {count("unchanged")} were so already, {left.length} refused.
      </p>
      {left.length > 0 && (
        <Table
          label="Refused"
          rows={left}
          columns={[
            { head: "Article", names: true, cell: ({ _id }) => <a href={`/console/articles/${_id}`}>{_id}</a> },
            { head: "Reason", cell: ({ detail }) => detail },
          ]}
        />
      )}
      <p>
        <a href={back}>Back to the articles</a>
      </p>
    </>,
  );
}
