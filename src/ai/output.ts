/** What both adapters pass to the SDK, and what they read from its result. */
import { type JSONSchema7, type LanguageModelUsage, Output } from "ai";
import type { Question, Completion } from "./object.ts";

/**
 * Returns an output for the SDK that requests JSON as `Output.object` does, but returns the text unparsed.
 * `Output.object` parses the whole text again after each part of the stream, which takes seconds for a long article. It
 * also cannot read JSON in a code fence.
 */
export const outputFor = (question: Question): ReturnType<typeof Output.text> => ({
  ...Output.text(),
  responseFormat: Promise.resolve(formatOf(question)),
});

type ResponseFormat = Awaited<ReturnType<typeof Output.text>["responseFormat"]>;

function formatOf({ format, name, schema }: Question): ResponseFormat {
  switch (format) {
    case "schema":
      // The type is the same; zod and the SDK only declare it differently.
      return { type: "json", name, schema: schema as JSONSchema7 };
    case "json":
      return { type: "json" };
    case "prompt":
      return { type: "text" };
  }
}

/** More tokens than any call of a model can use. */
const MOST_TOKENS = 1e9;

/** Returns the tokens of a call, 0 for a number that the provider does not report, or that cannot be one of tokens. */
export const usageOf = ({ inputTokens, outputTokens }: LanguageModelUsage): Completion["usage"] => ({
  inputTokens: countOf(inputTokens),
  outputTokens: countOf(outputTokens),
});

/** Some providers report fractions, as they weigh tokens by what they cost. */
const countOf = (tokens = 0): number => (tokens > 0 && tokens <= MOST_TOKENS ? Math.round(tokens) : 0);
