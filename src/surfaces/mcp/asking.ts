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
import { DomainError } from "../../domain/errors.ts";
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

/** Does what the person has approved. Returns null then, otherwise the question. Throws `approval_declined`. */
export async function askPerson(
  run: Connection["run"],
  { answer, shown }: Person,
  wish: Wish,
): Promise<InputRequiredResult | null> {
  const { articleId } = wish;
  if (shown !== undefined && answer !== null && answer !== "accept") {
    await run(registry.withdrawApproval, () => ({ articleId })).catch(ignoreMissing);
    throw new DomainError("approval_declined");
  }
  if (shown !== undefined && answer === "accept") {
    const isDone = await run(registry.approve, () => ({ articleId }), { ifMatch: [shown] }).then(
      () => true,
      (error: unknown) => ignoreUnseen(error),
    );
    if (isDone) return null;
  }
  return ask(run, wish);
}

async function ask(run: Connection["run"], { version, ...wish }: Wish): Promise<InputRequiredResult> {
  await run(registry.requestApproval, () => wish, version === undefined ? {} : { ifMatch: [version] });
  const { value, version: shown = "" } = await run(registry.getApproval, () => ({ articleId: wish.articleId }));
  return inputRequired({
    inputRequests: {
      [QUESTION]: inputRequired.elicit({
        message: describe(value),
        requestedSchema: { type: "object", properties: {} },
      }),
    },
    requestState: shown,
  });
}

type Approval = z.infer<typeof registry.getApproval.output>;

/** Returns the question. It names the title, which others may have written, in quotes and in one line. */
function describe({ action, published, title, slug, locale, publishTime, unpublishTime }: Approval): string {
  const what = action === "publish" && published ? "Publish the changes to" : VERBS[action];
  const at = publishTime ?? unpublishTime;
  return `${what} the article “${title.replaceAll(/\s+/g, " ").trim()}” (${slug}, ${locale})${at === null ? "" : ` at ${at}`}?`;
}

const VERBS: Readonly<Record<Approval["action"], string>> = {
  publish: "Publish",
  unpublish: "Unpublish",
  delete: "Delete",
};

/** Returns null if the request is not there any more. */
function ignoreMissing(error: unknown): null {
  if (error instanceof DomainError && error.code === "not_found") return null;
  throw error;
}

/** Returns false if what was approved is not what there is: it is asked again. */
function ignoreUnseen(error: unknown): false {
  if (error instanceof DomainError && ["precondition_failed", "not_found"].includes(error.code)) return false;
  throw error;
}
