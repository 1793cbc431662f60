/** Explains a refused or failed generation in words for people. */
import { DomainError, type ErrorCode } from "../../../domain/errors.ts";
import { refusedForm, type FormState } from "../forms.tsx";
import type { Submission } from "../submission.ts";

/** Returns the state of the form that is shown again, with the entered values and the errors at their fields. */
export function refused(form: Submission, error: DomainError): FormState {
  const state = refusedForm(form.values, worded(error));
  const typed = form.text("otherLocale").trim() !== "" || !form.has("locale");
  const errors = state.errors.map((each) =>
    each.path === "locale" && typed ? { ...each, path: "otherLocale" } : each,
  );
  // If the first submission is still running, keep its key: submitting the form again then shows the result of that
  // one.
  const same = error.code === "idempotency_in_progress" && form.idempotencyKey !== undefined;
  return { ...state, errors, ...(same && { idempotencyKey: form.idempotencyKey }) };
}

function worded(error: DomainError): DomainError {
  const text = FOR_PEOPLE[error.code];
  if (text === undefined) return error;
  return new DomainError(error.code, `${text}${waitFor(error)}`, { errors: error.details.errors });
}

const FOR_PEOPLE: Partial<Record<ErrorCode, string>> = {
  generation_limit: "The organization has used up its generations for now.",
  ai_rate_limited: "Nothing was stored.",
  idempotency_in_progress:
    "This form was already submitted, and the article is still being written. Submit it again in a minute to see the result. You do not pay twice.",
  topic_used: "Somebody has already generated an article from this topic idea.",
  slug_taken: "Another article already has this slug in this language.",
};

/** Returns a sentence that says when to try again, or "" if the refusal gives no time. */
function waitFor({ details }: DomainError): string {
  const seconds = details.retryAfterSeconds ?? 0;
  if (seconds <= 60) return seconds > 1 ? " Try again in a minute." : "";
  return ` Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
