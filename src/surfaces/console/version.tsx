/** The version in a form. A write is refused if somebody else has saved another one since. */
import type { FC } from "hono/jsx";
import { DomainError } from "../../domain/errors.ts";
import { getValue, type FormState } from "./forms.tsx";
import type { PerformOptions } from "./session.ts";
import type { Submission } from "./submission.ts";

/**
 * Returns the state with the version for the next submission of its form. A refused form keeps the version that it was
 * submitted with, because its fields lack what somebody else has saved since. After a conflict it gets the stored
 * version: the form has said that somebody else saved, so the next try may overwrite that.
 */
export function withVersion(state: FormState, stored: string): FormState {
  const isLate = state.problem?.code === "precondition_failed";
  const version = isLate ? stored : (state.values["version"] ?? stored);
  const problem = isLate ? new DomainError("precondition_failed", SAVED_SINCE) : state.problem;
  return { ...state, problem, values: { ...state.values, version } };
}

const SAVED_SINCE =
  "Somebody saved changes since you opened this page. What you entered is still here. Save again to overwrite their changes.";

/** Options of a write that happens once, and only to the version in the form. A form without a version is refused. */
export const atVersion = (form: Submission): PerformOptions => ({
  idempotencyKey: form.idempotencyKey,
  version: form.text("version"),
});

/** The hidden field with the version from {@link withVersion}. */
export const Version: FC<{ of: FormState }> = ({ of }) => (
  <input type="hidden" name="version" value={getValue(of, "version")} />
);
