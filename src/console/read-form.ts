import { LIMITS } from "../domain/limits.ts";
import type { ConsoleContext } from "./env.ts";
import { submissionOf, type Submission } from "./submission.ts";

/**
 * Returns the form of this request. The body is read once, by the first call, and only that call's `mostBytes` counts.
 * Throws the same refusals as `submissionOf`.
 */
export async function readForm(c: ConsoleContext, mostBytes: number = LIMITS.formBytes): Promise<Submission> {
  const submission = c.get("submission") ?? (await submissionOf(c.req.raw, mostBytes, c.env.arrival.reserve));
  c.set("submission", submission);
  return submission;
}
