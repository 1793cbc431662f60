/** The tools for former states of articles, and for discarding a working copy. */
import * as z from "zod";
import { DomainError } from "../../../domain/errors.ts";
import { splitsCharacter } from "../../../lib/text.ts";
import { revision } from "../../../operations/revisions.ts";
import { registry } from "../../../operations/registry.ts";
import { defineTool, expectedVersion, countFitting, toIfMatch, nextCursor, READS, WRITES } from "../tool.ts";

const { articleId } = registry.listRevisions.input.shape;
const number = z.int().min(1).meta({ description: "The number of a former state, from list_revisions.", example: 3 });

// Tools do not show people (contract 15.5).
const shown = revision.omit({ by: true });

export const listRevisions = defineTool({
  name: "list_revisions",
  title: "List former states",
  description:
    "Lists the former states of an article without their contents, the newest first: what each change has replaced, also of its working copy (`workingCopy`). compare_revisions shows what differs.",
  operations: [registry.listRevisions],
  annotations: READS,
  input: z.strictObject({
    articleId,
    cursor: z.string().optional().meta({ description: "The `nextCursor` of the previous page." }),
  }),
  output: z.object({ revisions: z.array(shown), nextCursor }),
  holdsTexts: true,
  async run({ run }, { articleId: id, cursor }) {
    // A cursor is the number of the last state on the previous page.
    const before = cursor === undefined ? Infinity : /^\d{1,15}$/.test(cursor) ? Number(cursor) : NaN;
    if (Number.isNaN(before)) throw new DomainError("invalid_cursor");
    const { value } = await run(registry.listRevisions, () => ({ articleId: id }));
    const older = value.filter((each) => each.number < before).map((each) => shown.parse(each));
    const revisions = older.slice(0, countFitting(older));
    const last = revisions.at(-1);
    return { revisions, nextCursor: last && revisions.length < older.length ? String(last.number) : null };
  },
});

const MOST_OF_A_DIFF = 50_000;

const { content, ...compared } = registry.compareRevisions.output.shape;

export const compareRevisions = defineTool({
  name: "compare_revisions",
  title: "Compare former states",
  description: `Compares a former state of an article with the article as it is, or with the former state \`with\`: the fields that differ, and the lines of the content in the unified format, ${MOST_OF_A_DIFF} characters at most.`,
  operations: [registry.compareRevisions],
  annotations: READS,
  input: z.strictObject({
    articleId,
    revision: number,
    with: number
      .optional()
      .meta({ description: "The number of another former state; without it, the article as it is." }),
  }),
  output: z.object({
    ...compared,
    content: content
      .unwrap()
      .extend({ isCut: z.boolean().meta({ description: "Whether more lines differ than `unified` shows." }) })
      .nullable()
      .meta({ description: "null if the contents differ in too many lines, or have too many." }),
  }),
  holdsTexts: true,
  async run({ run }, { articleId: id, revision: of, with: other }) {
    const input = { articleId: id, revision: String(of), with: other === undefined ? "current" : String(other) };
    const { value } = await run(registry.compareRevisions, () => input);
    if (value.content === null) return { ...value, content: null };
    const { unified } = value.content;
    const end = splitsCharacter(unified, MOST_OF_A_DIFF) ? MOST_OF_A_DIFF - 1 : MOST_OF_A_DIFF;
    const isCut = unified.length > end;
    return { ...value, content: { ...value.content, unified: isCut ? unified.slice(0, end) : unified, isCut } };
  },
});

export const discardWorkingCopy = defineTool({
  name: "discard_working_copy",
  title: "Discard a working copy",
  description:
    "Deletes the changes of an article that readers do not see yet: the article itself stays as it is, and restore_revision brings them back. Call it only when the user has asked for it. Pass the `version` from get_article with `workingCopy`, so that nobody's work is lost.",
  operations: [registry.discardDraft],
  annotations: { ...WRITES, idempotentHint: true },
  input: z.strictObject({ articleId, version: expectedVersion }),
  output: registry.discardDraft.output,
  async run({ run }, { articleId: id, version: given }) {
    return (await run(registry.discardDraft, () => ({ articleId: id }), toIfMatch(given))).value;
  },
});
