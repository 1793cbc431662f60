/** Lobsters (https://lobste.rs/about). Each list page is also available as JSON. */
import * as z from "zod";
import type { TopicSource } from "../../../domain/topic-source.ts";
import type { Candidate, Refusal } from "../candidate.ts";
import {
  buildUrl,
  readEntries,
  type ForumQuery,
  toHtmlMarkup,
  optionalNumber,
  optionalText,
  toTextMarkup,
  describeUnexpected,
} from "./forum.ts";

/** Reads the stories of a tag, or the hottest stories of the site. */
export function makeLobstersQuery(source: TopicSource & { kind: "lobsters" }, base: string): ForumQuery {
  const { tag } = source;
  const path = tag === "" ? ["hottest.json"] : ["t", `${tag}.json`];
  return { url: buildUrl(base, path, {}), name: tag === "" ? "Lobsters" : `Lobsters: ${tag}`, list };
}

function list(answer: unknown): readonly (Candidate | Refusal)[] | string {
  const parsed = z.array(z.unknown()).safeParse(answer);
  return parsed.success ? readEntries(parsed.data, Story, toCandidate) : describeUnexpected("Lobsters");
}

function toCandidate(story: z.infer<typeof Story>): Candidate | Refusal {
  const tags = story.tags ?? [];
  if (tags.includes("job")) return { refused: "is a job posting" };
  return {
    url: story.url || story.comments_url,
    base: story.comments_url,
    title: toTextMarkup(story.title),
    text: toHtmlMarkup(story.description),
    time: story.created_at,
    engagement: (story.score ?? 0) + (story.comment_count ?? 0),
    keywords: tags,
    locale: "en",
  };
}

const Story = z.looseObject({
  title: z.string(),
  url: optionalText,
  comments_url: z.string(),
  description: optionalText,
  created_at: z.string(),
  score: optionalNumber,
  comment_count: optionalNumber,
  tags: z.array(z.string()).nullish(),
});
