import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError } from "../domain/errors.ts";
import { pickWritten, type Written } from "../domain/article-fields.ts";
import { LIMITS } from "../domain/limits.ts";
import { diffTexts } from "../domain/text-diff.ts";
import { article, shownWriting } from "./article-members.ts";
import { toListResult } from "./lists.ts";
import { defineOperation } from "./define.ts";
import { identifier, output } from "./fields.ts";

const { content, ...kept } = shownWriting;

const number = z.int().meta({ description: "The first state of an article is 1; each change adds one.", example: 3 });

export const revision = z
  .object({
    articleId: output.id,
    number,
    ...kept,
    published: article.shape.published,
    workingCopy: z.boolean().meta({
      description: "Whether it is a state of the working copy, which readers did not see.",
      example: false,
    }),
    by: z
      .object({
        kind: z.string().meta({ description: "key, operator, user or app.", example: "user" }),
        id: z.string().meta({ description: "The identifier of the credential, the person or the connection." }),
        action: z.string().meta({ description: "As in the audit log.", example: "articles.generate" }),
      })
      .nullable()
      .meta({ description: "Who made this state; null if the audit log no longer said so when it was replaced." }),
    lastEditTime: output.dateTime,
    endTime: output.dateTime.meta({ description: "When the next state took its place." }),
  })
  .meta({ id: "Revision" });

const wholeRevision = revision.extend({ content }).meta({ id: "WholeRevision" });

export type RevisionValue = z.infer<typeof revision>;

const articleId = identifier("an article");

const NO_REVISION = "There is no such article, or it has no such revision.";

const revisionNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be the number of a revision")
  .meta({ description: "The number of a former state.", example: "3" });

export const listRevisions = defineOperation({
  name: "revisions.list",
  summary: "List the former states of an article",
  description: `Without their contents, the newest first. Each change keeps the state that it replaces, of the article or of its working copy: ${LIMITS.revisions} of an article, drafts for ${LIMITS.keptDays.draftRevisions} days and what was public for ${LIMITS.keptDays.publishedRevisions}.`,
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId }),
  output: z.array(revision),
  refuses: ["not_found"],
  hasEtag: true,
  sample: { command: "articles revisions {articleId}" },
  async run({ store }, { articleId: id }) {
    return toListResult({ items: await store.listRevisions(id), next: undefined });
  },
});

export const getRevision = defineOperation({
  name: "revisions.get",
  summary: "Get a former state of an article",
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId, revision: revisionNumber }),
  output: wholeRevision,
  refuses: ["not_found"],
  hasEtag: true,
  async run({ store }, { articleId: id, revision: of }) {
    const state = await store.findRevision(id, Number(of));
    if (state === null) throw new DomainError("not_found", NO_REVISION);
    return state;
  },
});

const change = z.object({
  name: z.string().meta({ example: "title" }),
  before: z.union([z.string(), z.boolean()]).meta({ example: "Slow mornings" }),
  after: z.union([z.string(), z.boolean()]).meta({ example: "Slow mornings in Porto" }),
});

const comparison = z
  .object({
    articleId: output.id,
    from: number,
    with: z.union([z.int(), z.literal("current")]).meta({ example: "current" }),
    fields: z.array(change).meta({ description: "The fields that differ, without `content`." }),
    content: z
      .object({
        unified: z.string().meta({
          description: "The lines that differ, with three around them, in the unified format; empty if none does.",
          example: "@@ -1,1 +1,1 @@\n-Begin at the river.\n+Begin at the bridge.\n",
        }),
        addedLines: z.int(),
        removedLines: z.int(),
      })
      .nullable()
      .meta({ description: "null if the contents differ in too many lines, or have too many." }),
  })
  .meta({ id: "RevisionComparison" });

/** Returns the members to compare; those of `seo` as `seo.title` and so on. */
function toComparable({ published, ...state }: Written & { readonly published: boolean }) {
  const { content: _, seo, ...texts } = pickWritten(state);
  const metadata = Object.entries(seo).map(([name, value]) => [`seo.${name}`, value]);
  return { ...texts, published, ...Object.fromEntries(metadata) } as Record<string, string | boolean>;
}

export const compareRevisions = defineOperation({
  name: "revisions.compare",
  summary: "Compare a former state of an article",
  description: `With the article as it is (\`current\`, the default), or with another former state. An organization may do so ${RATES.comparisons} times a minute, together with comparisons of structures.`,
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({
    articleId,
    revision: revisionNumber,
    with: z
      .string()
      .regex(/^(?:current|[1-9]\d{0,8})$/, 'must be the number of a revision, or "current"')
      .default("current")
      .meta({ description: "The number of a former state, or `current`.", example: "current" }),
  }),
  output: comparison,
  refuses: ["not_found"],
  sample: { command: "articles diff {articleId} 1" },
  async run({ store, principal, limit }, { articleId, revision: of, with: other }) {
    await limit("comparisons", principal.organizationId);
    const compared = other === "current" ? ("current" as const) : Number(other);
    const [before, after] = await store.findStates(articleId, [Number(of), compared]);
    if (!before || !after) throw new DomainError("not_found", NO_REVISION);
    const [old, current] = [toComparable(before.value), toComparable(after.value)];
    const fields = Object.entries(old).flatMap(([name, value]) =>
      value === current[name] ? [] : [{ name, before: value, after: current[name] ?? "" }],
    );
    const content = await diffTexts(before.value.content, after.value.content);
    return { value: { articleId: before.value.articleId, from: before.value.number, with: compared, fields, content } };
  },
});

export const restoreRevision = defineOperation({
  name: "revisions.restore",
  summary: "Restore a former state of an article",
  description:
    "An ordinary update with the texts, slug, locale, cover and `seo` of that state. It never publishes or unpublishes. The state before it is kept as a revision, too. Fires article.updated, unless nothing differs.",
  scope: "articles:draft",
  effect: "write",
  versioned: true,
  input: z.strictObject({ articleId, revision: revisionNumber }),
  output: article,
  refuses: ["not_found", "slug_taken", "quota_exceeded", "event_limit"],
  hasEtag: true,
  audit: { "articles.restore": "restored an earlier version of *" },
  sample: { command: "articles restore {articleId} 1" },
  run: ({ store, ifMatch }, { articleId: id, revision: of }) =>
    store.restoreRevision({ articleId: id, number: Number(of), ifMatch }),
});
