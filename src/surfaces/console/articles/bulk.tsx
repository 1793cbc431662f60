/** Changes the articles that were selected in the list, after a confirmation, and shows the result for each. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { DomainError } from "../../../domain/errors.ts";
import { splitAtCommas, splitsCharacter, capitalize } from "../../../lib/text.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, SelectField, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import type { Submission } from "../submission.ts";
import { Table } from "../table.tsx";
import { formatCount } from "../words.ts";
import { getTitle, requireWriter } from "./found.ts";
import { SCHEDULE_LABELS as LABELS, ZoneField } from "./zone-field.tsx";

export const bulk = new Hono<ConsoleEnv>();

const PATH = "/console/articles/bulk";

/** The bulk actions. Those with a `verb` ask for confirmation, and say what `follows`. */
const ACTIONS = [
  {
    value: "publish",
    label: "Publish…",
    verb: "Publish",
    follows: "Readers see them immediately, with all that is saved.",
  },
  {
    value: "unpublish",
    label: "Unpublish…",
    verb: "Unpublish",
    follows: "They become drafts, and readers no longer see them. Unpublished changes become part of the drafts.",
  },
  { value: "tag", label: "Add tags" },
  { value: "schedule", label: "Schedule…" },
  {
    value: "deleteLater",
    label: "Delete…",
    verb: "Delete",
    follows: `You can undo this for ${LIMITS.undoSeconds} seconds. After that, they are in the trash for ${LIMITS.trashDays} days, and gone for readers. Their translations stay, unless they are selected.`,
  },
] as const;

type Confirmed = Extract<(typeof ACTIONS)[number], { readonly verb: string }>;

export const BulkFields: FC<{ state?: FormState }> = ({ state = newForm() }) => (
  <div class="filters">
    <SelectField state={state} name="action" label="With selected" choices={ACTIONS} choose />
    <TextField state={state} name="tags" label="Tags" hint="For “Add tags”, separated by commas." />
    <button type="submit" class="quiet">
      Apply
    </button>
  </div>
);

/** The most characters of a title that a form sends along, so that many titles do not make it too large. */
const TITLE = 80;

type Titled = { readonly _id: string; readonly title: string };

/** Sends the title along with the form, so that the next pages can show it. */
const Title: FC<{ of: Titled }> = ({ of: { _id, title } }) => {
  const whole = getTitle({ title });
  const end = splitsCharacter(whole, TITLE) ? TITLE - 1 : TITLE;
  const shown = whole.length > TITLE ? `${whole.slice(0, end)}…` : whole;
  return <input type="hidden" name={`title-${_id}`} value={shown} />;
};

export const Tick: FC<{ of: Titled }> = ({ of }) => (
  <>
    <input type="checkbox" name="articleIds" value={of._id} aria-label={`Select “${getTitle(of)}”`} />
    <Title of={of} />
  </>
);

onSubmit(bulk, "/", {
  first: requireWriter,
  again: (c, state, status, form) => (form.has("timeZone") ? askTimes : refused)(c, form, state, status),
  async work(c, form) {
    const { action, ...asked } = parseAction(form);
    if ("verb" in action && form.text("sure") !== "yes") return confirm(c, form, action);
    if (action.value === "schedule" && !form.has("timeZone")) return askTimes(c, form, newForm({ timeZone: "UTC" }));
    const input = { action: action.value, ...asked };
    const { value } = await perform(c, registry.changeArticles, input, form);
    const isDone = value.every(({ outcome }) => outcome !== "refused");
    // The list shows the deletions, and how to undo them.
    if (action.value === "deleteLater" && isDone) return goTo(c, toListPath(form));
    return showOutcomes(c, form, value);
  },
});

/** Returns the path of the list that the form was on, with its filters. */
const toListPath = (form: Submission): string =>
  `/console/articles?${new URLSearchParams(form.text("list")).toString()}`;

/**
 * Returns the same path with the entered action and tags, for a form without selected articles. Other forms ask again
 * on the next page, which keeps them.
 */
function toListPathWithInput(form: Submission): string {
  const entered = ["action", "tags"].flatMap((name) => (form.text(name) === "" ? [] : [[name, form.text(name)]]));
  return `/console/articles?${new URLSearchParams([...new URLSearchParams(form.text("list")), ...entered]).toString()}`;
}

/** Returns the chosen action and its input. Throws `invalid_request` if no article, action or tag is chosen. */
function parseAction(form: Submission) {
  const articleIds = form.all("articleIds");
  if (articleIds.length === 0) throw new DomainError("invalid_request", "Select at least one article.");
  const action = ACTIONS.find(({ value }) => value === form.text("action"));
  if (action === undefined) throw new DomainError("invalid_request", "Choose what to do with the selected articles.");
  if (action.value === "schedule") return { action, articleIds, schedule: getTimes(form) };
  if (action.value !== "tag") return { action, articleIds };
  const tags = splitAtCommas(form.text("tags"));
  if (tags.length === 0) throw new DomainError("invalid_request", "Enter the tags to add, separated by commas.");
  return { action, articleIds, tags };
}

/** The labels by the names in the operation's errors. */
const NAMED = Object.fromEntries(Object.entries(LABELS).map(([name, label]) => [`schedule.${name}`, label]));

function getTimes(form: Submission) {
  const given = (name: keyof typeof LABELS) => form.text(name).trim() || undefined;
  return { publishTime: given("publishTime"), unpublishTime: given("unpublishTime"), timeZone: given("timeZone") };
}

/** Asks for the times of a schedule. The operation's errors name its own fields, such as `schedule.publishTime`. */
function askTimes(c: ConsoleContext, form: Submission, state: FormState, status?: Status) {
  const errors = state.errors.map(({ path, message }) => ({ path: path.replace(/^schedule\./, ""), message }));
  const field = { state: { ...state, errors }, type: "datetime-local" as const };
  return page(
    c,
    `Schedule ${formatCount(form.all("articleIds").length, "article")}`,
    <>
      <Form action={PATH} state={field.state} labels={NAMED} submit="Schedule">
        <Ticked form={form} />
        <input type="hidden" name="action" value="schedule" />
        <TextField
          {...field}
          name="publishTime"
          label={LABELS.publishTime}
          hint="Required for drafts. Leave blank for published articles."
        />
        <TextField
          {...field}
          name="unpublishTime"
          label={LABELS.unpublishTime}
          hint="Leave blank to keep them published."
        />
        <ZoneField state={field.state} hint="Such as Europe/Lisbon." proposes={state.problem === null} />
      </Form>
      <p>
        <a href={toListPath(form)}>Back to articles</a>
      </p>
    </>,
    status,
  );
}

const listSelected = (form: Submission): Titled[] =>
  form.all("articleIds").map((_id) => ({ _id, title: form.text(`title-${_id}`) }));

/** Lists the selected articles, and keeps them selected in the form around it. */
const Ticked: FC<{ form: Submission }> = ({ form }) => (
  <>
    <input type="hidden" name="list" value={form.text("list")} />
    <ul>
      {listSelected(form).map((of) => (
        <li>
          {getTitle(of)}
          <input type="hidden" name="articleIds" value={of._id} />
          <Title of={of} />
        </li>
      ))}
    </ul>
  </>
);

const refused = (c: ConsoleContext, form: Submission, state: FormState, status: Status) =>
  page(
    c,
    "Nothing was changed",
    <>
      <p class="alert bad" role="alert">
        {describeRefusal(state)}
      </p>
      {form.all("articleIds").length > 0 && (
        <Form action={PATH}>
          <Ticked form={form} />
          <BulkFields state={{ ...state, errors: [] }} />
        </Form>
      )}
      <p>
        <a href={form.all("articleIds").length > 0 ? toListPath(form) : toListPathWithInput(form)}>Back to articles</a>
      </p>
    </>,
    status,
  );

/** Returns why the form was refused: the errors of the tags, its only text, or the message. */
function describeRefusal({ errors, problem }: FormState): string {
  const wrong = errors.filter(({ path }) => path.startsWith("tags")).map(({ message }) => message);
  return wrong.length > 0 ? `Tags: ${[...new Set(wrong)].join("; ")}.` : (problem?.message ?? "");
}

const confirm = (c: ConsoleContext, form: Submission, { value, verb, follows }: Confirmed) =>
  page(
    c,
    `${verb} ${formatCount(form.all("articleIds").length, "article")}?`,
    <Form action={PATH}>
      <input type="hidden" name="action" value={value} />
      <input type="hidden" name="sure" value="yes" />
      <Ticked form={form} />
      <p>{follows}</p>
      <div class="row">
        <button type="submit" class={value === "deleteLater" ? "danger" : undefined}>
          {verb} {formatCount(form.all("articleIds").length, "article")}
        </button>
        <a href={toListPath(form)}>Back to articles</a>
      </div>
    </Form>,
  );

type Outcome = { readonly _id: string; readonly outcome: string; readonly detail: string | null };

function showOutcomes(c: ConsoleContext, form: Submission, found: readonly Outcome[]) {
  const count = (outcome: string) => found.filter((each) => each.outcome === outcome).length;
  const left = found.filter(({ outcome }) => outcome === "refused");
  const titles = new Map(listSelected(form).map((each) => [each._id, getTitle(each)]));
  const unchanged = count("unchanged");
  return page(
    c,
    count("changed") === 0 ? "Nothing was changed" : "Articles changed",
    <>
      <p role="status">
        {[
          `${capitalize(formatCount(count("changed"), "article"))} changed`,
          ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
          ...(left.length > 0 ? [`${left.length} refused`] : []),
        ].join(", ")}
        .
      </p>
      {left.length > 0 && (
        <Table
          label="Not changed"
          rows={left}
          columns={[
            {
              head: "Article",
              names: true,
              cell: ({ _id }) => (
                <a href={`/console/articles/${_id}`} dir="auto">
                  {titles.get(_id)}
                </a>
              ),
            },
            { head: "Reason", cell: ({ detail }) => detail },
          ]}
        />
      )}
      <p>
        <a href={toListPath(form)}>Back to articles</a>
      </p>
    </>,
  );
}
