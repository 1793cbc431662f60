import * as z from "zod";
import { pick } from "../lib/pick.ts";
import { RATES } from "../domain/rates.ts";
import { defineOperation } from "./define.ts";
import { identifier, output } from "./fields.ts";
import { claim } from "./generation/metadata.ts";

const articleSource = z
  .object({
    url: z.string().meta({ example: "https://example.com/ferries" }),
    title: z.string().meta({ description: "Empty if it has none.", example: "Ferries" }),
    isCut: z.boolean().meta({ description: "Whether only its beginning was read.", example: false }),
    readTime: output.dateTime.meta({ description: "When it was stored, as it was read." }),
  })
  .meta({ id: "ArticleSource" });

export const listArticleSources = defineOperation({
  name: "sources.list",
  summary: "List the sources of an article",
  description: `What it was generated from, and what backs the figures and quotations of its present text, or of its working copy if it has one. Empty lists for an article without sources. The number of calls is limited as that of comparisons: ${RATES.comparisons} a minute of an organization.`,
  scope: "articles:read",
  effect: "read",
  input: z.strictObject({ articleId: identifier("an article") }),
  output: z
    .object({
      articleId: output.id,
      sources: z.array(articleSource),
      claims: z.array(claim).meta({ description: "In their order; of more than 100, those that nothing backs first." }),
    })
    .meta({ id: "ArticleSources" }),
  refuses: ["not_found"],
  sample: { command: "articles sources {articleId}" },
  async run({ store, principal, limit }, { articleId }) {
    await limit("comparisons", principal.organizationId);
    const { texts, sources } = await store.findSources(articleId);
    const named = sources.filter(({ url }) => url !== "");
    if (named.length === 0) return { value: { articleId, sources: [], claims: [] } };
    const { traceClaims } = await import("../ai/generation/claims.ts");
    const own = sources.filter(({ url }) => url === "").map(({ text }) => text);
    const claims = traceClaims(texts, named, own.join("\n"));
    return {
      value: { articleId, sources: named.map((source) => pick(source, ["url", "title", "isCut", "readTime"])), claims },
    };
  },
});
