/** The page that undoes what an app or a key has done to articles. It shows what would be undone first, and works without scripts. */
import { Hono } from "hono";
import type { FC, PropsWithChildren } from "hono/jsx";
import type { z } from "zod";
import { registry } from "../../operations/registry.ts";
import { getTitle, requireWriter } from "./articles/found.ts";
import { loadActorNames } from "./articles/makers.ts";
import type { ConsoleContext, ConsoleEnv } from "./env.ts";
import { FilterSelect } from "./filter-select.tsx";
import { Form, getValue, newForm, onSubmit, type FormState } from "./forms.tsx";
import { page, type Status } from "./layout.tsx";
import { perform } from "./session.ts";
import { Table } from "./table.tsx";
import { Time } from "./time.tsx";
import { formatCount } from "./words.ts";

const PATH = "/console/undo";

type Answer = z.infer<typeof registry.undoChanges.output>;
type Undone = Answer["articles"][number];

/** How far back, in hours. */
const SPANS = [
  { value: "1", label: "Last hour" },
  { value: "24", label: "Last 24 hours" },
  { value: "168", label: "Last 7 days" },
  { value: "719", label: "Last 30 days" },
] as const;

const HOUR_MS = 3_600_000;

/** The link to the page, for an app or a key. `children` is what it says. */
export const UndoLink: FC<PropsWithChildren<{ actor: string }>> = ({ actor, children }) => (
  <a href={`${PATH}?${new URLSearchParams({ actor }).toString()}`}>{children}</a>
);

export const undo = new Hono<ConsoleEnv>();

undo.get("/", (c) => {
  requireWriter(c);
  return ask(c, newForm());
});

onSubmit(undo, "/run", {
  first: requireWriter,
  again: ask,
  async work(c, form) {
    const [actor, from, to, after] = [form.text("actor"), form.text("from"), form.text("to"), form.text("after")];
    const { value } = await perform(c, registry.undoChanges, { actor, from, to, ...(after !== "" && { after }) });
    return page(
      c,
      "Undone",
      <>
        <Articles c={c} articles={value.articles} isDone />
        {value.next === null ? (
          <p>
            <a href="/console/articles">All articles</a>
          </p>
        ) : (
          <Confirm submit="Undo more" fields={{ actor, from, to, after: value.next }} state={newForm()} />
        )}
      </>,
    );
  },
});

type ConfirmProps = {
  readonly submit: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly state: FormState;
};

const Confirm: FC<ConfirmProps> = ({ submit, fields, state }) => (
  <Form action={`${PATH}/run`} state={state} submit={submit} tone="danger">
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </Form>
);

/** Shows what would be undone. The form has the end of the time that is shown, so that nothing later is undone. */
async function ask(c: ConsoleContext, state: FormState, status?: Status): Promise<Response> {
  // A form that was refused has no query.
  const { actor = getValue(state, "actor"), hours = "24" } = c.req.query();
  const span = SPANS.some(({ value }) => value === hours) ? hours : "24";
  const to = new Date();
  const from = new Date(to.getTime() - Number(span) * HOUR_MS);
  const times = { from: from.toISOString(), to: to.toISOString() };
  const { value } = await perform(c, registry.undoChanges, { actor, ...times, dryRun: true });
  return page(
    c,
    "Undo what a program did",
    <>
      <p>
        Articles that it has created go to the trash, deleted ones come back, and changed ones get the texts that they
        had before, if nobody else has changed them since. What is undone stays in the version history. Tags and authors
        stay as they are.
      </p>
      <form class="filters" method="get" action={PATH}>
        <input type="hidden" name="actor" value={actor} />
        <FilterSelect name="hours" label="Since" choices={SPANS} chosen={span} />
        <button type="submit" class="quiet">
          Show
        </button>
      </form>
      <p class="hint">
        Changes since <Time at={times.from} />.
      </p>
      {value.articles.length === 0 ? (
        <p class="empty">It has changed no articles in this time.</p>
      ) : (
        <>
          <Articles c={c} articles={value.articles} />
          {value.next !== null && <p class="hint">And more, which come after these.</p>}
          <Confirm submit="Undo these changes" fields={{ actor, ...times }} state={state} />
        </>
      )}
      {value.further.length > 0 && (
        <p class="hint">
          What else it did stays: {value.further.map(({ action, count }) => `${action} (${count})`).join(", ")}.
        </p>
      )}
    </>,
    status,
  );
}

const WORDS: Readonly<Record<Undone["done"][number], readonly [plan: string, done: string]>> = {
  deleted: ["goes to the trash", "moved to the trash"],
  restored: ["comes back from the trash", "restored from the trash"],
  texts: ["gets its earlier texts and state", "has its earlier texts and state"],
  workingCopy: ["its unpublished changes become what they were", "its unpublished changes are what they were"],
  schedule: ["loses its schedule", "lost its schedule"],
  deletion: ["is not deleted", "is not deleted"],
  approval: ["its request is withdrawn", "its request was withdrawn"],
};

type ArticlesProps = { readonly c: ConsoleContext; readonly articles: readonly Undone[]; readonly isDone?: true };

async function Articles({ c, articles, isDone }: ArticlesProps) {
  const nameActor = await loadActorNames(
    c,
    articles.flatMap(({ changedBy }) => changedBy ?? []),
  );
  const undone = articles.filter(({ outcome }) => outcome === "undone").length;
  const describe = ({ done, outcome, detail, changedBy }: Undone): string => {
    const what = done.map((each) => WORDS[each][isDone ? 1 : 0]).join(", ");
    if (outcome === "unchanged") return "Nothing to undo";
    if (outcome === "undone") return what;
    const why = changedBy === null ? detail : `changed since by ${nameActor(changedBy)}`;
    return `${what === "" ? "" : `${what}; `}stays as it is: ${why}`;
  };
  return (
    <>
      <p class="alert" role="status">
        {isDone ? "Undone in" : "Would be undone in"} {formatCount(undone, "article")}
        {articles.length > undone && `, ${articles.length - undone} kept`}.
      </p>
      <Table
        label="Articles"
        rows={articles}
        columns={[
          {
            head: "Article",
            names: true,
            class: "title",
            cell: (each) => (
              <a href={`/console/articles/${each.articleId}/history`} dir="auto">
                {getTitle({ title: each.title ?? "" })}
              </a>
            ),
          },
          { head: isDone ? "Result" : "What happens", cell: describe },
        ]}
      />
    </>
  );
}
