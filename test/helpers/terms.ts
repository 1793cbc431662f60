/** Writes and reads of articles with tags and authors, and what their triggers must keep. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { sendJson } from "./requests.ts";
import type { ArticleBody, Tenant } from "./tenant.ts";

export type Term = { _id: string; slug: string; name: string; articles: number; publishedArticles: number };
type Shown = Partial<ArticleBody> & {
  tags?: { _id: string; slug: string; name: string }[];
  authors?: { _id: string; slug: string; name: string }[];
};

/** Returns functions that write and read in the blog of a tenant. */
export function termsOf(tenant: () => Tenant) {
  const as = () => ({ apiKey: tenant().apiKey });
  const save = (body: object) =>
    sendJson<ArticleBody>(200, "/api/articles", { as: as(), body: { blogId: tenant().blogId, ...body } });
  const update = (_id: string, body: object) =>
    sendJson<ArticleBody>(200, "/api/articles", { as: as(), body: { _id, ...body } });
  const shown = (id: string, anonymous = false) =>
    sendJson<Shown>(200, `/api/articles/${id}?fields=tags,authors,slug,locale`, anonymous ? {} : { as: as() });
  const slugsOf = async (id: string) => (await shown(id)).tags?.map(({ slug }) => slug);
  const tags = (query = "") => sendJson<Term[]>(200, `/api/tags?blogId=${tenant().blogId}${query}`, { as: as() });
  const tagNamed = async (slug: string): Promise<Term> => {
    const [found] = await tags(`&slug=${slug}`);
    if (found === undefined) throw new Error(`no tag ${slug}`);
    return found;
  };
  const idsOf = async (query: string, anonymous = true) =>
    (
      await sendJson<ArticleBody[]>(
        200,
        `/api/articles?blogId=${tenant().blogId}&fields=_id&${query}`,
        anonymous ? {} : { as: as() },
      )
    ).map(({ _id }) => _id);
  return { save, update, shown, slugsOf, tags, tagNamed, idsOf };
}

/** Checks what triggers derive against the tables from which they derive it. */
export async function consistent(): Promise<void> {
  const { results: wrong } = await env.DB.prepare(
    `with right as (select st.term_id, a.creation_time, a.id as article_id, a.published, a.locale, a.publish_time
       from slug_terms st join articles a on a.blog_id = st.blog_id and a.slug = st.slug)
     select * from (select * from right except select term_id, creation_time, article_id, published, locale, publish_time from term_articles)
     union all select * from (select term_id, creation_time, article_id, published, locale, publish_time from term_articles except select * from right)`,
  ).all();
  expect(wrong).toEqual([]);
  const { results: miscounted } = await env.DB.prepare(
    `select id from terms t where articles <> (select count(*) from term_articles where term_id = t.id)
       or published_articles <> (select count(*) from term_articles where term_id = t.id and published = 1)`,
  ).all();
  expect(miscounted).toEqual([]);
  const { results: orphans } = await env.DB.prepare(
    `select * from slug_terms st where not exists (select 1 from articles a where a.blog_id = st.blog_id and a.slug = st.slug)
       or not exists (select 1 from terms t where t.id = st.term_id)`,
  ).all();
  expect(orphans).toEqual([]);
}
