import * as z from "zod";
import { RATES } from "../domain/rates.ts";
import { DomainError, ERRORS, invalidField } from "../domain/errors.ts";
import { resolveTerms } from "../domain/terms.ts";
import { isId } from "../lib/ids.ts";
import { toChunks } from "../lib/chunks.ts";
import { LIMITS } from "../domain/limits.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { deleteLater } from "./deletions.ts";
import { termNames } from "./article-members.ts";
import { identifier, output } from "./fields.ts";
import { parsePlan, times, type Times } from "./schedules.ts";

/** Each article takes two round trips to D1, which processes one at a time. */
const AT_ONCE = 5;

const action = z.enum(["publish", "unpublish", "schedule", "tag", "delete", "deleteLater", "keep"]);

type Action = z.infer<typeof action>;

const DELETING: ReadonlySet<Action> = new Set(["delete", "deleteLater", "keep"]);

const outcome = z
  .object({
    _id: output.id,
    outcome: z.enum(["changed", "unchanged", "refused"]).meta({
      description: "`unchanged`: there was nothing to change, and no event was fired.",
      example: "changed",
    }),
    code: z.string().nullable().meta({ description: "The error code of a refusal.", example: null }),
    detail: z.string().nullable().meta({ description: "The reason of a refusal.", example: null }),
  })
  .meta({ id: "BulkOutcome" });

export const changeArticles = defineOperation({
  name: "articles.bulk",
  summary: "Publish, unpublish, schedule, tag or delete many articles",
  description: `Each article is changed in its own transaction, with its own event, so some can be refused while others change. The outcomes are in the order of \`articleIds\`. An organization can send ${RATES.bulk} such requests a minute.`,
  scope: "articles:write",
  effect: "write",
  effectOf: ({ action: asked }) => (DELETING.has(asked as Action) ? "delete" : "write"),
  lengthy: true,
  writesMany: true,
  input: z
    .strictObject({
      action: action.meta({
        description: "`deleteLater` deletes once the time to undo it is over; `keep` undoes it.",
        example: "publish",
      }),
      articleIds: z
        .array(identifier("an article"))
        .min(1, "must not be empty")
        .max(LIMITS.bulkArticles)
        .refine((ids) => new Set(ids).size === ids.length, "must not name an article twice")
        .meta({ example: ["019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d"] }),
      schedule: z
        .strictObject(times)
        .optional()
        .meta({ description: "For the action `schedule`: the times for all articles." }),
      tags: termNames
        .min(1, "must not be empty")
        .optional()
        .meta({
          description: "For the action `tag`: slugs or names of tags to add to each article.",
          example: ["slow-travel"],
        }),
    })
    .meta({ id: "BulkInput" }),
  output: z.array(outcome),
  refuses: ["rate_limited"],
  sample: {
    body: { action: "publish", articleIds: ["{articleId}"] },
    command: "articles bulk publish {articleId}",
  },
  async run(context, { action: asked, articleIds, schedule, tags }) {
    const change = await makeChange(asked, { schedule, tags }, new Date());
    // Undoing a deletion must always be possible.
    if (asked !== "keep") await context.limit("bulk", context.principal.organizationId);
    const outcomes: z.infer<typeof outcome>[] = [];
    for (const ids of toChunks(articleIds, AT_ONCE)) {
      outcomes.push(...(await Promise.all(ids.map((id) => changed(context, change, id)))));
    }
    return { value: outcomes, uncommitted: true };
  },
});

/** Changes one article. Returns true if there was nothing to change. */
type Change = (context: OrganizationContext, id: string) => Promise<boolean>;

type Details = { readonly schedule: Times | undefined; readonly tags: readonly string[] | undefined };

/**
 * Returns the change for each article. Throws an error on `schedule` or `tags` if it is missing, invalid, or does not
 * belong to the action.
 */
async function makeChange(asked: Action, { schedule, tags }: Details, now: Date): Promise<Change> {
  for (const [name, given] of Object.entries({ schedule, tag: tags })) {
    const member = name === "tag" ? "tags" : name;
    if (asked !== name && given !== undefined) throw invalidField(member, `is only allowed for the action \`${name}\``);
    if (asked === name && given === undefined) throw invalidField(member, `is required for the action \`${name}\``);
  }
  switch (asked) {
    case "delete":
      return async ({ store }, id) => {
        await store.deleteArticle(id, undefined);
        return false;
      };
    case "deleteLater":
      return async (context, id) => !(await deleteLater(context, id));
    case "keep":
      return keepArticle;
    case "schedule": {
      const plan = await parsePlan(schedule as Times, now).catch(nestErrors("schedule"));
      return async ({ store }, id) => !(await store.setScheduleIfChanged(id, plan));
    }
    case "tag": {
      const asked = tags ?? [];
      // Refuses tags without letters before any article changes.
      await resolveTerms(asked, "tag", async () => []);
      return (context, id) => addTags(context, id, asked);
    }
    case "publish":
      return async (context, id) => (await setPublished(context, id, true)) && !(await publishCopy(context, id));
    case "unpublish":
      return (context, id) => setPublished(context, id, false);
  }
}

/** Returns true if the article already is in this state. */
async function setPublished({ store }: OrganizationContext, id: string, published: boolean): Promise<boolean> {
  const change = { id, fields: { published }, ifMatch: undefined };
  // Whoever publishes many at once has not read them.
  return (await store.updateArticle(change, { review: null })).uncommitted ?? false;
}

/** Returns false if there is no working copy. */
async function publishCopy({ store }: OrganizationContext, articleId: string): Promise<boolean> {
  try {
    await store.publishWorkingCopy({ articleId, overwrite: false, ifMatch: undefined, review: null });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return false;
    throw error;
  }
}

/** Undoes a deletion. Returns true if there was none. */
async function keepArticle({ store }: OrganizationContext, id: string): Promise<boolean> {
  try {
    await store.cancelDeletion(id);
    return false;
  } catch (error) {
    const isThere = isId(id) && (await store.findArticle({ idOrSlug: id, fields: ["_id"] })) !== null;
    if (error instanceof DomainError && error.code === "not_found" && isThere) return true;
    throw error;
  }
}

/** How often to retry if the tags change between the read and the write. */
const MOST_TRIES = 5;

/** Adds tags to an article. Returns true if it already has all of them. */
async function addTags({ store }: OrganizationContext, id: string, asked: readonly string[]): Promise<boolean> {
  const added = await resolveTerms(asked, "tag", store.makeTermFinder({ articleId: id }));
  for (let tries = 1; ; tries++) {
    const found = isId(id) ? await store.findArticle({ idOrSlug: id, fields: ["tags"] }) : null;
    if (found === null) throw new DomainError("not_found", "There is no such article.");
    const present = found.value.tags ?? [];
    const missing = added.filter(({ slug }) => !present.some((tag) => tag.slug === slug));
    if (missing.length === 0) return true;
    const all = [...present, ...missing];
    if (all.length > LIMITS.termsOfArticle) {
      throw invalidField("tags", `an article can have at most ${LIMITS.termsOfArticle} tags`);
    }
    try {
      const terms = { tags: all };
      const termsBefore = { tags: present };
      await store.updateArticle({ id, fields: {}, terms, termsBefore, ifMatch: [found.version] });
      return false;
    } catch (error) {
      const applyChange = error instanceof DomainError && error.code === "precondition_failed";
      if (!applyChange || tries === MOST_TRIES) throw error;
    }
  }
}

/** Returns an error handler that puts the paths of invalid fields below a member. */
const nestErrors =
  (member: string) =>
  (error: unknown): never => {
    if (!(error instanceof DomainError) || error.details.errors === undefined) throw error;
    const [first] = error.details.errors;
    throw invalidField(`${member}.${first?.path ?? ""}`, first?.message ?? error.message);
  };

/**
 * Changes one article and returns the outcome. Throws errors that concern the whole request: a lost authorization, and
 * failures of the service, after which the request can be repeated.
 */
async function changed(context: OrganizationContext, change: Change, _id: string): Promise<z.infer<typeof outcome>> {
  try {
    const same = await change(context, _id);
    return { _id, outcome: same ? "unchanged" : "changed", code: null, detail: null };
  } catch (error) {
    if (!(error instanceof DomainError) || concernsAll(error)) throw error;
    return { _id, outcome: "refused", code: error.code, detail: error.message };
  }
}

/** Returns whether an error is about the whole request, and not about one of its articles. */
export const concernsAll = ({ code }: DomainError): boolean =>
  ERRORS[code].status >= 500 ||
  code === "credentials_invalid" ||
  code === "role_forbidden" ||
  code === "organization_suspended" ||
  code === "usage_limit";
