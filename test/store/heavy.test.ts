/** Large bodies: they are stored and shown whole, and cannot exhaust a Worker. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { seedArticles } from "../helpers/counting.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody } from "../helpers/tenant.ts";

const MIB = 1024 * 1024;

describe("large articles", () => {
  it("a page ends early where it would hold more than 8 MiB of content; all of them can be walked", async () => {
    const tenant = await newTenant();
    const content = "x".repeat(MIB);
    await seedArticles(tenant, 10);
    await env.DB.prepare(
      "update articles set published = 1, public_time = creation_time, content = ? where blog_id = ?",
    )
      .bind(content, tenant.blogId)
      .run();
    const slugs = Array.from({ length: 10 }, (_, n) => `article-${9 - n}`);
    const seen: string[] = [];
    let path: string | undefined = `/api/articles?blogId=${tenant.blogId}`;
    while (path !== undefined) {
      const response = await send(path);
      const page = await response.json<ArticleBody[]>();
      expect(page.length).toBeLessThanOrEqual(8);
      expect(page.length).toBeGreaterThan(0);
      for (const article of page) expect(article.content).toBe(content);
      seen.push(...page.map(({ slug }) => slug));
      path = /<([^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
    }
    expect(seen).toEqual(slugs);
    const titles = await sendJson<unknown[]>(200, `/api/articles?blogId=${tenant.blogId}&fields=slug`);
    expect(titles).toHaveLength(10);
  });

  it("light and heavy articles stand in one page in their order, each with its own content", async () => {
    const tenant = await newTenant();
    for (const [slug, size] of [
      ["a", 10],
      ["b", 300_000],
      ["c", 0],
      ["d", 90_000],
    ] as const) {
      await newArticle(tenant, { slug, content: slug.repeat(size) });
    }
    for (const as of [{}, { apiKey: tenant.apiKey }]) {
      const page = await sendJson<ArticleBody[]>(200, `/api/articles?blogId=${tenant.blogId}`, { as });
      expect(page.map(({ slug, content }) => [slug, content.length, new Set(content).size])).toEqual([
        ["d", 90_000, 1],
        ["c", 0, 0],
        ["b", 300_000, 1],
        ["a", 10, 1],
      ]);
    }
  });

  it("a body that grows sixfold when escaped is stored and replayed under an Idempotency-Key", async () => {
    const tenant = await newTenant();
    // Two bytes each in the request, six in JSON as SQLite writes it.
    const content = '\u0001\u001f"\\\n'.repeat(60_000);
    const body = { blogId: tenant.blogId, title: "Escapes", content };
    const asked = { as: { apiKey: tenant.apiKey }, body, headers: { "Idempotency-Key": "escapes" } };
    const first = await send("/api/articles", asked);
    const again = await send("/api/articles", asked);
    expect(first.status).toBe(200);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const text = await first.text();
    expect(await again.text()).toBe(text);
    expect(JSON.parse(text).content).toBe(content);
  });
});
