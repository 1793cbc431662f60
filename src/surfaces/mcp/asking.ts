/**
 * Has a person approve what a tool would change for readers, where their client can ask them (MCP 2026-07-28, multi round-trip requests). The
 * question is a request for approval (contract 18.29): what the client sends back names the state that was shown, and approves nothing else.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import { DomainError, nullIfMissing } from "../../domain/errors.ts";
import { authorize } from "../../operations/invoke.ts";
import { registry } from "../../operations/registry.ts";
import type { Connection } from "./connection.ts";

/** What a tool asks for, and the `version` that it was called with. */
export type Wish = Omit<z.input<typeof registry.requestApproval.input>, "note"> & {
  readonly version?: string | undefined;
};

/** What came back from the person. */
export type Person = { readonly answer: "accept" | "decline" | "cancel" | null; readonly shown: string | undefined };

const QUESTION = "approval";

/** Returns what the client has brought back from its person, if it can ask them; otherwise undefined. */
export function readPerson({ mcpReq }: ServerContext): Person | undefined {
  const { [CLIENT_CAPABILITIES_META_KEY]: able } = (mcpReq.envelope ?? {}) as {
    readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  };
  if (able?.elicitation === undefined) return undefined;
  const response = inputResponse(mcpReq.inputResponses, QUESTION);
  const shown: unknown = mcpReq.requestState();
  return {
    answer: response.kind === "elicit" ? response.action : null,
    shown: typeof shown === "string" ? shown : undefined,
  };
}

/**
 * Does what the person has approved. Returns null then, otherwise the question. Throws `approval_declined`, `scope_missing` if the connection
 * cannot read what it would ask about, and the errors of the write.
 */
export async function askPerson(
  { run, principal }: Pick<Connection, "run" | "principal">,
  { answer, shown }: Person,
  { tool, ...wish }: Wish & { readonly tool: string },
): Promise<InputRequiredResult | null> {
  authorize({ scope: "articles:read" }, principal);
  const { articleId } = wish;
  // A question of another tool was about something else.
  const [asked, version] = shown?.split(" ") ?? [];
  const isAnswered = answer !== null && asked === tool && version !== undefined;
  if (isAnswered && answer !== "accept") {
    const found = await run(registry.getApproval, () => ({ articleId })).catch(nullIfMissing);
    if (found?.version === version) await run(registry.withdrawApproval, () => ({ articleId })).catch(nullIfMissing);
    throw new DomainError("approval_declined");
  }
  if (isAnswered) {
    const isDone = await run(
      registry.approve,
      () => ({ articleId, action: wish.action ?? "publish", overwrite: true }),
      { ifMatch: [version] },
    ).then(
      () => true,
      (error: unknown) => ignoreUnseen(error),
    );
    if (isDone) return null;
  }
  return ask(run, tool, wish);
}

async function ask(run: Connection["run"], tool: string, { version, ...wish }: Wish): Promise<InputRequiredResult> {
  const { articleId } = wish;
  await run(registry.requestApproval, () => wish, version === undefined ? {} : { ifMatch: [version] });
  const { value, version: shown = "" } = await run(registry.getApproval, () => ({ articleId }));
  const copy = value.published && (await run(registry.getDraft, () => ({ articleId })).catch(nullIfMissing));
  return inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: describe(value, copy !== false && copy?.value.articleChanged === true),
        requestedSchema: { type: "object", properties: {} },
      }),
    },
    requestState: `${tool} ${shown}`,
  });
}

type Approval = z.infer<typeof registry.getApproval.output>;

/** Returns the question. It names the title, which others may have written, in quotes that it cannot end. */
function describe(of: Approval, isArticleChanged: boolean): string {
  const { action, published, title, slug, locale, publishTime, unpublishTime } = of;
  const what = action === "publish" && published ? "Publish the changes to" : VERBS[action];
  const name = title
    .replaceAll(/[“”\p{Cf}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const times = [
    ...(publishTime === null ? [] : [` at ${publishTime}`]),
    ...(unpublishTime === null ? [] : [`${publishTime === null ? "" : " and unpublish it"} at ${unpublishTime}`]),
  ].join("");
  const late = action === "publish" && isArticleChanged ? " It has changed since these changes were started." : "";
  return `${what} the article “${name}” (${slug}, ${locale})${times}?${late}`;
}

const VERBS: Readonly<Record<Approval["action"], string>> = {
  publish: "Publish",
  unpublish: "Unpublish",
  delete: "Delete",
};

/** Returns false if what was approved is not what there is: it is asked again. */
function ignoreUnseen(error: unknown): false {
  if (error instanceof DomainError && ["precondition_failed", "not_found"].includes(error.code)) return false;
  throw error;
}
