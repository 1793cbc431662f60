/** Models behind OpenAI's Responses API (`POST {base}/responses`). */
import { createOpenAI } from "@ai-sdk/openai";
import * as z from "zod";
import { type Api, openTextModel } from "./complete.ts";
import { openImageModel } from "./endpoint-images.ts";
import type { AiSettings, Models } from "./model.ts";

export const openResponsesModels = (settings: AiSettings): Models => ({
  text: openTextModel(settings, RESPONSES),
  image: openImageModel(settings),
});

const RESPONSES: Api = {
  formats: ["schema", "json", "prompt"],
  model: ({ baseUrl, apiKey, model }, _, post) =>
    createOpenAI({ baseURL: baseUrl, apiKey, fetch: post }).responses(model),
  hear: (event, heard) => {
    const { type, delta, response } = eventSchema.safeParse(event).data ?? {};
    const usage = response?.usage;
    if (usage) heard.usage = { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens };
    if (type === "response.refusal.delta") heard.refusal += delta ?? "";
  },
  // OpenAI would otherwise keep all prompts and answers for 30 days.
  options: { providerOptions: { openai: { store: false } } },
};

/** The last event has the tokens: `response.completed`, `response.incomplete` or `response.failed`. */
const eventSchema = z.object({
  type: z.string(),
  delta: z.string().optional().catch(undefined),
  response: z
    .object({ usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullish() })
    .optional()
    .catch(undefined),
});
