/** The hot posts of a subreddit (https://www.reddit.com/dev/api#GET_hot), read without an account. */
import * as z from "zod";
import { LIMITS } from "../../../domain/limits.ts";
import type { TopicSource } from "../../../domain/topic-source.ts";
import type { Candidate, Refusal } from "../candidate.ts";
import { toOneLine } from "../plain-text.ts";
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

export function makeRedditQuery(source: TopicSource & { kind: "reddit" }, base: string): ForumQuery {
  // Without `raw_json`, Reddit escapes `<`, `>` and `&` as HTML entities.
  const query = { limit: String(LIMITS.sourceItems), raw_json: "1" };
  const { subreddit } = source;
  return {
    url: buildUrl(base, ["r", subreddit, "hot.json"], query),
    name: `r/${subreddit}`,
    list,
    explain: (answer, status) => explain(answer, status, subreddit),
  };
}

/** Returns what a refusal means. Of a subreddit that is not public, Reddit says so in JSON; to data centres it sends a page. */
function explain(answer: unknown, status: number, subreddit: string): string | undefined {
  if (status !== 403) return undefined;
  const reason = Refused.safeParse(answer).data?.reason;
  if (reason !== undefined) return `It answered 403: r/${subreddit} is not open to everybody (${toOneLine(reason)}).`;
  return (
    "It answered 403. Reddit refuses most requests from data centres, and this service runs in one. What helps: let a feed reader that Reddit admits follow " +
    `https://www.reddit.com/r/${subreddit}/.rss, and add the feed that it publishes as a source of the kind feed; or choose another source.`
  );
}

function list(answer: unknown): readonly (Candidate | Refusal)[] | string {
  const parsed = Answer.safeParse(answer);
  if (!parsed.success) return describeUnexpected("Reddit");
  const { children } = parsed.data.data;
  // For a subreddit that does not exist, Reddit redirects to a search, which lists subreddits.
  if (children.some(({ kind }) => kind === SUBREDDIT)) return "There is no subreddit of that name.";
  return readEntries(
    children.map(({ data }) => data),
    Post,
    toCandidate,
  );
}

function toCandidate(post: z.infer<typeof Post>): Candidate | Refusal {
  const refusal = findRefusal(post);
  if (refusal !== undefined) return { refused: refusal };
  const discussion = new URL(post.permalink, "https://www.reddit.com").href;
  const page = post.url_overridden_by_dest ?? post.url;
  return {
    url: post.is_self === true || isOnReddit(page) ? discussion : page || discussion,
    base: discussion,
    title: toTextMarkup(post.title),
    text: toHtmlMarkup(post.selftext_html),
    time: post.created_utc * 1000,
    engagement: (post.score ?? 0) + (post.num_comments ?? 0),
    // A flair contains pictures as `:name:`. They are removed.
    keywords: [post.link_flair_text?.replace(/:[\w-]{1,30}:/g, "")],
    locale: undefined,
  };
}

function findRefusal(post: z.infer<typeof Post>): string | undefined {
  if (post.over_18 === true) return "is for adults only";
  if (typeof post.removed_by_category === "string" || GONE.has(post.selftext ?? "")) return "was removed";
  if (post.stickied === true || post.pinned === true) return "is pinned";
  return post.promoted === true ? "is an advertisement" : undefined;
}

/** Returns true for media and pages on Reddit itself. The post is the item then. */
const isOnReddit = (url: string | null | undefined): boolean =>
  /^https?:\/\/(?:[\w-]+\.)*(?:reddit\.com|redd\.it|redditmedia\.com)\//i.test(url ?? "");

const Answer = z.looseObject({
  data: z.looseObject({ children: z.array(z.looseObject({ kind: z.string(), data: z.unknown() })) }),
});

const Post = z.looseObject({
  title: z.string(),
  permalink: z.string().startsWith("/"),
  url: optionalText,
  url_overridden_by_dest: optionalText,
  is_self: z.boolean().nullish(),
  selftext: optionalText,
  selftext_html: optionalText,
  created_utc: z.number(),
  score: optionalNumber,
  num_comments: optionalNumber,
  link_flair_text: optionalText,
  over_18: z.boolean().nullish(),
  stickied: z.boolean().nullish(),
  pinned: z.boolean().nullish(),
  promoted: z.boolean().nullish(),
  removed_by_category: optionalText,
});

const Refused = z.looseObject({ reason: z.string().max(50) });

const SUBREDDIT = "t5";

const GONE: ReadonlySet<string> = new Set(["[removed]", "[deleted]"]);
