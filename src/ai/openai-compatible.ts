/** Models behind OpenAI's chat completions: OpenAI, Gemini, Ollama, vLLM and many others. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as z from "zod";
import { type Api, openTextModel } from "./complete.ts";
import { openImageModel } from "./endpoint-images.ts";
import type { AiSettings, Models } from "./model.ts";

export const openChatModels = (settings: AiSettings): Models => ({
  text: openTextModel(settings, CHAT),
  image: openImageModel(settings),
});

const CHAT: Api = {
  formats: ["schema", "json", "prompt"],
  model: ({ baseUrl, apiKey, model }, { format }, post) =>
    createOpenAICompatible({
      name: "endpoint",
      baseURL: baseUrl,
      apiKey,
      fetch: readUnstreamed(post),
      supportsStructuredOutputs: format === "schema",
      // An endpoint that does not support JSON mode may be too old to accept `stream_options`.
      includeUsage: format !== "prompt",
    }).chatModel(model),
  hear: (event, heard) => {
    const { usage, choices } = chunkSchema.safeParse(event).data ?? {};
    if (usage) {
      const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
      // Gemini counts the tokens of its thoughts only in the total. They are paid for as output.
      const all = input == null || total == null ? 0 : total - input;
      const before = heard.usage;
      heard.usage = {
        inputTokens: input ?? before?.inputTokens ?? 0,
        outputTokens: Math.max(output ?? before?.outputTokens ?? 0, all),
      };
    }
    heard.refusal += choices?.[0]?.delta?.refusal ?? "";
  },
};

const chunkSchema = z.object({
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      total_tokens: z.number().nullish(),
    })
    .nullish()
    .catch(undefined),
  choices: z
    .array(z.object({ delta: z.object({ refusal: z.string().nullish() }).nullish() }))
    .nullish()
    .catch(undefined),
});

/** Reads the answer of an endpoint that ignores `stream: true`, as one event of a stream. */
const readUnstreamed =
  (post: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await post(input, init);
    if (!response.ok || !/^application\/json\b/i.test(response.headers.get("Content-Type") ?? "")) return response;
    const events = `data: ${toChunk(await response.text())}\n\ndata: [DONE]\n\n`;
    return new Response(events, { headers: { "Content-Type": "text/event-stream" } });
  };

const answerSchema = z.looseObject({ choices: z.array(z.looseObject({ message: z.unknown() })) });

/** Returns a completion as a chunk, on one line. Anything else stays as it is, for the SDK to refuse. */
function toChunk(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    const { data } = answerSchema.safeParse(parsed);
    const choices = data?.choices.map(({ message: delta, ...choice }) => ({ ...choice, delta }));
    return JSON.stringify(choices === undefined ? parsed : { ...data, choices });
  } catch {
    return text.replaceAll(/\s+/g, " ");
  }
}
