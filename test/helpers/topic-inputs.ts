/** Valid inputs of the operations on ideas and generations. */
import type { World } from "./operations.ts";
import { worldSource } from "./world-rows.ts";

/** Inputs that the operations on topics and generations accept in a world. `fresh` returns a slug that is new. */
export const topicInputs = (fresh: () => string) =>
  ({
    listTopics: ({ tenant }) => ({ blogId: tenant.blogId, status: "new", limit: 5, skip: 0 }),
    updateTopic: ({ topicId }) => ({ topicId, status: "dismissed" }),
    researchTopics: ({ tenant }) => ({ blogId: tenant.blogId, sources: [worldSource()], limit: 5 }),
    assistArticle: ({ tenant }) => ({ blogId: tenant.blogId, task: "correct", text: "A good text." }),
    generateArticle: ({ tenant }) => generation(tenant, fresh()),
    startGeneration: ({ tenant }) => generation(tenant, fresh()),
    estimateGeneration: ({ tenant }) => generation(tenant, fresh()),
    outlineArticle: ({ tenant }) => ({ blogId: tenant.blogId, topic: "Valid walks", words: 300 }),
  }) as const satisfies Record<string, (world: World) => Record<string, unknown>>;

const generation = ({ blogId }: World["tenant"], slug: string) => ({
  blogId,
  topic: "Valid walks",
  instructions: "Valid",
  keywords: ["walks"],
  sources: [worldSource().url],
  locale: "en",
  slug,
  tone: "calm",
  outline: { title: "Valid walks", keyword: "walks", sections: [{ heading: "Valid", points: ["Valid"], words: 0 }] },
  words: 300,
  published: true,
  coverImage: false,
  inlineImages: false,
});
