/** The page that schedules an article. Works without scripts: times are local times of the time zone in the form. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import { registry } from "../../operations/registry.ts";
import { localOf } from "../../lib/zoned.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { attempt, Form, newForm, TextField, type FormState } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { Time } from "../time.tsx";
import { findArticle, titleOf, writersOnly, type Article } from "./found.ts";
import { About } from "./reading.tsx";

export const schedule = new Hono<ConsoleEnv>();

schedule.get("/:id/schedule", async (c) => {
  writersOnly(c);
  return ask(c, c.req.param("id"));
});

schedule.post("/:id/schedule", async (c) => {
  writersOnly(c);
  const form = await readForm(c);
  const articleId = c.req.param("id");
  const given = (name: string) => form.text(name).trim() || undefined;
  return attempt(
    form,
    (state, status) => ask(c, articleId, state, status),
    async () => {
      const input = {
        articleId,
        publishTime: given("publishTime"),
        unpublishTime: given("unpublishTime"),
        timeZone: given("timeZone"),
      };
      await perform(c, registry.setSchedule, input, { idempotencyKey: form.idempotencyKey });
      return goTo(c, `/console/articles/${articleId}`, "article-scheduled");
    },
  );
});

schedule.post("/:id/unschedule", async (c) => {
  writersOnly(c);
  const { idempotencyKey } = await readForm(c);
  const articleId = c.req.param("id");
  await perform(c, registry.deleteSchedule, { articleId }, { idempotencyKey });
  return goTo(c, `/console/articles/${articleId}`, "article-unscheduled");
});

async function ask(c: ConsoleContext, id: string, state?: FormState, status?: Status): Promise<Response> {
  const found = await findArticle(c, id);
  const { article } = found;
  const shown = state ?? newForm(await initialOf(article));
  return page(
    c,
    `Schedule “${titleOf(article)}”`,
    <>
      <About found={found} />
      <Form
        action={`/console/articles/${id}/schedule`}
        state={shown}
        submit="Schedule"
        guard={state ? "changed" : "unchanged"}
      >
        {!article.published && <TextField state={shown} name="publishTime" label="Publish at" type="datetime-local" />}
        <TextField
          state={shown}
          name="unpublishTime"
          label="Unpublish at"
          type="datetime-local"
          hint="Empty: it stays public."
        />
        <TextField
          state={shown}
          name="timeZone"
          label="Time zone"
          hint="Of these times, such as Europe/Lisbon. It happens within a minute; publishing or unpublishing it before ends the schedule."
          required
        />
      </Form>
      {article.schedule && (
        <Form action={`/console/articles/${id}/unschedule`} submit="End the schedule" tone="danger" inline />
      )}
      <p>
        <a href={`/console/articles/${id}`}>Back to the article</a>
      </p>
    </>,
    status,
  );
}

/** Returns the form's values for the schedule that an article has; without one, for UTC. */
async function initialOf({ schedule: plan }: Article): Promise<Record<string, string>> {
  if (plan === null) return { timeZone: "UTC" };
  const { publishTime, unpublishTime, timeZone } = plan;
  const local = async (time: string | null) => (time === null ? "" : localOf(time, timeZone));
  return { publishTime: await local(publishTime), unpublishTime: await local(unpublishTime), timeZone };
}

/** Says when an article becomes public or a draft, or why that has failed. Shows nothing if nobody has said. */
export const Planned: FC<{ of: Pick<Article, "_id" | "schedule"> }> = ({ of: { _id, schedule: plan } }) => {
  if (plan === null) return null;
  const link = <a href={`/console/articles/${_id}/schedule`}>Change it</a>;
  if (plan.failure !== null) {
    return (
      <p class="alert bad" role="status">
        <strong>The schedule failed</strong> <Time at={plan.failure.time} /> (UTC): {plan.failure.detail} {link}
      </p>
    );
  }
  return (
    <p class="alert" role="status">
      {plan.publishTime !== null && (
        <>
          It becomes public <Time at={plan.publishTime} /> (UTC).{" "}
        </>
      )}
      {plan.unpublishTime !== null && (
        <>
          It becomes a draft <Time at={plan.unpublishTime} /> (UTC).{" "}
        </>
      )}
      {link}
    </p>
  );
};
