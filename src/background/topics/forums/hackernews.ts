/** Hacker News, read through Algolia's search API (https://hn.algolia.com/api). */
import * as z from "zod";
import { LIMITS } from "../../../domain/limits.ts";
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

/** Reads the front page, or the newest stories that match a query. */
export function makeHackerNewsQuery(source: TopicSource & { kind: "hackernews" }, base: string): ForumQuery {
  const { query } = source;
  const hitsPerPage = String(LIMITS.sourceItems);
  const url =
    query === ""
      ? buildUrl(base, ["api", "v1", "search"], { tags: "front_page", hitsPerPage })
      : buildUrl(base, ["api", "v1", "search_by_date"], { tags: "story", query, hitsPerPage });
  return { url, name: query === "" ? "Hacker News" : `Hacker News: ${query}`, list };
}

function list(answer: unknown): readonly (Candidate | Refusal)[] | string {
  const parsed = Answer.safeParse(answer);
  return parsed.success ? readEntries(parsed.data.hits, Hit, toCandidate) : describeUnexpected("Hacker News");
}

function toCandidate(hit: z.infer<typeof Hit>): Candidate | Refusal {
  if (hit._tags?.includes("job") === true) return { refused: "is a job posting" };
  const discussion = `https://news.ycombinator.com/item?id=${encodeURIComponent(hit.objectID)}`;
  return {
    url: hit.url || discussion,
    base: discussion,
    title: toTextMarkup(hit.title),
    text: toHtmlMarkup(hit.story_text),
    time: hit.created_at_i * 1000,
    engagement: (hit.points ?? 0) + (hit.num_comments ?? 0),
    keywords: [],
    locale: "en",
  };
}

const Answer = z.looseObject({ hits: z.array(z.unknown()) });

const Hit = z.looseObject({
  objectID: z.string(),
  title: z.string(),
  url: optionalText,
  story_text: optionalText,
  created_at_i: z.number(),
  points: optionalNumber,
  num_comments: optionalNumber,
  _tags: z.array(z.string()).optional(),
});
