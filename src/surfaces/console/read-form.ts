import { LIMITS } from "../../domain/limits.ts";
import type { ConsoleContext } from "./env.ts";
import { parseContentType, MULTIPART_TYPE } from "../../lib/content-type.ts";
import { readImportForm, readSubmission, readUploadForm, type Submission } from "./submission.ts";

/**
 * Returns the form of this request. The body is read once, by the first call, and only that call's `mostBytes` counts.
 * Throws the same refusals as `readSubmission`.
 */
export async function readForm(c: ConsoleContext, mostBytes: number = LIMITS.formBytes): Promise<Submission> {
  // Only the media library and the imports of CSV files take files.
  const takesFiles =
    /^\/console\/media\/|\/import$/.test(c.req.path) && parseContentType(c.req.raw.headers).type === MULTIPART_TYPE;
  // The file of an import is streamed to the store, never held in memory.
  const read = c.req.path.startsWith("/console/imports/")
    ? readImportForm
    : takesFiles
      ? readUploadForm
      : readSubmission;
  const submission = c.get("submission") ?? (await read(c.req.raw, mostBytes));
  c.set("submission", submission);
  return submission;
}
