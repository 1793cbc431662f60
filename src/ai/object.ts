/** Gets structured answers from any text model. Asks again if an answer does not fit the schema. */
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { DATA_RULE, delimit } from "./delimit.ts";
import { countTokens } from "./generation/tokens.ts";
import { withDeadline } from "./deadline.ts";
import { type Provider, makeRefusal, isFormatRefused } from "./failures.ts";
import { getMember, readObject } from "./json-text.ts";
import type { ObjectAnswer, ObjectRequest, TextModel, Usage } from "./model.ts";
import { callAgain } from "./retry.ts";
import * as z from "zod";
import { parsePartialJson } from "ai";

export type Question = {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly system: string;
  /** Contains the schema as well, unless `format` is "schema". */
  readonly prompt: string;
  readonly format: Format;
  readonly signal: AbortSignal;
  /** Called with the text of the answer so far, each time it grows. */
  readonly heard?: ((text: string) => Promise<void>) | undefined;
  /** Called with the tokens of an answer that was lost in the middle, if the provider has counted them by then. */
  readonly lost?: ((usage: Usage) => void) | undefined;
  /** Called when the provider begins to answer: it has accepted the format. */
  readonly accepted: () => void;
};

export type Completion = {
  readonly text: string;
  readonly finishReason: string;
  /** The model's message if it refused to answer; otherwise "". */
  readonly refusal: string;
  readonly usage: Usage;
};

export type Adapter = {
  readonly provider: Provider;
  /** The formats that the provider may accept, best first. */
  readonly formats: readonly Format[];
  /** The key under which the accepted format is remembered. */
  readonly key: string;
  readonly timeoutMs: number;
  /** Sends one request. May throw anything. */
  readonly complete: (question: Question) => Promise<Completion>;
};

/** The most characters of an unfit answer that are sent back to the model. */
const MOST_SHOWN = 20_000;

export function makeTextModel(adapter: Adapter): TextModel {
  const formats = openFormats(adapter);
  return {
    provider: adapter.provider.name,
    model: adapter.provider.model,
    object: (request) => askForObject({ ...adapter, tryFormats: formats }, request),
  };
}

type Asking = Adapter & { readonly tryFormats: ReturnType<typeof openFormats> };

/** Asks until an answer fits the schema. Throws `ai_invalid_answer` after `LIMITS.repairs` further attempts. */
async function askForObject<T>(adapter: Asking, request: ObjectRequest<T>): Promise<ObjectAnswer<T>> {
  const schema = toStrictJsonSchema(request.schema);
  let wording: Wording = request;
  for (let repairs = 0; ; repairs += 1) {
    const heard = request.wrote && makeContentReader(request.wrote);
    const answer = await askOnce(adapter, { ...request, ...wording, schema, heard, lost: request.spent });
    request.spent?.(countAnswer(answer, wording));
    const text = getText(answer, adapter.provider);
    const read = readObject(request.schema, text);
    if (read.ok) return { value: read.value, repairs };
    const calls = answer.finishReason === "tool-calls";
    const problems = calls ? ["it calls a tool, and there is none: answer with the object itself"] : read.problems;
    if (calls && repairs > 0) throw makeToolError(adapter.provider);
    if (repairs === LIMITS.repairs) throw makeUnfitError(request.name, problems);
    wording = makeRepairPrompt(request, { schema, answer: text, problems });
  }
}

/** Asks once within the time limit, in a format that the provider accepts. Throws `DomainError`. */
const askOnce = (adapter: Asking, question: Omit<Question, "format" | "accepted">): Promise<Completion> =>
  withDeadline(question.signal, adapter.timeoutMs, (signal, until) =>
    callAgain(adapter.provider, { signal, until }, () =>
      adapter.tryFormats((format, accepted) => {
        const { schema } = question;
        const prompt = format === "schema" ? question.prompt : `${question.prompt}\n\n${describeSchema(schema)}`;
        return adapter.complete({ ...question, prompt, format, signal, accepted });
      }),
    ),
  );

/** Returns the tokens of an answer; an estimate if the provider has counted none. */
function countAnswer({ usage, text }: Completion, { system, prompt }: Wording): Usage {
  const isCounted = usage.inputTokens + usage.outputTokens > 0;
  return isCounted ? usage : { ...usage, uncountedTokens: countTokens(system + prompt + text) };
}

const makeToolError = ({ name, model }: Provider): DomainError =>
  new DomainError(
    "ai_invalid_answer",
    `The model "${model}" of ${name} calls tools instead of answering, though none was offered. Choose another model.`,
  );

const MOST_PROBLEM = 200;

/** Shows only the first problem: a small model mostly repeats the same mistake. */
const makeUnfitError = (name: string, [problem = ""]: readonly string[]): DomainError =>
  new DomainError(
    "ai_invalid_answer",
    `The model's answer (${name}) did not match the requested format, even after several attempts: ${problem.slice(0, MOST_PROBLEM).toWellFormed()}`,
  );

/** Returns the answer's text. Throws `ai_refused` for a refusal, and `ai_cut_off` at the model's token limit. */
function getText({ text, finishReason, refusal }: Completion, provider: Provider): string {
  if (refusal !== "" || finishReason === "content-filter") throw makeRefusal(refusal, provider);
  if (finishReason === "length") throw new DomainError("ai_cut_off");
  return text;
}

type Wording = { readonly system: string; readonly prompt: string };

/** Returns the prompt for another attempt, with the schema, because some endpoints ignore structured output. */
function makeRepairPrompt(
  { system, prompt }: Wording,
  { schema, answer, problems }: { schema: JsonSchema; answer: string; problems: readonly string[] },
): Wording {
  return {
    system: system.includes(DATA_RULE) ? system : `${system}\n\n${DATA_RULE}`,
    prompt: [
      prompt,
      "This was asked before, and the answer could not be used:",
      delimit("previous answer", answer.slice(0, MOST_SHOWN).toWellFormed()),
      delimit("problems of the previous answer", problems.join("\n")),
      `Answer again, completely and without these problems. ${describeSchema(schema)}`,
    ].join("\n\n"),
  };
}

const describeSchema = (schema: JsonSchema): string =>
  `Answer with one JSON object and nothing else. It has to satisfy this JSON schema:\n${JSON.stringify(schema)}`;

/** `schema`: structured output. `json`: JSON mode, with the schema in the prompt. `prompt`: only the prompt has it. */
export type Format = "schema" | "json" | "prompt";

/** The format that was accepted last, by endpoint and model, as long as the isolate lives. A deployment has few entries. */
const known = new Map<string, Format>();

/**
 * Returns a function that calls `ask` with one format after another until the endpoint accepts one, beginning with the
 * format that was accepted last. It throws the error of `ask` if it is not about the format, or if no format is left. Of
 * questions at the same time, one finds out which format is accepted, so that none is refused twice.
 */
function openFormats({ key, formats }: Pick<Adapter, "key" | "formats">) {
  // Belongs to one request: a promise of another one never ends in this runtime.
  const search: { current: PromiseWithResolvers<void> | null } = { current: null };
  // Also where the next one is not accepted yet, because the endpoint is busy.
  const refused = new Set<Format>();
  return async <T>(ask: (format: Format, accepted: () => void) => Promise<T>): Promise<T> => {
    while (!known.has(key) && search.current !== null) await search.current.promise;
    const own = known.has(key) ? null : (search.current = Promise.withResolvers<void>());
    const end = () => {
      if (own !== null && search.current === own) search.current = null;
      own?.resolve();
    };
    const first = known.get(key);
    const from = first === undefined ? formats : formats.slice(formats.indexOf(first));
    const left = from.filter((format) => !refused.has(format));
    try {
      for (;;) {
        const format = left.shift();
        if (format === undefined) throw new TypeError("there is no format to ask in");
        const accept = () => {
          known.set(key, format);
          end();
        };
        try {
          const answer = await ask(format, accept);
          accept();
          return answer;
        } catch (error) {
          if (left.length === 0 || !isFormatRefused(error)) throw error;
          refused.add(format);
        }
      }
    } finally {
      end();
    }
  };
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Returns the form that strict structured output requires: all fields are required, optional ones may be null, and others
 * are forbidden (OpenAI, Structured Outputs, "All fields must be required").
 */
function toStrictJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: "draft-7", io: "input", unrepresentable: "any", override: makeStrict });
}

function makeStrict({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  const { properties, required = [] } = jsonSchema;
  if (properties === undefined) return;
  jsonSchema.additionalProperties = false;
  jsonSchema.required = Object.keys(properties);
  for (const [name, member] of Object.entries(properties)) {
    if (required.includes(name) || typeof member === "boolean") continue;
    // Not allowed in strict structured output. `readObject` applies defaults when it reads the answer.
    const { default: _, ...rest } = member;
    properties[name] = { anyOf: [rest, { type: "null" }] };
  }
}

/** Milliseconds between two readings, because each parses the answer from its start. */
const INTERVAL_MS = 150;

/** Returns a function that takes the answer so far, and now and then calls `wrote` with the field `content`. */
function makeContentReader(wrote: (content: string) => void): (answer: string) => Promise<void> {
  let last = 0;
  return async (answer) => {
    const start = answer.indexOf("{");
    if (start < 0 || Date.now() - last < INTERVAL_MS) return;
    last = Date.now();
    const content = getMember((await parsePartialJson(answer.slice(start))).value, "content");
    if (typeof content === "string" && content !== "") wrote(content);
  };
}
