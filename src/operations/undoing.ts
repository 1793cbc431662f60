/** Undoes what an app or a key has done to articles, where nobody else has changed them since (contract 18.30). */
import * as z from "zod";
import { pickWritten } from "../domain/article-fields.ts";
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { serializeSeo } from "../domain/seo.ts";
import { toChunks } from "../lib/chunks.ts";
import { DAY_MS } from "../lib/time.ts";
import type { Before, Touched } from "../store/access/undoing.ts";
import { concernsAll } from "./bulk.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { identifier, instant, output } from "./fields.ts";

/** Each article takes several round trips to D1, which processes one at a time. */
const AT_ONCE = 5;

const DONE = ["deleted", "restored", "texts", "workingCopy", "schedule", "deletion", "approval"] as const;
type Done = (typeof DONE)[number];

const undone = z
  .object({
    articleId: output.id,
    title: z.string().nullable().meta({ example: "Slow mornings in Porto" }),
    outcome: z.enum(["undone", "kept", "unchanged"]).meta({
      description:
        "`kept`: somebody else has changed it since, or it was refused. `unchanged`: there was nothing to undo.",
      example: "undone",
    }),
    done: z.array(z.enum(DONE)).meta({
      description:
        "What was undone, or would be: the article itself, its texts and whether it is published, its working copy, and so on.",
      example: ["texts"],
    }),
    code: z.string().nullable().meta({ description: "The error code of a refusal.", example: null }),
    detail: z.string().nullable().meta({ description: "Why it was kept.", example: null }),
    changedBy: z
      .object({ kind: z.string(), id: output.id })
      .nullable()
      .meta({ description: "Who else has changed it since, as in the audit log.", example: null }),
  })
  .meta({ id: "UndoneArticle" });

type Undone = z.infer<typeof undone>;

export const undoChanges = defineOperation({
  name: "audit.undo",
  summary: "Undo what an app or a key has done",
  description: `Undoes what a connected app or an API key has done to articles in a time, where nobody else has changed the article since: a new article goes to the trash, a deleted one comes back, a changed one gets the texts and the state that it had before, and so does its working copy. Everything else is named, and stays. At most ${LIMITS.bulkArticles} articles at once: go on with \`after\`. With \`dryRun\`, nothing changes.`,
  scope: "articles:write",
  effect: "write",
  lengthy: true,
  writesMany: true,
  input: z
    .strictObject({
      actor: identifier("a connected app or an API key"),
      from: instant.meta({ description: "From when on. Nothing older than 30 days is undone." }),
      to: instant.optional().meta({ description: "Until when; until now, if it is left out." }),
      dryRun: z.boolean().default(false).meta({ description: "Only say what would be undone.", example: true }),
      after: identifier("a change").optional().meta({ description: "`next` of the previous answer." }),
    })
    .meta({ id: "UndoInput" }),
  output: z
    .object({
      articles: z.array(undone),
      further: z
        .array(z.object({ action: z.string().meta({ example: "media.create" }), count: z.int() }))
        .meta({ description: "What else it has done, which is not undone." }),
      next: output.id.nullable().meta({ description: "Pass it as `after` to go on; null at the end.", example: null }),
    })
    .meta({ id: "Undone" }),
  refuses: ["rate_limited"],
  audit: { "articles.undo": "undid what an app or a key had done to *" },
  sample: {
    command: "undo {apiKeyId} --from 2026-12-01T08:00:00Z --dry-run --yes",
    body: { actor: "{apiKeyId}", from: "2026-12-01T08:00:00Z", dryRun: true },
  },
  async run(context, { actor, from, to, dryRun, after = "" }) {
    const { store, principal, limit } = context;
    const now = new Date();
    const since = new Date(Math.max(Date.parse(from), now.getTime() - MOST_DAYS * DAY_MS));
    await limit("bulk", principal.organizationId);
    const by = { actor, from: since, to: to === undefined ? now : new Date(to) };
    const touched = await store.listTouched(by, { after, most: LIMITS.bulkArticles });
    const articles: Undone[] = [];
    for (const some of toChunks(touched, AT_ONCE))
      articles.push(...(await Promise.all(some.map((each) => undo(context, each, { actor, dryRun })))));
    const next = touched.length < LIMITS.bulkArticles ? null : (touched.at(-1)?.firstId ?? null);
    return { value: { articles, further: await store.countFurther(by), next }, uncommitted: true };
  },
});

const MOST_DAYS = 30;

type Asked = { readonly actor: string; readonly dryRun: boolean };

/** Throws errors that concern the whole request. */
async function undo(context: OrganizationContext, touched: Touched, asked: Asked): Promise<Undone> {
  const { articleId, title, otherKind, otherId } = touched;
  const about = { articleId, title, done: [], code: null, detail: null, changedBy: null };
  if (otherKind !== null && otherId !== null) {
    const detail = "Somebody else has changed it since.";
    return { ...about, outcome: "kept", detail, changedBy: { kind: otherKind, id: otherId } };
  }
  const done: Done[] = [];
  try {
    await undoEach(context, touched, { ...asked, done });
    return { ...about, outcome: done.length === 0 ? "unchanged" : "undone", done };
  } catch (error) {
    if (!(error instanceof DomainError) || concernsAll(error)) throw error;
    return { ...about, outcome: "kept", done, code: error.code, detail: error.message };
  }
}

/** Undoes one thing after the other, each only if the article is still as it was read. Adds what was undone to `done`. */
async function undoEach(
  { store }: OrganizationContext,
  touched: Touched,
  { actor, dryRun, done }: Asked & { readonly done: Done[] },
): Promise<void> {
  const { articleId, actions } = touched;
  const did = new Set(actions.split(","));
  const isCreated = did.has("articles.create") || did.has("articles.generate");
  const step = async (name: Done, work: () => Promise<unknown>) => {
    if (!dryRun) await work();
    done.push(name);
  };
  let before = await store.findBefore(touched, actor);
  if (before === null) {
    if (isCreated || !(await store.isTrashedBy(articleId, actor))) return;
    await step("restored", () => store.restoreArticle(articleId, undefined));
    before = await store.findBefore(touched, actor);
    if (before === null) return;
  }
  if (isCreated) {
    const { version, copyVersion } = before;
    return step("deleted", () => store.deleteUnchanged(articleId, { version, copyVersion }));
  }
  if (before.ownDeletion === 1) await step("deletion", () => store.cancelDeletion(articleId));
  if (before.ownSchedule === 1) await step("schedule", () => store.deleteSchedule(articleId, undefined));
  if (before.ownApproval === 1) await step("approval", () => store.withdrawApproval(articleId));
  await undoCopy(store, { articleId, before, step });
  const { formerNumber: number, version } = before;
  if (number === null) return;
  await step("texts", async () => {
    const former = await store.findRevision(articleId, number);
    if (former === null) throw new DomainError("not_found", "What it was before is no longer kept.");
    const { seo, ...texts } = pickWritten(former.value);
    const fields = { ...texts, seo: serializeSeo(seo), published: former.value.published };
    await store.updateArticle(
      { id: articleId, fields, ifMatch: [version] },
      { action: "articles.undo", isContentUnsent: true, restoredOrigin: former.origin, review: null },
    );
  });
}

type Copy = {
  readonly articleId: string;
  readonly before: Before;
  readonly step: (name: Done, work: () => Promise<unknown>) => Promise<void>;
};

/** Gives the working copy what it had before, or discards one that the actor has begun. */
async function undoCopy(store: OrganizationContext["store"], { articleId, before, step }: Copy): Promise<void> {
  const { copyVersion, formerCopyNumber: number, ownCopy, published, version } = before;
  // Without an article that is published, it has none: a draft has taken it.
  if (published === 0) return;
  if (number !== null) {
    await step("workingCopy", async () => {
      const former = await store.findRevision(articleId, number);
      if (former === null) throw new DomainError("not_found", "What it was before is no longer kept.");
      const ifMatch = [copyVersion ?? version];
      await store.saveWorkingCopy({ articleId, fields: pickWritten(former.value), ifMatch });
    });
  } else if (copyVersion !== null && ownCopy === 1) {
    await step("workingCopy", () => store.discardWorkingCopy(articleId, [copyVersion]));
  }
}
