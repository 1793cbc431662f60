/** Contract 21.5: what an article embeds, as a reader of the site gets it. */
import { expect, it } from "vitest";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`<iframe[^>]*? ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value);

/** Publishes a text in a new blog, and returns its page. */
async function read(content: string) {
  const tenant = await newTenant("Films");
  const vanityId = `films-${tenant.blogId.slice(-8)}`;
  const as = { apiKey: tenant.apiKey };
  await sendJson(200, `/api/blogs/${tenant.blogId}`, { as, method: "PUT", body: { vanityId } });
  await newArticle(tenant, { slug: "film", content });
  return { tenant, vanityId, response: await send(`/${vanityId}/en/film`) };
}

it("contract 21.5: a site opens what an article embeds in a frame, which only that page allows", async () => {
  const content = `https://youtu.be/dQw4w9WgXcQ?t=9\n\n[![A "b" & c](https://a.example/b.png)](https://vimeo.com/76979871)\n\nhttps://a.example/@ada/12345`;
  const { tenant, vanityId, response } = await read(content);
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("frame-src https://player.vimeo.com https://www.youtube-nocookie.com; ");
  const forms = `${ORIGIN}/${vanityId}/search ${ORIGIN}/blogs/${tenant.blogId}/subscribe`;
  expect(policy).toContain(`form-action ${forms}; `);
  expect(policy).toMatch(/sandbox .* allow-scripts allow-same-origin/);
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/script-src|media-src|unsafe/);
  const text = await response.text();
  expect(valuesOf(text, "src")).toEqual([
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=9",
    "https://player.vimeo.com/video/76979871?dnt=1",
  ]);
  expect(valuesOf(text, "title")).toEqual(["YouTube", "A &quot;b&quot; &amp; c"]);
  expect(text).toContain(
    '<summary><img src="https://a.example/b.png" alt="" loading="lazy" decoding="async"><b>A "b" &amp; c</b></summary>',
  );
  expect(text).toContain(
    '<a href="https://a.example/@ada/12345"><b>Mastodon</b><small>a.example/@ada/12345</small></a>',
  );
  const feed = await (await send(`/blogs/${tenant.blogId}/feed.json`)).text();
  expect(feed).toContain('A \\"b\\" &amp; c');
  expect(feed).not.toContain("iframe");
});

it("contract 21.5: only a page with a sound or a film may load one", async () => {
  const { response } = await read("https://a.example/b.mp3");
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("; media-src 'self' https:; ");
  expect(policy).not.toMatch(/frame-src|allow-scripts/);
});
