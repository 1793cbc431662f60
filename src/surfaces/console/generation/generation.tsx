/** The page that generates an article about a topic, from an idea, or from another article. */
import { Hono } from "hono";
import { hasDeploymentModel } from "../../request/models.ts";
import { DomainError, refusalHeaders, type ErrorCode } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { requireContributor } from "../articles/found.ts";
import { NoBlog } from "../articles/shared.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { newForm, type FormState, refusedForm } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { GenerationForm, WORDS } from "./form.tsx";
import { makeInitialValues, toGenerationInput } from "./input.ts";
import { toHttpStatus } from "../status.ts";
import { findSubject, type Asked } from "./subject.ts";
import type { Submission } from "../submission.ts";

export const generation = new Hono<ConsoleEnv>();

generation.get("/", async (c) => {
  requireContributor(c);
  const { blog: blogId, topic: topicId, article: articleId, locale } = c.req.query();
  return show(c, { blogId, topicId, articleId, locale });
});

generation.post("/", async (c) => {
  requireContributor(c);
  const form = await readForm(c);
  try {
    const { value } = await perform(c, registry.startGeneration, toGenerationInput(form), form);
    return goTo(c, `/console/generations/${value._id}`);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === "internal") throw error;
    const asked = {
      blogId: form.text("blogId"),
      topicId: form.text("topicId"),
      articleId: form.text("articleId"),
      locale: form.text("locale"),
    };
    const response = await show(c, asked, makeRefusedState(form, error), toHttpStatus(error));
    for (const [name, value] of Object.entries(refusalHeaders(error))) response.headers.set(name, value);
    return response;
  }
});

async function show(c: ConsoleContext, asked: Asked, state?: FormState, status?: Status): Promise<Response> {
  const subject = await findSubject(c, asked);
  if (subject === null) return page(c, "Generate an article", <NoBlog mayCreate={can(c, "blogs:write")} />, status);
  const { env, settings } = c.env.arrival;
  const hasModel = hasDeploymentModel(env, settings);
  return page(
    c,
    WORDS[subject.kind].title,
    <GenerationForm subject={subject} state={state ?? newForm(makeInitialValues(subject))} hasModel={hasModel} />,
    status,
  );
}

function makeRefusedState(form: Submission, error: DomainError): FormState {
  const state = refusedForm(form.values, rewordError(error));
  const typed = form.text("otherLocale").trim() !== "" || !form.has("locale");
  const errors = state.errors.map((each) =>
    each.path === "locale" && typed ? { ...each, path: "otherLocale" } : each,
  );
  // While the first submission starts it, keep its key: the next one then finds it.
  const same = error.code === "idempotency_in_progress" && form.idempotencyKey !== undefined;
  return { ...state, errors, ...(same && { idempotencyKey: form.idempotencyKey }) };
}

function rewordError(error: DomainError): DomainError {
  const text = FOR_PEOPLE[error.code];
  if (text === undefined) return error;
  return new DomainError(error.code, `${text}${describeWait(error)}`, { errors: error.details.errors });
}

const FOR_PEOPLE: Partial<Record<ErrorCode, string>> = {
  generation_limit: "The organization has used up its generations for now.",
  topic_used: "Somebody has already generated an article from this topic idea.",
};

function describeWait({ details }: DomainError): string {
  const seconds = details.retryAfterSeconds ?? 0;
  if (seconds <= 60) return seconds > 1 ? " Try again in a minute." : "";
  return ` Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
