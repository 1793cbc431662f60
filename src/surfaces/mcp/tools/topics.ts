import * as z from "zod";
import { RATES } from "../../../domain/rates.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { registry } from "../../../operations/registry.ts";
import { describeCursor, defineTool, nextCursor, describeLimit, readPage, READS, WRITES } from "../tool.ts";

const { blogId, status, cursor } = registry.listTopics.input.shape;

export const listTopics = defineTool({
  name: "list_topics",
  title: "List topic ideas",
  description:
    "Lists the topic ideas of a blog, best first, as found in its feeds and forums. Use `status` `new` for ideas that nobody has used or dismissed. Pass the `_id` of an idea as `topicId` to create_article or generate_article. If there are none, or only old ones, call refresh_topics.",
  operations: [registry.listTopics],
  annotations: READS,
  input: z.strictObject({ blogId, status, limit: describeLimit(50, 20), cursor: describeCursor(cursor) }),
  output: z.object({ topics: registry.listTopics.output, nextCursor }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value, next } = await readPage(input, (asked) => run(registry.listTopics, () => asked));
    return { topics: value, nextCursor: next ?? null };
  },
});

/** Removes URLs from the failure of a source: the URL of a page's feed may contain a secret. */
const withoutAddress = <T extends { readonly detail: string | null }>(source: T): T => ({
  ...source,
  detail: source.detail && source.detail.replaceAll(/https?:\/\/\S+/g, "another address"),
});

export const researchTopics = defineTool({
  name: "research_topics",
  title: "Research topics",
  description: `Reads up to ${LIMITS.researchSources} feeds and forums now and shows what they contain, best first; nothing is stored. Pass \`sources\`, or leave them out for the blog's own. \`known\` means that the blog already has the idea. It takes up to ${LIMITS.researchTimeoutMs / 1000} seconds, and may be called ${RATES.researches} times a minute. To store what a blog's own sources contain, use refresh_topics.`,
  operations: [registry.researchTopics],
  annotations: { ...READS, openWorldHint: true },
  input: registry.researchTopics.input,
  output: registry.researchTopics.output,
  holdsTexts: true,
  async run({ run }, input) {
    const { value } = await run(registry.researchTopics, () => input);
    return { ...value, sources: value.sources.map(withoutAddress) };
  },
});

const { shape: refresh } = registry.refreshTopics.output;
const { source: _, ...sourceMembers } = refresh.sources.element.shape;

export const refreshTopics = defineTool({
  name: "refresh_topics",
  title: "Refresh topic ideas",
  description: `Reads the blog's own feeds and forums, ${LIMITS.topicSources} at most, and stores what is new as topic ideas. It runs in the background for up to a few minutes; a call during a refresh returns its progress. Then call list_topics.`,
  operations: [registry.refreshTopics],
  annotations: { ...WRITES, openWorldHint: true },
  input: registry.refreshTopics.input,
  output: z.object({
    ...refresh,
    sources: z.array(z.object({ kind: z.string(), name: z.string(), ...sourceMembers })),
  }),
  holdsTexts: true,
  async run({ run }, input) {
    const { value } = await run(registry.refreshTopics, () => input);
    return {
      ...value,
      sources: value.sources.map(({ source, ...rest }) =>
        Object.assign(withoutAddress(rest), { kind: source.kind, name: source.name }),
      ),
    };
  },
});
