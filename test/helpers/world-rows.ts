/** Rows of a world (operations.ts) that no request makes, or that a request would make only with an event. */
import { env } from "cloudflare:workers";
import { newId } from "../../src/lib/ids.ts";
import { newMedia } from "./pictures.ts";
import type { Credential } from "./requests.ts";
import type { ArticleBody, Tenant } from "./tenant.ts";

/** Uploads an image, and notes at once that it has no smaller sizes. Otherwise the queue does so at some moment. */
export async function newSizedMedia(as: Credential): Promise<string> {
  const { _id } = await newMedia(as);
  await env.DB.prepare(`update media set sizes = '["small"]' where id = ?`).bind(_id).run();
  return _id;
}

/** A source that the blog of a world already has, so that the service does not test it when a blog is updated. */
export const worldSource = () => ({ kind: "feed", name: "World", url: `${env.FEEDS.url}/recent/feeds/wordpress.xml` });

/** Stores a topic idea, the refresh that found it, and a source of the blog, as the service would. */
export async function newIdea({ organizationId, blogId }: Tenant): Promise<{ topicId: string; refreshId: string }> {
  const [topicId, refreshId, time] = [newId(), newId(), new Date().toISOString()];
  const put = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(...values);
  await env.DB.batch([
    put("update blogs set topic_sources = ? where id = ?", JSON.stringify([worldSource()]), blogId),
    put(
      `insert into topics (id, organization_id, blog_id, title, summary, angle, url, source_kind, source_name, keywords,
         locale, item_title, mentions, score, status, version, creation_time, last_edit_time)
       values (?1, ?2, ?3, 'An idea', 'About it', '', 'https://example.com/' || ?1, 'feed', 'World', '["idea"]', 'en',
         'An idea', '[]', 2500.5, 'new', ?1, ?4, ?4)`,
      topicId,
      organizationId,
      blogId,
      time,
    ),
    put(
      `insert into topic_refreshes (id, organization_id, blog_id, state, creation_time, finish_time)
       values (?1, ?2, ?3, 'done', ?4, ?4)`,
      refreshId,
      organizationId,
      blogId,
      time,
    ),
  ]);
  return { topicId, refreshId };
}

/** Stores a dead letter, as the relay would. */
export async function newDeadLetter({ organizationId }: Tenant): Promise<string> {
  const [id, time] = [newId(), new Date().toISOString()];
  await env.DB.prepare(
    `insert into dead_letters (id, organization_id, event_id, subscription_id, kind, tries, creation_time, try_time, dead_time)
     values (?1, ?2, ?1, '', 'article.created', 10, ?3, ?3, ?3)`,
  )
    .bind(id, organizationId, time)
    .run();
  return id;
}

/** Stores an event of an earlier day that was delivered to a subscription, and returns its id. */
export async function newDelivery({ organizationId, blogId }: Tenant, subscriptionId: string): Promise<string> {
  const [id, time] = [newId(), "2026-01-01T00:00:00.000Z"];
  await env.DB.batch([
    env.DB.prepare(
      `insert into events (id, organization_id, blog_id, kind, data, creation_time, enqueue_time, fan_out_time)
       values (?1, ?2, ?3, 'article.updated', '{}', ?4, ?4, ?4)`,
    ).bind(id, organizationId, blogId, time),
    env.DB.prepare(
      `insert into deliveries (id, organization_id, event_id, subscription_id, epoch, state, creation_time, claim_time, settle_time)
       values (?1, ?2, ?1, ?3, 0, 'succeeded', ?4, ?4, ?4)`,
    ).bind(id, organizationId, subscriptionId, time),
  ]);
  return id;
}

/** Stores a former state of an article, 1, and a working copy, without an event. */
export async function newHistory(articleId: string): Promise<void> {
  const put = (text: string) => env.DB.prepare(text).bind(articleId);
  await env.DB.batch([
    put(`insert into revisions (article_id, number, organization_id, published, lasting, members, last_edit_time, end_time, content)
      select id, 1, organization_id, 0, 0, json_object('title', 'Former', 'description', '', 'slug', slug, 'locale', locale,
        'coverUrl', ''), creation_time, creation_time, 'Former' from articles where id = ?`),
    put("update articles set revision = 2 where id = ?"),
    put(`update organizations set revision_bytes = revision_bytes + r.bytes from (
        select organization_id, octet_length(members) + octet_length(content) as bytes from revisions where article_id = ?) as r
      where id = r.organization_id`),
  ]);
}

/** Stores a working copy of a published article, as the service would. */
export const newCopy = (articleId: string) =>
  env.DB.prepare(
    `insert into working_copies (article_id, organization_id, members, base_version, version, actor_kind, actor_id,
       creation_time, last_edit_time, content)
     select id, organization_id, '{"title":"Next"}', version, version, 'key', id, creation_time, creation_time, 'Next'
     from articles where id = ?`,
  )
    .bind(articleId)
    .run();

/** Stores a source of an article, which says something else now. */
export const newSource = (articleId: string) =>
  env.DB.prepare(
    `insert into article_sources (article_id, position, organization_id, url, title, is_cut, read_time, content)
     select id, 1, organization_id, ?2, 'World', 0, creation_time, 'Former' from articles where id = ?1`,
  )
    .bind(articleId, worldSource().url)
    .run();

/** Stores a schedule of a draft, as the service would. */
export const newSchedule = ({ _id, blogId }: ArticleBody) =>
  env.DB.prepare(
    `insert into schedules (article_id, organization_id, blog_id, publish_time, time_zone, due_time, actor_kind, actor_id,
       version, creation_time)
     select ?1, organization_id, ?2, ?3, 'UTC', ?3, 'key', ?1, ?4, ?3 from articles where id = ?1`,
  )
    .bind(_id, blogId, "2999-01-01T09:00:00.000Z", newId())
    .run();

/** Stores that a draft is to be deleted one day, as the service would. */
export const newDeletion = ({ _id }: Pick<ArticleBody, "_id">) =>
  env.DB.prepare(
    `insert into deletions (article_id, organization_id, article_version, due_time, actor_kind, actor_id, version, creation_time)
     select id, organization_id, version, ?2, 'key', id, ?3, ?2 from articles where id = ?1`,
  )
    .bind(_id, "2999-01-01T09:00:00.000Z", newId())
    .run();

/** Stores a deleted blog, and returns its id. */
export async function newDeletedBlog({ organizationId }: Tenant): Promise<string> {
  const id = newId();
  const time = new Date().toISOString();
  await env.DB.batch([
    env.DB.prepare(
      `insert into blogs (id, organization_id, name, vanity_id, cover_url, locales, version, creation_time, last_edit_time)
       values (?1, ?2, 'Deleted', 'deleted-' || ?1, '', '["en"]', ?1, ?3, ?3)`,
    ).bind(id, organizationId, time),
    env.DB.prepare(
      "insert into hidden_blogs (blog_id, reason, organization_id, time) values (?1, 'deleted', ?2, ?3)",
    ).bind(id, organizationId, time),
  ]);
  return id;
}

/** Stores a generation that has failed before its first answer, as the service would. Returns its id. */
export async function newGeneration({ organizationId, blogId }: Tenant): Promise<string> {
  const [id, time] = [newId(), new Date().toISOString()];
  const asked = { blogId, topic: "Walks", instructions: "", keywords: [], tone: "", words: 300, published: false };
  const brief = {
    ...asked,
    subject: { kind: "topic", topic: "Walks" },
    locale: "en",
    blog: { name: "World", articles: [] },
  };
  const order = { asked, brief: { ...brief, coverImage: false, inlineImages: false }, blogId };
  await env.DB.batch([
    env.DB.prepare(
      `insert into generations (id, organization_id, blog_id, actor_kind, actor_id, provider, model, state, code, creation_time, finish_time)
       values (?1, ?2, ?3, 'operator', ?1, 'test', 'test', 'failed', 'ai_unavailable', ?4, ?4)`,
    ).bind(id, organizationId, blogId, time),
    env.DB.prepare(
      "insert into generation_answers (generation_id, key, organization_id, value, creation_time) values (?, 'order', ?, ?, ?)",
    ).bind(id, organizationId, JSON.stringify(order), time),
  ]);
  return id;
}
