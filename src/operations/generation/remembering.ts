/** Takes what an earlier run of a generation has paid for from what it has kept, and keeps what this one pays for. */
import * as z from "zod";
import type { ObjectRequest, TextModel } from "../../ai/model.ts";
import { DomainError } from "../../domain/errors.ts";
import { sha256 } from "../../lib/hash.ts";
import { log } from "../../lib/log.ts";
import type { NewAnswer } from "../../store/generation/keeping.ts";
import type { Entry } from "./spending.ts";

/** Returns a model that asks only what has no answer yet. */
export const remember = (entry: Entry): TextModel => ({
  ...entry.model,
  async object(request) {
    const key = await hashQuestion(request);
    const schema = z.object({ value: request.schema, repairs: z.int() });
    const former = schema.safeParse(entry.kept?.answers.get(key));
    if (former.success) return former.data;
    const answer = await entry.model.object(request);
    await keep(entry, { key, value: answer });
    return answer;
  },
});

const imageSchema = z.object({ mediaId: z.string() });

/** Keeps the ids of the images that were drawn, by their prompts. */
export const rememberImages = (entry: Entry) => ({
  /** Returns the id of the image that an earlier run has drawn; null if there is none. */
  find: async (prompt: string): Promise<string | null> =>
    imageSchema.safeParse(entry.kept?.answers.get(await hashPrompt(prompt))).data?.mediaId ?? null,
  keep: async (prompt: string, mediaId: string): Promise<void> =>
    keep(entry, { key: await hashPrompt(prompt), value: { mediaId }, mediaId }),
});

/** The tags around material from elsewhere have other digits each time (ai/delimit.ts). */
const NONCE = /(?<=<\/?data-)[0-9a-f]{16}/g;

const hashQuestion = ({ name, system, prompt }: ObjectRequest<unknown>): Promise<string> =>
  sha256(JSON.stringify([name, system, prompt.replace(NONCE, "")]));

const hashPrompt = (prompt: string): Promise<string> => sha256(JSON.stringify(["image", prompt]));

/** What cannot be kept is only paid for again after a failure. */
async function keep(entry: Entry, answer: NewAnswer): Promise<void> {
  try {
    await entry.keep(answer);
  } catch (error) {
    if (error instanceof DomainError && error.code === "generation_state") throw error;
    log({ level: "warn", message: "answer not kept", error });
  }
}
