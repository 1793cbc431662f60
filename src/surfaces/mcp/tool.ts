/** Tools: operations of the registry, described for a model. */
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Step } from "../../ai/generation/brief.ts";
import { LIMITS } from "../../domain/limits.ts";
import { isSingleLine } from "../../lib/text.ts";
import { authorize, validate } from "../../operations/invoke.ts";
import { SCOPES, type Scope } from "../../domain/principal.ts";
import type { Operation, Result } from "../../operations/define.ts";
import { askPerson, type Person, type Wish } from "./asking.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { NOTICE } from "./notice.ts";
import { toFailureResult } from "./failure.ts";

/** The hints of the protocol. Which writes are idempotent is said of writes only. */
export type Annotations = {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
};

export type Use = Pick<Connection, "run"> & { readonly follow: Pick<CallOptions, "tell" | "signal"> };

type Definition<I extends z.ZodObject, O extends z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  /** Tells the model when to use the tool, what it returns, and its limits. */
  readonly description: string;
  /** The operations that the tool runs. It needs the scopes of all of them. */
  readonly operations: readonly Operation[];
  /** A further scope, if it has them do more than their own scopes allow. */
  readonly needs?: Scope;
  readonly annotations: Annotations;
  readonly input: I;
  /** What of the operations' results is shown. Not listed: a model reads it once, as JSON text. */
  readonly output: O;
  /** Fields that are removed before validation, so that they cause no error. */
  readonly ignores?: readonly string[];
  /** The result contains texts by others. A notice tells the model not to follow instructions in them. */
  readonly holdsTexts?: true;
  readonly run: (use: Use, input: z.output<I>) => Promise<z.input<O>>;
  /** For what changes what readers see: the person is asked first, if their client can ask. */
  readonly asks?: {
    /** Null: nobody is asked. */
    readonly wish: (input: z.output<I>) => Wish | null;
    /** Returns what the tool would return, once it is done. */
    readonly result: (use: Use, input: z.output<I>) => Promise<z.input<O>>;
  };
};

export type Tool = Omit<Definition<z.ZodObject, z.ZodObject>, "run" | "asks"> & {
  readonly run: (use: Use, input: never) => Promise<Record<string, unknown>>;
  readonly asks?: {
    readonly wish: (input: never) => Wish | null;
    readonly result: (use: Use, input: never) => Promise<Record<string, unknown>>;
  };
};

export const defineTool = <I extends z.ZodObject, O extends z.ZodObject>(definition: Definition<I, O>): Tool =>
  definition;

/** Set `openWorldHint` for tools that send requests to other servers. */
export const READS: Annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

/** All writes count as destructive (contract 15.4). */
export const WRITES: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** Returns the scopes that a tool needs, without those that others of them include. */
export function listScopes({ operations, needs }: Tool): Scope[] {
  const all = new Set([...operations.map(({ scope }) => scope), needs]);
  return SCOPES.filter((scope) => all.has(scope) && !(scope === "articles:draft" && all.has("articles:write")));
}

/** How a call is followed: by its steps, until it is cancelled, and by its person, if their client can ask them. */
type Follow = {
  readonly tell?: ((step: Step) => void) | undefined;
  readonly signal: AbortSignal;
  readonly person: Person | undefined;
};

/** Calls a tool. Never throws: errors become results, so that the model can react. */
export async function callTool(
  tool: Tool,
  connection: Connection,
  input: Readonly<Record<string, unknown>>,
  { person, ...follow }: Follow,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    await connection.count();
    // Callers without the scope must not see errors about the input.
    for (const scope of listScopes(tool)) authorize({ scope }, connection.principal);
    const asked = validate(tool.input, withoutIgnored(tool, input));
    const use = { run: connection.run, follow };
    const wish = person && tool.asks?.wish(asked as never);
    const question = person && wish ? await askPerson(connection, person, { ...wish, tool: tool.name }) : null;
    if (question !== null) return question;
    const work = wish ? tool.asks?.result(use, asked as never) : tool.run(use, asked as never);
    const value = tool.output.parse(await work);
    const text = { type: "text" as const, text: JSON.stringify(value) };
    const content = tool.holdsTexts ? [{ type: "text" as const, text: NOTICE }, text] : [text];
    return { content };
  } catch (error) {
    return toFailureResult(error, connection.arrival);
  }
}

const withoutIgnored = ({ ignores = [] }: Tool, input: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !ignores.includes(name)));

export const expectedVersion = z.string().min(1, "must not be empty").max(100).optional().meta({
  description: "The `version` that you read: refused if it has changed since.",
});

export const idempotencyKey = z
  .string()
  .min(1, "must not be empty")
  .max(LIMITS.idempotencyKey)
  .refine(isSingleLine, "must be one line")
  .optional()
  .meta({
    description: "A string of your choice: a call repeated with it within 24 hours is not carried out twice.",
  });

/** Returns the options of a write. Without a version, the write is unconditional. */
export const toIfMatch = (given: string | undefined): Pick<CallOptions, "ifMatch"> =>
  given === undefined ? {} : { ifMatch: [given] };

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Pass it as `cursor`, with the same other arguments, for the next page; null on the last." });

/** Describes a cursor for tools. REST's description mentions the `Link` header. */
export const describeCursor = <T extends z.ZodType>(cursor: T): T =>
  cursor.meta({ description: "The `nextCursor` of the previous page." });

/** Returns the field for the size of a page, `usual` by default. Pages are small, because models read all of them. Not described: its name says it. */
export const describeLimit = (most: number, usual: number) => z.int().min(1).max(most).default(usual);

/** Maximum characters of a page as JSON, unless a single item has more. */
const MOST_OF_A_PAGE = 50_000;

/** Returns how many of the first items fit into a page, at least one. */
export function countFitting(items: readonly unknown[]): number {
  let room = MOST_OF_A_PAGE;
  const end = items.findIndex((item) => (room -= JSON.stringify(item).length + 1) < 0);
  return end === -1 ? items.length : Math.max(end, 1);
}

/**
 * Returns a page of a list. A page that is too long is read again with fewer items, so that its cursor is right. If reading
 * twice is expensive, pass `cursorOf`, which returns the cursor for a page that begins with an item: the page is then cut.
 */
export async function readPage<I extends { readonly limit: number }, T>(
  input: I,
  read: (input: I) => Promise<Result<T[]>>,
  cursorOf?: (item: T) => string,
): Promise<Result<T[]>> {
  const page = await read(input);
  const limit = countFitting(page.value);
  const following = page.value[limit];
  if (following === undefined) return page;
  if (cursorOf === undefined) return read({ ...input, limit });
  return { ...page, value: page.value.slice(0, limit), next: cursorOf(following) };
}
