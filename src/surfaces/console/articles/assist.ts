/** Asks the model for help with a text, and streams its answer to the editor's script (packages/browser/assist.ts). */
import { Hono } from "hono";
import { DomainError, problemBody } from "../../../domain/errors.ts";
import { registry } from "../../../operations/registry.ts";
import { EVENTS, streamSteps } from "../../request/events.ts";
import { unexpected } from "../../request/unexpected.ts";
import type { ConsoleContext, ConsoleEnv } from "../env.ts";
import { forPeople } from "../forms.tsx";
import { readForm } from "../read-form.ts";
import { perform } from "../session.ts";
import { statusOf } from "../status.ts";
import type { Submission } from "../submission.ts";

export const assist = new Hono<ConsoleEnv>();

assist.post("/", async (c) => {
  const form = await readForm(c);
  const leaving = new AbortController();
  const left = () => leaving.abort();
  c.req.raw.signal.addEventListener("abort", left);
  try {
    const { readable } = await streamSteps({
      work: (tell) => perform(c, registry.assistArticle, inputOf(form), { tell, signal: leaving.signal }),
      resultOf: ({ value }) => JSON.stringify(value),
      failureOf: (error) => JSON.stringify(problemOf(c, error)),
      left,
      ended: () => undefined,
      waitUntil: c.env.arrival.waitUntil,
    });
    return new Response(readable, { headers: { "Content-Type": EVENTS } });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return c.json(problemOf(c, error), statusOf(error));
  }
});

/** Returns the operation's input. Empty fields are left out. */
const inputOf = (form: Submission) => {
  const names = ["blogId", "task", "text", "title", "context", "locale", "targetLocale"];
  return Object.fromEntries(names.map((name) => [name, form.text(name)]).filter(([, value]) => value !== ""));
};

/** Returns the body of a refusal, with words for people. */
function problemOf(c: ConsoleContext, error: unknown) {
  const { requestId } = c.env.arrival;
  const problem = error instanceof DomainError ? forPeople(error) : unexpected(requestId, error);
  return problemBody(problem, requestId, "");
}
