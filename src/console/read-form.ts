import { LIMITS } from "../domain/limits.ts";
import type { ConsoleContext } from "./env.ts";
import { isMultipart } from "../request/multipart.ts";
import { submissionOf, uploadOf, type Submission } from "./submission.ts";

/**
 * Returns the form of this request. The body is read once, by the first call, and only that call's `mostBytes` counts.
 * Throws the same refusals as `submissionOf`.
 */
export async function readForm(c: ConsoleContext, mostBytes: number = LIMITS.formBytes): Promise<Submission> {
  // The pages of the library alone take files.
  const takesFiles = c.req.path.startsWith("/console/media/") && isMultipart(c.req.header("Content-Type") ?? null);
  const read = takesFiles ? uploadOf : submissionOf;
  const submission = c.get("submission") ?? (await read(c.req.raw, mostBytes, c.env.arrival.reserveArriving));
  c.set("submission", submission);
  return submission;
}
