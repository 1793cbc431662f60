/** The page that generates an article about a topic, from an idea, or from another article. */
import { Hono } from "hono";
import { hasDeploymentModel } from "../../request/models.ts";
import { DomainError, invalidField, refusalHeaders, type ErrorCode } from "../../../domain/errors.ts";
import { formatOutline } from "../../../domain/outline-text.ts";
import { registry } from "../../../operations/registry.ts";
import { requireContributor } from "../articles/found.ts";
import { NoBlog } from "../articles/shared.tsx";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { newForm, type FormState, refusedForm } from "../forms.tsx";
import { goTo, page, type Status } from "../layout.tsx";
import { can, perform } from "../session.ts";
import { readForm } from "../read-form.ts";
import { GenerationForm, WORDS, type Estimate } from "./form.tsx";
import { makeInitialValues, toGenerationInput, toOutlineInput } from "./input.ts";
import { toHttpStatus } from "../status.ts";
import { findSubject, type Asked, type Subject } from "./subject.ts";
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
  const asked = {
    blogId: form.text("blogId"),
    topicId: form.text("topicId"),
    articleId: form.text("articleId"),
    locale: form.text("locale"),
  };
  try {
    if (c.req.query("wants") === "outline") {
      if (form.text("outline").trim() !== "") throw invalidField("outline", "must be empty to have one suggested");
      const { value } = await perform(c, registry.outlineArticle, toOutlineInput(form));
      return await show(c, asked, newForm({ ...form.values, outline: formatOutline(value.outline) }));
    }
    const { value } = await perform(c, registry.startGeneration, toGenerationInput(form), form);
    return goTo(c, `/console/generations/${value._id}`);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === "internal") throw error;
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
  const estimate = hasModel && !state?.problem ? await estimateFor(c, subject) : null;
  return page(
    c,
    WORDS[subject.kind].title,
    <GenerationForm
      subject={subject}
      state={state ?? newForm(makeInitialValues(subject))}
      hasModel={hasModel}
      estimate={estimate}
    />,
    status,
  );
}

/** Returns what the form would take as it is at first; null if that cannot be told. */
async function estimateFor(c: ConsoleContext, subject: Subject): Promise<Estimate | null> {
  const locale = subject.kind === "translation" ? subject.missing[0] : undefined;
  if (subject.kind === "translation" && locale === undefined) return null;
  const input = { ...getSubject(subject), ...(locale !== undefined && { locale }) };
  try {
    return (await perform(c, registry.estimateGeneration, { ...input, published: false })).value;
  } catch (error) {
    // The form says so once it is sent.
    if (error instanceof DomainError && error.code !== "internal") return null;
    throw error;
  }
}

function getSubject(subject: Subject): Readonly<Record<string, string>> {
  switch (subject.kind) {
    case "topic":
      return { blogId: subject.blog._id, topic: "A topic in a sentence or two, as people write them." };
    case "idea":
      return { topicId: subject.idea._id };
    case "rewrite":
    case "translation":
      return { articleId: subject.article._id };
  }
}

function makeRefusedState(form: Submission, error: DomainError): FormState {
  const state = refusedForm(form.values, rewordError(error));
  const typed = form.text("otherLocale").trim() !== "" || !form.has("locale");
  const errors = state.errors.map(({ path, message }) => ({
    path: path === "locale" && typed ? "otherLocale" : path.replace(/^outline\..*/, "outline"),
    message: path.startsWith("outline.") ? `${describePlace(path)} ${message}` : message,
  }));
  // While the first submission starts it, keep its key: the next one then finds it.
  const same = error.code === "idempotency_in_progress" && form.idempotencyKey !== undefined;
  return { ...state, errors, ...(same && { idempotencyKey: form.idempotencyKey }) };
}

/** Returns the part of an outline that the path of an error names. */
function describePlace(path: string): string {
  const [, first = "", index, member = ""] = path.split(".");
  return index === undefined
    ? `The ${first}`
    : `Section ${Number(index) + 1} (${member === "" ? "all of it" : member})`;
}

function rewordError(error: DomainError): DomainError {
  // What a day allows in tokens says so itself.
  if (error.code === "generation_limit" && error.details.limits === undefined) return error;
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
