import { LIMITS } from "../domain/limits.ts";
import type { ConsoleContext } from "./env.ts";
import { submissionOf, type Submission } from "./submission.ts";

/** The form of this request. It is read once: the first caller says how many bytes it may have. Throws as `submissionOf`. */
export async function readForm(c: ConsoleContext, mostBytes: number = LIMITS.formBytes): Promise<Submission> {
  const submission = c.get("submission") ?? (await submissionOf(c.req.raw, mostBytes));
  c.set("submission", submission);
  return submission;
}
