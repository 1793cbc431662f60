/** Models of Workers AI, by the binding. */
import { generateImage, generateText } from "ai";
import { createWorkersAI } from "workers-ai-provider";
import type { Provider } from "./failures.ts";
import { imageModelOf } from "./image.ts";
import type { AiSettings, Models } from "./model.ts";
import { type Completion, type Question, textModelOf } from "./object.ts";
import { outputFor, usageOf } from "./output.ts";

/** The largest of the models that the page on JSON Mode lists; its context is 24,000 tokens. */
const TEXT_MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
const IMAGE_MODEL = "@cf/black-forest-labs/flux-1-schnell";

/** Without it most models stop after 256 tokens. Enough for 3,000 words, and leaves room for the prompt. */
const OUTPUT_TOKENS = 8192;

type WorkersAi = ReturnType<typeof createWorkersAI>;

/** The models of the binding: those that the settings name, else the defaults. */
export function workersAiModels(settings: AiSettings, binding: Ai): Models {
  const workersAi = createWorkersAI({ binding });
  const { timeoutMs } = settings;
  const text = providerOf(settings.model || TEXT_MODEL);
  const image = providerOf(settings.imageModel || IMAGE_MODEL);
  return {
    text: textModelOf({
      provider: text,
      formats: ["schema", "prompt"],
      key: `${text.name} ${text.model}`,
      timeoutMs,
      complete: (question) => complete(workersAi, text.model, question),
    }),
    image: imageModelOf({
      provider: image,
      timeoutMs,
      draw: (prompt, abortSignal) =>
        generateImage({ model: workersAi.image(image.model), prompt, abortSignal, maxRetries: 0 }),
    }),
  };
}

const providerOf = (model: string): Provider => ({ name: "workers-ai", model, apiKey: "" });

/** Asks once, without streaming: JSON Mode has none. */
async function complete(workersAi: WorkersAi, model: string, question: Question): Promise<Completion> {
  try {
    const { text, finishReason, usage } = await generateText({
      model: workersAi(model),
      instructions: question.system,
      prompt: question.prompt,
      output: outputFor(question),
      maxOutputTokens: OUTPUT_TOKENS,
      abortSignal: question.signal,
      maxRetries: 0,
    });
    return { text, finishReason, refusal: "", usage: usageOf(usage) };
  } catch (error) {
    if (isUnmetFormat(error)) return UNMET;
    throw error;
  }
}

/** The model wrote something that does not fit the schema, and Workers AI keeps it back: it can be asked again. */
const isUnmetFormat = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("JSON Mode couldn't be met");

const UNMET: Completion = { text: "", finishReason: "stop", refusal: "", usage: { inputTokens: 0, outputTokens: 0 } };
