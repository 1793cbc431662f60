/** Finds a model that Ollama serves on this machine, for local runs whose settings name no endpoint. */
import * as z from "zod";
import { ask } from "./ask.ts";

const ADDRESS = "http://127.0.0.1:11434";
/** The timeout in milliseconds. A running Ollama answers at once, and without one the start must not be delayed. */
const PATIENCE_MS = 300;

const tags = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Returns settings for Ollama with its first model that is not for embeddings. Null if there is none. Never throws. */
export async function findOllama(): Promise<{ AI_BASE_URL: string; AI_MODEL: string } | null> {
  try {
    const { models } = tags.parse(JSON.parse((await ask(`${ADDRESS}/api/tags`, PATIENCE_MS)).text));
    const model = models.find(({ name }) => !name.includes("embed"));
    return model === undefined ? null : { AI_BASE_URL: `${ADDRESS}/v1`, AI_MODEL: model.name };
  } catch {
    return null;
  }
}
