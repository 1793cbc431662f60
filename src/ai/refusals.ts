/** The words of a refusal (`delta.refusal`), which the SDK does not read itself. */
import type { MetadataExtractor } from "@ai-sdk/openai-compatible";
import type { ProviderMetadata } from "ai";
import * as z from "zod";

const chunkSchema = z.object({ choices: z.tuple([z.object({ delta: z.object({ refusal: z.string() }) })]) });

/** Gathers a refusal in the metadata of an answer. */
export const refusals: MetadataExtractor = {
  // Answers are streamed only.
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

/** What `refusals` has gathered; "" for none. */
export function refusalIn(metadata: ProviderMetadata | undefined): string {
  const refusal = metadata?.["refusals"]?.["refusal"];
  return typeof refusal === "string" ? refusal : "";
}
