/** Gets structured answers from any text model. If an answer does not fit the schema, the model is asked again. */
import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { DATA_RULE, delimited } from "./delimit.ts";
import { withDeadline } from "./deadline.ts";
import { failureOf, type Provider, refused } from "./failures.ts";
import { type Format, inKnownFormat } from "./formats.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import { readObject } from "./json-text.ts";
import { contentReader } from "./partial.ts";
import type { ObjectAnswer, ObjectRequest, TextModel, Usage } from "./model.ts";

/** One request to a model, as an adapter sends it to its provider. */
export type Question = {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly system: string;
  /** Contains the schema as well, unless `format` is "schema". */
  readonly prompt: string;
  readonly format: Format;
  readonly signal: AbortSignal;
  /** Takes the text of the answer so far, each time that it has grown. */
  readonly heard?: ((text: string) => Promise<void>) | undefined;
};

/** The response of a model to one request. */
export type Completion = {
  readonly text: string;
  readonly finishReason: string;
  /** The model's message if it refused to answer; "" if it did not refuse. */
  readonly refusal: string;
  readonly usage: Usage;
};

/** What a text model needs from a provider. */
export type Adapter = {
  readonly provider: Provider;
  /** The formats in which the provider can be asked, best first. */
  readonly formats: readonly Format[];
  /** The key under which the format that worked is stored (formats.ts). */
  readonly key: string;
  /** The time limit of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Sends one request, without retries. `askOnce` maps its errors to `DomainError`. */
  readonly complete: (question: Question) => Promise<Completion>;
};

/** Characters of an answer that did not fit, as the model gets it back when it is asked again. */
const MOST_SHOWN = 20_000;

/** Returns a text model that validates the answers of the adapter, and asks again if they do not fit. */
export const textModelOf = (adapter: Adapter): TextModel => ({
  provider: adapter.provider.name,
  model: adapter.provider.model,
  object: (request) => askForObject(adapter, request),
});

/**
 * Asks until an answer fits the schema, and returns it. After `LIMITS.repairs` further attempts it throws
 * `ai_invalid_answer`.
 */
async function askForObject<T>(adapter: Adapter, request: ObjectRequest<T>): Promise<ObjectAnswer<T>> {
  const schema = jsonSchemaOf(request.schema);
  let wording: Wording = request;
  for (let repairs = 0; ; repairs += 1) {
    const heard = request.wrote && contentReader(request.wrote);
    const answer = await askOnce(adapter, { ...request, ...wording, schema, heard });
    request.spent?.(answer.usage);
    const text = textOf(answer, adapter.provider);
    const read = readObject(request.schema, text);
    if (read.ok) return { value: read.value, repairs };
    if (repairs === LIMITS.repairs) throw unfit(request.name, read.problems);
    wording = repairOf(request, { schema, answer: text, problems: read.problems });
  }
}

/** Sends one request, within the time limit and in a format that the provider supports. Throws `DomainError`. */
const askOnce = (adapter: Adapter, question: Omit<Question, "format">): Promise<Completion> =>
  withDeadline(question.signal, adapter.timeoutMs, async (signal) => {
    const { name, schema, system, heard } = question;
    try {
      return await inKnownFormat(adapter.key, adapter.formats, async (format) => {
        const prompt = format === "schema" ? question.prompt : `${question.prompt}\n\n${schemaNotice(schema)}`;
        return adapter.complete({ name, schema, system, prompt, format, signal, heard });
      });
    } catch (error) {
      throw failureOf(error, adapter.provider);
    }
  });

/** Characters of a problem in an error message. */
const MOST_PROBLEM = 200;

/** Returns the final error. It shows only the first problem: a small model mostly repeats the same mistake. */
const unfit = (name: string, [problem = ""]: readonly string[]): DomainError =>
  new DomainError(
    "ai_invalid_answer",
    `The model's answer (${name}) did not match the requested format, even after several attempts: ${problem.slice(0, MOST_PROBLEM).toWellFormed()}`,
  );

/** Returns the answer's text. Throws `ai_refused` for a refusal, `ai_cut_off` if the model reached its token limit. */
function textOf({ text, finishReason, refusal }: Completion, provider: Provider): string {
  if (refusal !== "" || finishReason === "content-filter") throw refused(refusal, provider);
  if (finishReason === "length") throw new DomainError("ai_cut_off");
  return text;
}

type Wording = { readonly system: string; readonly prompt: string };

/** Returns the prompt for another attempt. It always contains the schema: some endpoints ignore structured output. */
function repairOf(
  { system, prompt }: Wording,
  { schema, answer, problems }: { schema: JsonSchema; answer: string; problems: readonly string[] },
): Wording {
  return {
    system: system.includes(DATA_RULE) ? system : `${system}\n\n${DATA_RULE}`,
    prompt: [
      prompt,
      "This was asked before, and the answer could not be used:",
      delimited("previous answer", answer.slice(0, MOST_SHOWN).toWellFormed()),
      delimited("problems of the previous answer", problems.join("\n")),
      `Answer again, completely and without these problems. ${schemaNotice(schema)}`,
    ].join("\n\n"),
  };
}

/** Returns the sentence that asks for JSON, for a prompt that has to replace structured output. */
const schemaNotice = (schema: JsonSchema): string =>
  `Answer with one JSON object and nothing else. It has to satisfy this JSON schema:\n${JSON.stringify(schema)}`;
