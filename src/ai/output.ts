/** What both adapters tell the SDK, and what they take from it. */
import { type JSONSchema7, type LanguageModelUsage, Output } from "ai";
import type { Question, Completion } from "./object.ts";

/**
 * Asks for JSON as `Output.object` does, and leaves the text as it is: that one reads all text again with each piece
 * that arrives, which costs seconds for a long article, and knows no code fences.
 */
export const outputFor = (question: Question): ReturnType<typeof Output.text> => ({
  ...Output.text(),
  responseFormat: Promise.resolve(formatOf(question)),
});

type ResponseFormat = Awaited<ReturnType<typeof Output.text>["responseFormat"]>;

function formatOf({ format, name, schema }: Question): ResponseFormat {
  switch (format) {
    case "schema":
      // The same schema; zod and the SDK name its type differently.
      return { type: "json", name, schema: schema as JSONSchema7 };
    case "json":
      return { type: "json" };
    case "prompt":
      return { type: "text" };
  }
}

/** A provider that counts nothing counts 0. */
export const usageOf = ({ inputTokens, outputTokens }: LanguageModelUsage): Completion["usage"] => ({
  inputTokens: inputTokens ?? 0,
  outputTokens: outputTokens ?? 0,
});
