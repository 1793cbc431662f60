/** The page that schedules an article. Works without scripts: times are local times of the time zone in the form. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import type { z } from "zod";
import { DomainError } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { isLocalTimeAt, toLocal } from "../../../lib/zoned.ts";
import { param, type ConsoleContext, type ConsoleEnv } from "../env.ts";
import { onSubmit, Form, newForm, TextField, getValue, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import { atVersion } from "../version.tsx";
import type { Submission } from "../submission.ts";
import { useGrant } from "../visit.ts";
import { ZonedTime } from "../time.tsx";
import { findArticle, getTitle, requireWriter, type Article, type Found } from "./found.ts";
import { LeftOut } from "./left-out.tsx";
import { About } from "./reading.tsx";
import { SCHEDULE_LABELS as LABELS, ZoneField } from "./zone-field.tsx";

export const schedule = new Hono<ConsoleEnv>();

schedule.get("/:id/schedule", async (c) => {
  requireWriter(c);
  return ask(c, c.req.param("id"));
});

onSubmit(schedule, "/:id/schedule", {
  first: requireWriter,
  again: (c, state, status) => ask(c, param(c, "id"), state, status),
  async work(c, form) {
    const articleId = param(c, "id");
    const [publishTime, unpublishTime] = [await getTime(form, "publishTime"), await getTime(form, "unpublishTime")];
    if (publishTime === undefined && unpublishTime === undefined) throw new DomainError("invalid_request", NO_TIME);
    const input = { articleId, publishTime, unpublishTime, timeZone: form.text("timeZone").trim() || undefined };
    await explainConflict(() => perform(c, registry.setSchedule, input, atVersion(form)));
    return goTo(c, `/console/articles/${articleId}`, "article-scheduled");
  },
});

/**
 * Returns the time in a field, or undefined. If the field still shows the stored time, returns that: the field has no
 * seconds, and does not say which one it means of an hour that occurs twice.
 */
async function getTime(form: Submission, name: "publishTime" | "unpublishTime"): Promise<string | undefined> {
  const text = form.text(name).trim();
  const stored = form.text(`stored-${name}`);
  if (text === "") return undefined;
  return (await isLocalTimeAt(text, stored, form.text("timeZone").trim())) ? stored : text;
}

const NO_TIME = "Enter a time to publish or unpublish the article.";

onSubmit(schedule, "/:id/unschedule", {
  first: requireWriter,
  again: (c, { problem }, status) => ask(c, param(c, "id"), { ...newForm(), problem }, status),
  async work(c, form) {
    const articleId = param(c, "id");
    await explainConflict(() => perform(c, registry.deleteSchedule, { articleId }, atVersion(form)));
    return goTo(c, `/console/articles/${articleId}`, "article-unscheduled");
  },
});

/** Runs a change of the schedule. Replaces the message of `precondition_failed` by one that says what to do. */
async function explainConflict<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isLate = error instanceof DomainError && error.code === "precondition_failed";
    throw isLate ? new DomainError("precondition_failed", CHANGED, { worded: true }) : error;
  }
}

const CHANGED =
  "Somebody changed the schedule or the article since you opened this page. Your schedule was not saved. The current schedule is shown below. Send the form again to replace it.";

type Plan = z.infer<typeof registry.getSchedule.output>;

/**
 * Returns the schedule of an article, or null, and the version that a change of it sends: without a schedule, the
 * article's.
 */
async function findPlan(c: ConsoleContext, { article, version }: Found) {
  try {
    const { value, version: own = "" } = await perform(c, registry.getSchedule, { articleId: article._id });
    return { plan: value, version: own };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
    return { plan: null, version };
  }
}

/** `state` has no values if another form of the page was refused. */
async function ask(c: ConsoleContext, id: string, state?: FormState, status?: Status): Promise<Response> {
  const found = await findArticle(c, id);
  const { article } = found;
  const { plan, version } = await findPlan(c, found);
  const isEntered = state !== undefined && "timeZone" in state.values;
  const isLate = state?.problem?.code === "precondition_failed";
  const shown = isEntered ? state : newForm(await makeInitialValues(plan));
  // After a conflict, the page shows what is stored, so the next try may replace it.
  const seen = isEntered && !isLate ? getValue(state, "version") : version;
  return page(
    c,
    `Schedule “${getTitle(article)}”`,
    <>
      <About found={found} />
      {isLate && <Planned of={{ _id: id, schedule: plan }} />}
      <Times
        article={article}
        plan={plan}
        state={{ ...shown, problem: state?.problem ?? null, values: { ...shown.values, version: seen } }}
        guard={isEntered ? "changed" : "unchanged"}
      />
      {plan && (
        <div class="actions">
          <Form action={`/console/articles/${id}/unschedule`} submit="Unschedule" tone="danger" inline>
            <input type="hidden" name="version" value={version} />
          </Form>
        </div>
      )}
      <p>
        <a href={`/console/articles/${id}`}>Back to article</a>
      </p>
    </>,
    status,
  );
}

type TimesProps = {
  readonly article: Article;
  readonly plan: Plan | null;
  readonly state: FormState;
  readonly guard: "changed" | "unchanged";
};

/** Only a new schedule gets the browser's time zone. Another zone would move the times of a stored one. */
const Times: FC<TimesProps> = ({ article, plan, state, guard }) => (
  <Form
    action={`/console/articles/${article._id}/schedule`}
    state={state}
    submit="Schedule"
    guard={guard}
    labels={LABELS}
  >
    <input type="hidden" name="version" value={getValue(state, "version")} />
    <input type="hidden" name="stored-publishTime" value={getValue(state, "stored-publishTime")} />
    <input type="hidden" name="stored-unpublishTime" value={getValue(state, "stored-unpublishTime")} />
    {!article.published && <LeftOut content={article.content} />}
    {!article.published && (
      <TextField state={state} name="publishTime" label={LABELS.publishTime} type="datetime-local" />
    )}
    <TextField
      state={state}
      name="unpublishTime"
      label={LABELS.unpublishTime}
      type="datetime-local"
      hint="Leave blank to keep it published."
    />
    <ZoneField
      state={state}
      hint="For the times above, such as Europe/Lisbon. If you publish or unpublish the article yourself, the schedule is removed."
      proposes={plan === null && guard === "unchanged"}
    />
  </Form>
);

async function makeInitialValues(plan: Plan | null): Promise<Record<string, string>> {
  if (plan === null) return { timeZone: "UTC" };
  const { publishTime, unpublishTime, timeZone } = plan;
  const local = async (time: string | null) => (time === null ? "" : toLocal(time, timeZone));
  return {
    publishTime: await local(publishTime),
    unpublishTime: await local(unpublishTime),
    timeZone,
    "stored-publishTime": publishTime ?? "",
    "stored-unpublishTime": unpublishTime ?? "",
  };
}

/** Says when an article is published or unpublished, or why that has failed. Renders nothing without a schedule. */
export const Planned: FC<{ of: Pick<Article, "_id" | "schedule"> }> = ({ of: { _id, schedule: plan } }) => {
  const mayChange = useGrant("articles:write");
  if (plan === null) return null;
  const link = mayChange ? (
    <a href={`/console/articles/${_id}/schedule`}>Change schedule</a>
  ) : (
    plan.publishTime !== null && "While it has a schedule, only a writer can change it."
  );
  if (plan.failure !== null) {
    return (
      <p class="alert bad" role="status">
        <strong>The schedule failed</strong> on <ZonedTime at={plan.failure.time} timeZone={plan.timeZone} />:{" "}
        {plan.failure.detail} {link}
      </p>
    );
  }
  return (
    <p class="alert" role="status">
      {plan.publishTime !== null && (
        <>
          Scheduled for <ZonedTime at={plan.publishTime} timeZone={plan.timeZone} />.{" "}
        </>
      )}
      {plan.unpublishTime !== null && (
        <>
          Will be unpublished on <ZonedTime at={plan.unpublishTime} timeZone={plan.timeZone} />.{" "}
        </>
      )}
      {link}
    </p>
  );
};
