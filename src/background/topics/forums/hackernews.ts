/** Hacker News, read through Algolia's search API (https://hn.algolia.com/api). */
import * as z from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import { DAY_MS } from "../../../lib/time.ts";
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

/**
 * Reads the front page, or the best stories of the last month that match a query. `search` ranks equal matches by their
 * points; `search_by_date` would give the newest, on which hardly anybody has voted. A filter of points is not asked
 * for, because the API refuses it at times. The day is rounded, so that the URL is the same all day.
 */
export function makeHackerNewsQuery(source: TopicSource & { kind: "hackernews" }, base: string, now: Date): ForumQuery {
  const { query } = source;
  const since = (Math.floor(now.getTime() / DAY_MS) - SEARCHED_DAYS) * (DAY_MS / 1000);
  const narrowed =
    query === "" ? { tags: "front_page" } : { tags: "story", query, numericFilters: `created_at_i>${since}` };
  return {
    url: buildUrl(base, ["api", "v1", "search"], { ...narrowed, hitsPerPage: String(LIMITS.sourceItems) }),
    name: query === "" ? "Hacker News" : `Hacker News: ${query}`,
    list,
  };
}

const SEARCHED_DAYS = 30;

function list(answer: unknown): readonly (Candidate | Refusal)[] | string {
  const parsed = Answer.safeParse(answer);
  return parsed.success ? readEntries(parsed.data.hits, Hit, toCandidate) : describeUnexpected("Hacker News");
}

function toCandidate(hit: z.infer<typeof Hit>): Candidate | Refusal {
  if (hit._tags?.includes("job") === true) return { refused: "is a job posting" };
  if ((hit.points ?? 0) < LEAST_POINTS) return { refused: `has fewer than ${LEAST_POINTS} points` };
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

/** A story begins with one point, its author's own. */
const LEAST_POINTS = 3;

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
