/** Structured answers from any text model: asked for, read, and asked for again where they do not fit. */
import { DomainError } from "../errors.ts";
import { LIMITS } from "../domain/limits.ts";
import { DATA_RULE, delimited } from "./delimit.ts";
import { within } from "./deadline.ts";
import { failureOf, type Provider, refused } from "./failures.ts";
import { type Format, inKnownFormat } from "./formats.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import { readObject } from "./json-text.ts";
import type { ObjectAnswer, ObjectRequest, TextModel, Usage } from "./model.ts";

/** One question to a model, as an adapter brings it to its provider. */
export type Question = {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly system: string;
  /** Holds the schema where the format is another than "schema". */
  readonly prompt: string;
  readonly format: Format;
  readonly signal: AbortSignal;
};

/** What a model has answered to one question. */
export type Completion = {
  readonly text: string;
  readonly finishReason: string;
  /** The words with which the model declined; "" for none. */
  readonly refusal: string;
  readonly usage: Usage;
};

/** What makes a text model of a provider. */
export type Adapter = {
  readonly provider: Provider;
  /** In which ways the provider may be asked, best first. */
  readonly formats: readonly Format[];
  /** Under which the format is remembered that has worked. */
  readonly key: string;
  /** Of one call of the model. */
  readonly timeoutMs: number;
  /** Asks once. What it throws is mapped to codes here. */
  readonly complete: (question: Question) => Promise<Completion>;
};

/** Characters of an unfit answer that the model is shown again. */
const MOST_SHOWN = 20_000;

/** A text model whose answers are read, and asked for again where they do not fit. */
export const textModelOf = (adapter: Adapter): TextModel => ({
  provider: adapter.provider.name,
  model: adapter.provider.model,
  object: (request) => askForObject(adapter, request),
});

/** Asks until the answer fits, at most `LIMITS.repairs` times again. */
async function askForObject<T>(adapter: Adapter, request: ObjectRequest<T>): Promise<ObjectAnswer<T>> {
  const schema = jsonSchemaOf(request.schema);
  let wording: Wording = request;
  for (let repairs = 0; ; repairs += 1) {
    const answer = await askOnce(adapter, { ...request, ...wording, schema });
    request.spent?.(answer.usage);
    const text = textOf(answer, adapter.provider);
    const read = readObject(request.schema, text);
    if (read.ok) return { value: read.value, repairs };
    if (repairs === LIMITS.repairs) throw unfit(request.name, read.problems);
    wording = repairOf(request, { schema, answer: text, problems: read.problems });
  }
}

/** One call of the model: in time, in a format that its provider knows, and with our codes for what fails. */
const askOnce = (adapter: Adapter, question: Omit<Question, "format">): Promise<Completion> =>
  within(question.signal, adapter.timeoutMs, async (signal) => {
    const { name, schema, system } = question;
    try {
      return await inKnownFormat(adapter.key, adapter.formats, async (format) => {
        const prompt = format === "schema" ? question.prompt : `${question.prompt}\n\n${schemaNotice(schema)}`;
        return adapter.complete({ name, schema, system, prompt, format, signal });
      });
    } catch (error) {
      throw failureOf(error, adapter.provider);
    }
  });

/** Characters of a problem that are shown. */
const MOST_PROBLEM = 200;

/** Says what was asked for and what was wrong: with a small model it is mostly the same. */
const unfit = (name: string, [problem = ""]: readonly string[]): DomainError =>
  new DomainError(
    "ai_invalid_answer",
    `The model's answer (${name}) did not fit, even after it was asked again: ${problem.slice(0, MOST_PROBLEM).toWellFormed()}`,
  );

/** The text of a complete answer. */
function textOf({ text, finishReason, refusal }: Completion, provider: Provider): string {
  if (refusal !== "" || finishReason === "content-filter") throw refused(refusal, provider);
  if (finishReason === "length") throw new DomainError("ai_cut_off");
  return text;
}

type Wording = { readonly system: string; readonly prompt: string };

/** Asks again, with the schema in the prompt this time: some endpoints ignore the place where it was before. */
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

/** The replacement for structured output if a provider has none. */
const schemaNotice = (schema: JsonSchema): string =>
  `Answer with one JSON object and nothing else. It has to satisfy this JSON schema:\n${JSON.stringify(schema)}`;
