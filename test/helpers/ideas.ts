/** Items, ideas and boards with default values. A test sets only the fields that it is about. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import type { TopicRecord } from "../../src/store/topics/topics.ts";
import type { BoardIdea } from "../../src/store/topics/board.ts";
import type { Board, NewIdea } from "../../src/store/topics/system-ideas.ts";
import type { SourceItem } from "../../src/background/topics/item.ts";
import type { Tenant } from "./tenant.ts";

/** The fields of an idea, in their order (contract 7.1). */
export const TOPIC_MEMBERS =
  "_id blogId title summary angle url source mentions keywords locale score status articleId creationTime lastEditTime".split(
    " ",
  );

let serial = 0;

/** Returns an item with a new URL. */
export const itemOf = (fields: Partial<SourceItem> = {}): SourceItem => ({
  url: `https://items.example.com/${++serial}`,
  title: `Item number ${serial}`,
  summary: "",
  time: "2026-11-18T12:00:00.000Z",
  engagement: 0,
  keywords: [],
  locale: null,
  ...fields,
});

/** Returns the board of an empty blog. */
export const boardOf = (fields: Partial<Board> = {}): Board => ({
  blogName: "Field Notes",
  locale: "en",
  revision: 0,
  room: 1000,
  ideas: [],
  articleTitles: [],
  known: new Map(),
  ...fields,
});

/** Returns a stored idea of which only the title matters. */
export const boardIdeaOf = (id: string, itemTitle: string, fields: Partial<BoardIdea> = {}): BoardIdea => ({
  id,
  itemTitle,
  source: { kind: "feed", name: "Another feed" },
  mentions: [],
  score: 2500,
  ...fields,
});

/** Returns an idea as a refresh makes it from an item. */
export const ideaOf = (fields: Partial<NewIdea> = {}): NewIdea => {
  const { url, title } = itemOf();
  return {
    title,
    summary: "",
    angle: "",
    url,
    itemTitle: title,
    source: { kind: "feed", name: "A feed" },
    mentions: [],
    keywords: ["own"],
    locale: "en",
    score: 2500,
    urlKeys: [url],
    ...fields,
  };
};

/** Stores ideas of a tenant's blog as a refresh would. Returns their ids. */
export async function newIdeas(
  { organizationId, blogId }: Pick<Tenant, "organizationId" | "blogId">,
  ideas: readonly Partial<TopicRecord>[],
): Promise<string[]> {
  const rows = ideas.map((idea) => ({ id: newId(), score: 2500, status: "new", ...idea }));
  await env.DB.prepare(
    `insert into topics (id, organization_id, blog_id, title, summary, angle, url, source_kind, source_name, keywords,
       locale, item_title, mentions, score, status, article_id, version, creation_time, last_edit_time)
     select value ->> 'id', ?1, ?2, coalesce(value ->> 'title', 'An idea'), 'About it', '',
       'https://example.com/' || (value ->> 'id'), 'feed', 'A feed', '["idea"]', 'en', coalesce(value ->> 'title', 'An idea'),
       '[]', value ->> 'score', value ->> 'status', value ->> 'articleId', value ->> 'id',
       coalesce(value ->> 'creationTime', '2026-11-18T12:00:00.000Z'), '2026-11-18T12:00:00.000Z'
     from json_each(?3)`,
  )
    .bind(organizationId, blogId, JSON.stringify(rows))
    .run();
  return rows.map(({ id }) => id);
}
