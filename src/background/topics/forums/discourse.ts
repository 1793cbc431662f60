/** Sites that run Discourse (https://docs.discourse.org). Every list page is also available as JSON. */
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

/** Reads the latest topics of a site, or of one of its categories or tags. */
export function makeDiscourseQuery(source: TopicSource & { kind: "discourse" }): ForumQuery {
  const { category, tag } = source;
  const site = toSiteUrl(source.url);
  const narrowed = [category, tag].filter((part) => part !== "").join(", ");
  return {
    url: buildUrl(site, makePath(category, tag), {}),
    name: [site.replace(/^https?:\/\//, ""), ...(narrowed === "" ? [] : [narrowed])].join(": "),
    list: (answer) => {
      const parsed = Answer.safeParse(answer);
      if (!parsed.success) return describeUnexpected("Discourse");
      return readEntries(parsed.data.topic_list.topics, Topic, (topic) => toCandidate(topic, site));
    },
  };
}

/**
 * Returns the path of the list. The slug of a category is enough, because Discourse redirects to the address with its
 * id. A subcategory is `parent/child`.
 */
function makePath(category: string, tag: string): string[] {
  const slugs = category.split("/");
  if (category !== "" && tag !== "") return ["tags", "c", ...slugs, `${tag}.json`];
  if (tag !== "") return ["tag", `${tag}.json`];
  return category === "" ? ["latest.json"] : ["c", ...slugs, "l", "latest.json"];
}

/**
 * Returns the URL of the site without a slash at the end; it may include a folder. Returns text that is not a URL as it
 * is; the request for it fails.
 */
function toSiteUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

function toCandidate(topic: z.infer<typeof Topic>, site: string): Candidate | Refusal {
  if (topic.pinned === true || topic.pinned_globally === true) return { refused: "is pinned" };
  if (topic.visible === false) return { refused: "is not listed" };
  return {
    url: `${site}/t/${encodeURIComponent(topic.slug ?? "topic")}/${topic.id}`,
    base: site,
    title: toTextMarkup(topic.title),
    text: toHtmlMarkup(topic.excerpt),
    time: topic.created_at,
    // The first post is the topic itself, so it is no comment.
    engagement: (topic.like_count ?? 0) + Math.max(0, (topic.posts_count ?? 1) - 1),
    // Newer versions of Discourse return tags as objects.
    keywords: (topic.tags ?? []).map((tag) => (typeof tag === "string" ? tag : tag.name)),
    locale: undefined,
  };
}

const Answer = z.looseObject({ topic_list: z.looseObject({ topics: z.array(z.unknown()) }) });

const Topic = z.looseObject({
  id: z.int(),
  title: z.string(),
  slug: z.string().optional(),
  created_at: z.string(),
  excerpt: optionalText,
  posts_count: optionalNumber,
  like_count: optionalNumber,
  pinned: z.boolean().nullish(),
  pinned_globally: z.boolean().nullish(),
  visible: z.boolean().nullish(),
  tags: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).nullish(),
});
