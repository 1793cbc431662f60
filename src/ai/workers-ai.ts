import { generateImage, generateText } from "ai";
import { createWorkersAI } from "workers-ai-provider";
import type { Provider } from "./failures.ts";
import { makeImageModel } from "./image.ts";
import { WORKERS_AI_MODEL, type AiSettings, type Models } from "./model.ts";
import { type Completion, type Question, makeTextModel } from "./object.ts";
import { makeOutput, toUsage } from "./output.ts";

const IMAGE_MODEL = "@cf/black-forest-labs/flux-1-schnell";

/** The most tokens of an answer: enough for 3,000 words, with room for the prompt. Most models default to 256. */
const OUTPUT_TOKENS = 8192;

type WorkersAi = ReturnType<typeof createWorkersAI>;

export function openWorkersAiModels(settings: AiSettings, binding: Ai): Models {
  const workersAi = createWorkersAI({ binding });
  const { timeoutMs } = settings;
  const text = makeProvider(settings.model || WORKERS_AI_MODEL);
  const image = makeProvider(settings.imageModel || IMAGE_MODEL);
  return {
    text: makeTextModel({
      provider: text,
      formats: ["schema", "prompt"],
      key: `${text.name} ${text.model}`,
      timeoutMs,
      complete: (question) => complete(workersAi, text.model, question),
    }),
    image: makeImageModel({
      provider: image,
      timeoutMs,
      draw: (prompt, abortSignal) =>
        generateImage({ model: workersAi.image(image.model), prompt, abortSignal, maxRetries: 0 }),
    }),
  };
}

const makeProvider = (model: string): Provider => ({ name: "workers-ai", model, apiKey: "" });

/** Sends one request without streaming, which JSON Mode does not support. */
async function complete(workersAi: WorkersAi, model: string, question: Question): Promise<Completion> {
  try {
    const { text, finishReason, usage } = await generateText({
      model: workersAi(model),
      instructions: question.system,
      prompt: question.prompt,
      output: makeOutput(question),
      maxOutputTokens: OUTPUT_TOKENS,
      abortSignal: question.signal,
      maxRetries: 0,
    });
    return { text, finishReason, refusal: "", usage: toUsage(usage) };
  } catch (error) {
    if (isUnmetFormat(error)) return UNMET;
    throw error;
  }
}

/** Workers AI returns this instead of an answer that does not fit the schema. The model is asked again then. */
const isUnmetFormat = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("JSON Mode couldn't be met");

const UNMET: Completion = { text: "", finishReason: "stop", refusal: "", usage: { inputTokens: 0, outputTokens: 0 } };
