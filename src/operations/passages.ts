import * as z from "zod";
import { attributeLines } from "../domain/passages.ts";
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { RATES } from "../domain/rates.ts";
import type { MadeState } from "../store/articles/makers.ts";
import type { OrganizationStore } from "../store/organization.ts";
import { defineOperation } from "./define.ts";
import { identifier, output } from "./fields.ts";

const passage = z
  .object({
    firstLine: z.int().meta({ description: "The first line of `content`, from 1.", example: 1 }),
    lines: z.int().meta({ description: "How many lines it has.", example: 3 }),
    revision: z
      .int()
      .nullable()
      .meta({ description: "The number of the state with which it came; null if that is not known.", example: 2 }),
    by: z
      .object({
        kind: z.string().meta({ description: "key, operator, user, app or schedule.", example: "app" }),
        id: z.string().meta({ description: "The identifier of the credential, the person or the connection." }),
      })
      .nullable()
      .meta({ description: "Who made that state, as in the audit log; null if that is not known." }),
    byModel: z
      .boolean()
      .nullable()
      .meta({ description: "Whether a model wrote it; null if that is not known.", example: true }),
    model: z.string().nullable().meta({ description: "The model that generated it.", example: null }),
    application: z
      .string()
      .nullable()
      .meta({ description: "The application connected over MCP that wrote it.", example: "Claude" }),
    time: output.dateTime.nullable().meta({ description: "When that state was made." }),
  })
  .meta({ id: "Passage" });

export type PassageValue = z.infer<typeof passage>;

export const listPassages = defineOperation({
  name: "revisions.passages",
  summary: "List who wrote which lines of an article",
  description: `By its former states, like \`git blame\`: each run of lines of the present content, and with which state it came. What is older than the states that are kept is not known. The number of calls is limited as that of comparisons: ${RATES.comparisons} a minute of an organization.`,
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId: identifier("an article") }),
  output: z
    .object({
      articleId: output.id,
      passages: z
        .array(passage)
        .nullable()
        .meta({ description: `In order; null if the content has more than ${LIMITS.comparedLines} lines.` }),
    })
    .meta({ id: "Passages" }),
  refuses: ["not_found"],
  sample: { command: "articles passages {articleId}" },
  async run({ store, principal, limit }, { articleId }) {
    await limit("comparisons", principal.organizationId);
    const states = await store.listMakers(articleId);
    if (states.length === 0) throw new DomainError("not_found", "There is no such article.");
    const told = states.map((state) => ({ ...state, restores: RESTORING.has(state.by?.action ?? "") }));
    const owners = await attributeLines(told, makeReader(store, articleId, states));
    return { value: { articleId, passages: owners && toPassages(owners, states) } };
  },
});

const RESTORING: ReadonlySet<string> = new Set(["articles.restore", "articles.undo"]);

/** How many states are read at once. Their memory is reserved together. */
const READ_AT_ONCE = 4;

/** Returns the function that reads the content of a state. It keeps those that are read last. */
function makeReader(store: OrganizationStore, articleId: string, states: readonly MadeState[]) {
  const texts = new Map<number, string>();
  return async (index: number): Promise<string> => {
    if (!texts.has(index)) {
      for (const known of texts.keys()) if (known < index - READ_AT_ONCE) texts.delete(known);
      const asked = states.slice(index, index + READ_AT_ONCE);
      const names = asked.map(({ present, number }) => (present ? ("current" as const) : number));
      const found = await store.findStates(articleId, names);
      found.forEach((state, nth) => texts.set(index + nth, state?.value.content ?? ""));
    }
    return texts.get(index) ?? "";
  };
}

/** Joins lines of one state to runs. */
function toPassages(owners: readonly (number | null)[], states: readonly MadeState[]): PassageValue[] {
  const passages: PassageValue[] = [];
  owners.forEach((owner, line) => {
    const last = passages.at(-1);
    if (last !== undefined && owner === owners[line - 1]) last.lines += 1;
    else passages.push({ firstLine: line + 1, lines: 1, ...tellMaker(owner === null ? undefined : states[owner]) });
  });
  return passages;
}

const UNKNOWN = { revision: null, by: null, byModel: null, model: null, application: null, time: null };

/** An origin says when an application wrote. If that is when the state was made, it wrote what is new in it. */
function tellMaker(state: MadeState | undefined): Omit<PassageValue, "firstLine" | "lines"> {
  if (state === undefined) return UNKNOWN;
  const { number, by, time, origin, workingCopy } = state;
  const isGenerated = by?.action === "articles.generate";
  const isOfApplication = origin?.writeTime === time && (!workingCopy || by?.kind === "app");
  return {
    revision: number,
    by: by && { kind: by.kind, id: by.id },
    byModel: isGenerated || isOfApplication || (by === null ? null : false),
    model: isGenerated ? (origin?.model ?? null) : null,
    application: isOfApplication && !isGenerated ? (origin.application ?? null) : null,
    time,
  };
}
