/** Defines the operation that changes many articles at once. */
import * as z from "zod";
import { DomainError, ERRORS, invalidField } from "../errors.ts";
import { chunks } from "../lib/chunks.ts";
import { LIMITS } from "../domain/limits.ts";
import { defineOperation, type OrganizationContext } from "./define.ts";
import { identifier, output } from "./fields.ts";
import { planOf, times } from "./schedules.ts";

/** How many articles are changed at the same time. Each is two round trips to D1, which takes one at a time. */
const AT_ONCE = 5;

const action = z.enum(["publish", "unpublish", "schedule", "delete"]);

type Action = z.infer<typeof action>;

const outcome = z
  .object({
    _id: output.id,
    outcome: z.enum(["changed", "unchanged", "refused"]).meta({
      description: "`unchanged`: it was so already, and nothing was fired.",
      example: "changed",
    }),
    code: z.string().nullable().meta({ description: "The error code of a refusal.", example: null }),
    detail: z.string().nullable().meta({ description: "The reason of a refusal.", example: null }),
  })
  .meta({ id: "BulkOutcome" });

export const changeArticles = defineOperation({
  name: "articles.bulk",
  summary: "Publish, unpublish, schedule or delete many articles",
  description: `Each article is changed for itself, in a transaction of its own and with its own event: some may be refused while others change. The outcomes come in the order of \`articleIds\`. An organization has ${LIMITS.bulkPerMinute} such requests a minute.`,
  scope: "articles:write",
  effect: "write",
  lengthy: true,
  writesMany: true,
  input: z
    .strictObject({
      action,
      articleIds: z
        .array(identifier("an article"))
        .min(1, "must not be empty")
        .max(LIMITS.bulkArticles)
        .refine((ids) => new Set(ids).size === ids.length, "must not name an article twice")
        .meta({ example: ["019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d"] }),
      schedule: z.strictObject(times).optional().meta({ description: "For the action `schedule`: the times for all." }),
    })
    .meta({ id: "BulkInput" }),
  output: z.array(outcome),
  async run(context, { action: asked, articleIds, schedule }) {
    const change = await changeOf(asked, schedule, context.now);
    await context.limitBulk(context.principal.organizationId);
    const outcomes: z.infer<typeof outcome>[] = [];
    for (const ids of chunks(articleIds, AT_ONCE)) {
      outcomes.push(...(await Promise.all(ids.map((id) => changed(context, change, id)))));
    }
    return { value: outcomes, uncommitted: true };
  },
});

/** Changes one article. Returns true if there was nothing to change. */
type Change = (context: OrganizationContext, id: string) => Promise<boolean>;

/** Returns what to do with each article. Throws an error on `schedule` if it is missing, wrong, or of no use. */
async function changeOf(asked: Action, schedule: Times | undefined, now: Date): Promise<Change> {
  if (asked !== "schedule" && schedule !== undefined)
    throw invalidField("schedule", "is only for the action `schedule`");
  switch (asked) {
    case "delete":
      return async ({ store }, id) => {
        await store.deleteArticle(id, undefined);
        return false;
      };
    case "schedule": {
      if (schedule === undefined) throw invalidField("schedule", "is needed for the action `schedule`");
      const plan = await planOf(schedule, now).catch(within("schedule"));
      return async ({ store }, id) => {
        await store.setSchedule(id, { plan, ifMatch: undefined });
        return false;
      };
    }
    case "publish":
    case "unpublish":
      return async ({ store }, id) => {
        const fields = { published: asked === "publish" };
        const { uncommitted = false } = await store.updateArticle({ id, fields, unchanged: {}, ifMatch: undefined });
        return uncommitted;
      };
  }
}

type Times = Parameters<typeof planOf>[0];

/** Returns a function that throws an error on fields as one on the fields of this member. */
const within =
  (member: string) =>
  (error: unknown): never => {
    if (!(error instanceof DomainError) || error.details.errors === undefined) throw error;
    const [first] = error.details.errors;
    throw invalidField(`${member}.${first?.path ?? ""}`, first?.message ?? error.message);
  };

/**
 * Changes one article and returns the outcome. Throws what concerns the whole request: an authorization that was lost
 * meanwhile, and failures of the service, after which the request can be repeated.
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

const concernsAll = ({ code }: DomainError): boolean =>
  ERRORS[code].status >= 500 || code === "credentials_invalid" || code === "role_forbidden";
