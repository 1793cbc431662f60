/** The console's page of a blog's former slugs. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { pathOf, save, writing } from "../helpers/console-articles.ts";
import { newArticle } from "../helpers/tenant.ts";

test("former slugs are listed with what they lead to, and where that is", async () => {
  const { tenant, browser } = await writing();
  const path = `/console/blogs/${tenant.blogId}/moved`;
  expect((await browser.get(`/console/blogs/${tenant.blogId}`)).text).toContain(`href="${path}"`);
  expect((await browser.get(path)).text).toContain("No previous slugs yet");
  const moved = await newArticle(tenant, { slug: "slow-mornings" });
  await save(tenant, { _id: moved._id, slug: "slow-mornings-in-porto", title: "Now <here>" });
  const hidden = await newArticle(tenant, { slug: "a-plan" });
  await save(tenant, { _id: hidden._id, slug: "a-better-plan" });
  await save(tenant, { _id: hidden._id, published: false });
  const { text, status } = await browser.get(path);
  expect(status).toBe(200);
  expect(text).toContain(`<a href="${pathOf(moved)}">slow-mornings-in-porto</a>`);
  expect(text).toMatch(/a-plan[\s\S]*a-better-plan[\s\S]*>Draft<[\s\S]*slow-mornings/);
  expect(text).toContain("<time datetime=");
  expect(text).not.toContain("No previous slugs yet");
});

test("they have pages, each slug once", async () => {
  const { tenant, browser } = await writing();
  const { _id } = await newArticle(tenant, { slug: "slug-000" });
  await save(tenant, { _id, slug: "last-one" });
  await env.DB.prepare(
    `insert into moved_slugs (organization_id, blog_id, slug, locale, article_id, live, move_time, number)
     select m.organization_id, m.blog_id, printf('slug-%03d', value), m.locale, m.article_id, m.live, m.move_time, m.number + value
     from moved_slugs m, json_each(?2) where m.article_id = ?1`,
  )
    .bind(_id, JSON.stringify(Array.from({ length: 49 }, (_, n) => n + 1)))
    .run();
  const first = `/console/blogs/${tenant.blogId}/moved`;
  const shown = (text: string) => [...text.matchAll(/>(slug-\d{3})</g)].map(([, slug]) => slug);
  const { text } = await browser.get(first);
  expect(shown(text)).toHaveLength(50);
  expect(text).not.toContain('rel="next"');
  const { _id: other } = await newArticle(tenant, { slug: "slug-900" });
  await save(tenant, { _id: other, slug: "very-last" });
  const [, next = ""] = /rel="next" href="([^"]+)"/.exec((await browser.get(first)).text) ?? [];
  const second = await browser.get(next.replaceAll("&amp;", "&"));
  expect(shown(second.text)).toEqual(["slug-900"]);
  expect((await browser.get(`${first}?cursor=nonsense`)).status).toBe(400);
});
