/** Undoes what an app or a key has done to articles, where nobody else has changed them since (contract 18.30). */
import * as z from "zod";
import { pickWritten } from "../domain/article-fields.ts";
import { DomainError, invalidField } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { serializeSeo } from "../domain/seo.ts";
import { toChunks } from "../lib/chunks.ts";
import { DAY_MS } from "../lib/time.ts";
import type { Before, Touched, UndoneBy } from "../store/access/undoing.ts";
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
  description: `Undoes what a connected app or an API key has done to articles in a time, where nobody else has changed the article since: a new article goes to the trash, a deleted one comes back, a changed one gets the texts and the state that it had before, and so does its working copy. Everything else is named, and stays: also what it did elsewhere, for callers who may read the audit log. At most ${LIMITS.undoneArticles} articles at once: go on with \`after\`. With \`dryRun\`, nothing changes.`,
  scope: "articles:write",
  effect: "write",
  lengthy: true,
  writesMany: true,
  input: z
    .strictObject({
      actor: identifier("a connected app or an API key"),
      from: instant.meta({ description: "From when on. Nothing older than 30 days is undone." }),
      to: instant.optional().meta({ description: "Until when, included; until now, if it is left out." }),
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
    if (!(await store.isProgram(by))) throw invalidField("actor", "must be a connected app or a key: it is a person");
    const touched = await store.listTouched(by, { after, most: LIMITS.undoneArticles });
    const articles: Undone[] = [];
    for (const some of toChunks(touched, AT_ONCE))
      articles.push(...(await Promise.all(some.map((each) => undo(context, each, { by, dryRun })))));
    const next = touched.length < LIMITS.undoneArticles ? null : (touched.at(-1)?.firstId ?? null);
    // The rest of the audit log is not for everybody.
    const further = principal.grants.has("operator") ? await store.countFurther(by) : [];
    return { value: { articles, further, next }, uncommitted: true };
  },
});

const MOST_DAYS = 30;

type Store = OrganizationContext["store"];
type Asked = { readonly by: UndoneBy; readonly dryRun: boolean };

const ELSE = "Somebody else has changed it since.";
const GONE = "What it was before is no longer kept, or only its tags and authors were changed.";
const APPLIED = "It has applied unpublished changes, perhaps of somebody else. They are in the version history.";

/** Why something is kept that nobody else has changed. */
class Impossible extends Error {}

/** Throws errors that concern the whole request. */
async function undo({ store }: OrganizationContext, touched: Touched, { by, dryRun }: Asked): Promise<Undone> {
  const { articleId, title } = touched;
  const about = { articleId, title, code: null, detail: null, changedBy: null };
  const keep = ({ otherKind, otherId }: Pick<Touched, "otherKind" | "otherId">, done: Done[]): Undone | null =>
    otherKind === null || otherId === null
      ? null
      : { ...about, outcome: "kept", done, detail: ELSE, changedBy: { kind: otherKind, id: otherId } };
  const kept = keep(touched, []);
  if (kept !== null) return kept;
  const done: Done[] = [];
  try {
    for (const [name, work] of await planSteps(store, touched, by)) {
      const isSame = !dryRun && (await work())?.uncommitted === true;
      if (!isSame) done.push(name);
    }
    return { ...about, outcome: done.length === 0 ? "unchanged" : "undone", done };
  } catch (error) {
    if (error instanceof Impossible) return { ...about, outcome: "kept", done, detail: error.message };
    if (!(error instanceof DomainError) || concernsAll(error)) throw error;
    const late = keep(await store.findOther(touched, by), done);
    return late ?? { ...about, outcome: "kept", done, code: error.code, detail: error.message };
  }
}

type Step = readonly [name: Done, work: () => Promise<{ readonly uncommitted?: true } | void>];

/** What a step undoes. Everything else that it has done to an article is for people to look at. */
const UNDONE: ReadonlySet<string> = new Set([
  ...["create", "generate", "update", "autosave", "publish", "unpublish", "restore", "delete"].map(
    (name) => `articles.${name}`,
  ),
  ...["saveDraft", "publishDraft", "discardDraft"].map((name) => `articles.${name}`),
  ...["set", "publish", "unpublish"].map((name) => `schedules.${name}`),
  "deletions.set",
  "approvals.request",
]);

const OF_TEXTS = ["update", "autosave", "publish", "unpublish", "restore", "publishDraft"].map(
  (name) => `articles.${name}`,
);

/** Returns what is to be done, each only if nobody else has changed the article. Throws why it cannot be undone. */
async function planSteps(store: Store, touched: Touched, by: UndoneBy): Promise<Step[]> {
  const { articleId, actions } = touched;
  const did = new Set(actions.split(","));
  const further = [...did].filter((name) => !UNDONE.has(name));
  if (further.length > 0) throw new Impossible(`It also did this, which is not undone: ${further.join(", ")}.`);
  const undoing = store.undoing(touched, by);
  const isCreated = did.has("articles.create") || did.has("articles.generate");
  const before = await store.findBefore(touched, by.actor);
  if (before === null) {
    if (isCreated || !(await store.isTrashedBy(articleId, by.actor))) return [];
    const restore = async () => void (await undoing.restoreArticle(articleId, undefined));
    return did.size === 1
      ? [["restored", restore]]
      : [
          ["restored", restore],
          ["texts", () => undoRest(store, touched, by)],
        ];
  }
  if (isCreated) return [["deleted", () => undoing.deleteUnchanged(articleId, before)]];
  return planRest(undoing, { articleId, did, folded: touched.folded }, before);
}

/** Undoes what was changed before the article was deleted. */
async function undoRest(store: Store, touched: Touched, by: UndoneBy): Promise<void> {
  const before = await store.findBefore(touched, by.actor);
  if (before === null) return;
  const did = new Set(touched.actions.split(","));
  const steps = planRest(
    store.undoing(touched, by),
    { articleId: touched.articleId, did, folded: touched.folded },
    before,
  );
  for (const [, work] of steps) await work();
}

type Did = { readonly articleId: string; readonly did: ReadonlySet<string>; readonly folded: number };

function planRest(undoing: Store, { articleId, did, folded }: Did, before: Before): Step[] {
  const isOfOthers = did.has("articles.publishDraft") && !did.has("articles.saveDraft");
  if (folded === 1 || isOfOthers) throw new Impossible(APPLIED);
  const { formerNumber, version, published } = before;
  if (formerNumber === null && OF_TEXTS.some((name) => did.has(name))) throw new Impossible(GONE);
  const steps: Step[] = [];
  if (before.ownDeletion === 1) steps.push(["deletion", () => undoing.cancelDeletion(articleId)]);
  if (before.ownSchedule === 1) steps.push(["schedule", () => undoing.deleteSchedule(articleId, undefined)]);
  if (before.ownApproval === 1) steps.push(["approval", () => undoing.withdrawApproval(articleId)]);
  steps.push(...planCopy(undoing, { articleId, did }, before));
  if (formerNumber === null) return steps;
  const restore = async () => {
    const former = await undoing.findRevision(articleId, formerNumber);
    if (former === null) throw new Impossible(GONE);
    const { seo, ...texts } = pickWritten(former.value);
    const turned = former.value.published === (published === 1) ? {} : { published: former.value.published };
    return undoing.updateArticle(
      { id: articleId, fields: { ...texts, seo: serializeSeo(seo), ...turned }, ifMatch: [version] },
      { isContentUnsent: true, restoredOrigin: former.origin, review: null },
    );
  };
  return [...steps, ["texts", restore]];
}

/** Gives the working copy what it had before, or discards one that was begun since. */
function planCopy(undoing: Store, { articleId, did }: Pick<Did, "articleId" | "did">, before: Before): Step[] {
  const { copyVersion, formerCopyNumber, published, version } = before;
  if (!did.has("articles.saveDraft") && !did.has("articles.discardDraft")) return [];
  // Without an article that is published, it has none: a draft has taken it.
  if (published === 0) return [];
  if (formerCopyNumber !== null) {
    const restore = async () => {
      const former = await undoing.findRevision(articleId, formerCopyNumber);
      if (former === null) throw new Impossible(GONE);
      return undoing.saveWorkingCopy({
        articleId,
        fields: pickWritten(former.value),
        ifMatch: [copyVersion ?? version],
      });
    };
    return [["workingCopy", restore]];
  }
  if (copyVersion === null) return [];
  if (before.copyBegun === 1) return [["workingCopy", () => undoing.discardWorkingCopy(articleId, [copyVersion])]];
  if (before.copySaved === 1) throw new Impossible(GONE);
  return [];
}
