/** Reads the text of a refusal (`delta.refusal`) from a stream, because the SDK does not. */
import type { MetadataExtractor } from "@ai-sdk/openai-compatible";
import type { ProviderMetadata } from "ai";
import * as z from "zod";

const chunkSchema = z.object({ choices: z.tuple([z.object({ delta: z.object({ refusal: z.string() }) })]) });

/** Collects the text of a refusal and stores it in the metadata of the answer. */
export const refusals: MetadataExtractor = {
  // The service uses only streaming.
  extractMetadata: async () => undefined,
  createStreamExtractor: () => {
    let refusal = "";
    return {
      processChunk: (chunk) => {
        const read = chunkSchema.safeParse(chunk);
        if (read.success) refusal += read.data.choices[0].delta.refusal;
      },
      buildMetadata: () => ({ refusals: { refusal } }),
    };
  },
};

/** Returns the text of a refusal that `refusals` has collected; "" if there is none. */
export function refusalIn(metadata: ProviderMetadata | undefined): string {
  const refusal = metadata?.["refusals"]?.["refusal"];
  return typeof refusal === "string" ? refusal : "";
}
