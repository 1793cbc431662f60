import { type JSONSchema7, type LanguageModelUsage, Output } from "ai";
import type { Question, Completion } from "./object.ts";

/**
 * Requests JSON as `Output.object` does, but returns the text unparsed. `Output.object` parses the whole text after each
 * part of a stream, which takes seconds for a long article, and it cannot read JSON in a code fence.
 */
export const makeOutput = (question: Question): ReturnType<typeof Output.text> => ({
  ...Output.text(),
  responseFormat: Promise.resolve(toResponseFormat(question)),
});

type ResponseFormat = Awaited<ReturnType<typeof Output.text>["responseFormat"]>;

function toResponseFormat({ format, name, schema }: Question): ResponseFormat {
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

const MOST_TOKENS = 1e9;

/** Returns the tokens of a call. 0 for a number that is missing or impossible. */
export const toUsage = ({
  inputTokens,
  outputTokens,
}: Pick<LanguageModelUsage, "inputTokens" | "outputTokens">): Completion["usage"] => ({
  inputTokens: toTokenCount(inputTokens),
  outputTokens: toTokenCount(outputTokens),
});

/** Some providers report fractions, because they weigh tokens by price. */
const toTokenCount = (tokens = 0): number => (tokens > 0 && tokens <= MOST_TOKENS ? Math.round(tokens) : 0);
