/** Models behind Anthropic's Messages API (`POST {base}/messages`). It has no images. */
import { createAnthropic } from "@ai-sdk/anthropic";
import * as z from "zod";
import { type Api, openTextModel } from "./complete.ts";
import type { AiSettings, Models } from "./model.ts";

export const openAnthropicModels = (settings: AiSettings): Models => ({
  text: openTextModel(settings, ANTHROPIC),
  image: null,
});

/**
 * The most tokens of an answer, which the API requires: enough for 12,000 characters of any language, with room for
 * thoughts. The SDK lowers it for models that allow fewer.
 */
const OUTPUT_TOKENS = 16_000;

const ANTHROPIC: Api = {
  // By the schema, the SDK asks in `output_config`; or with a tool, where the model is too old for that.
  formats: ["schema", "prompt"],
  model: ({ baseUrl, apiKey, model }, _, post) => createAnthropic({ baseURL: baseUrl, apiKey, fetch: post })(model),
  hear: (event, heard) => {
    const { message, usage = message?.usage, delta } = eventSchema.safeParse(event).data ?? {};
    if (usage) {
      const { input_tokens: fresh, cache_creation_input_tokens: written, cache_read_input_tokens: read } = usage;
      const inputTokens = fresh == null ? heard.usage?.inputTokens : fresh + (written ?? 0) + (read ?? 0);
      heard.usage = { inputTokens: inputTokens ?? 0, outputTokens: usage.output_tokens };
    }
    heard.refusal += delta?.stop_details?.explanation ?? "";
  },
  options: { maxOutputTokens: OUTPUT_TOKENS },
};

/** `message_start` has the tokens of the prompt, and `message_delta` those of the answer so far. */
const usageSchema = z.object({
  input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  output_tokens: z.number(),
});

const eventSchema = z.object({
  message: z.object({ usage: usageSchema.optional() }).optional().catch(undefined),
  usage: usageSchema.optional().catch(undefined),
  delta: z
    .object({ stop_details: z.object({ explanation: z.string().nullish() }).nullish() })
    .optional()
    .catch(undefined),
});
