/** A model on this machine, for local runs that name none. */
import * as z from "zod";

const ADDRESS = "http://127.0.0.1:11434";
/** It is there or it is not: nobody waits for it. */
const PATIENCE_MS = 300;

const tags = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Settings for Ollama and its first model where it runs and has one for text, else null. */
export async function findOllama(): Promise<{ AI_BASE_URL: string; AI_MODEL: string } | null> {
  try {
    const response = await fetch(`${ADDRESS}/api/tags`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { models } = tags.parse(await response.json());
    const model = models.find(({ name }) => !name.includes("embed"));
    return model === undefined ? null : { AI_BASE_URL: `${ADDRESS}/v1`, AI_MODEL: model.name };
  } catch {
    return null;
  }
}
