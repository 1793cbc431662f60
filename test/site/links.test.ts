/** Contract 21.1: where links of articles to paths lead on a site, and a slug alone. */
import { beforeAll, describe, expect, it } from "vitest";
import { ORIGIN, send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant, type ArticleBody, type Tenant } from "../helpers/tenant.ts";

let tenant: Tenant;
let vanityId: string;

const read = async (path: string): Promise<string> => (await send(`/${vanityId}${path}`)).text();

beforeAll(async () => {
  tenant = await newTenant("Walks & maps");
  ({ vanityId } = await sendJson<{ vanityId: string }>(200, `/api/blogs/${tenant.blogId}`, {
    as: { apiKey: tenant.apiKey },
    method: "PUT",
    body: { locales: ["en", "de"], vanityId: `linked-${tenant.blogId.slice(-8)}` },
  }));
  const write = (fields: object) => newArticle(tenant, { title: "Written", ...fields } as Partial<ArticleBody>);
  for (const locale of ["en", "de"]) await write({ slug: "ferry", locale });
  await write({ slug: "harbour" });
  await write({ slug: "draft", published: false });
  const content =
    '[own](/ferry#two) [only English](/harbour) [page](/tags/boats) [asked](/search?q=a&x) [host](//a.example/b) `<a href="/ferry">`';
  for (const locale of ["en", "de"]) await write({ slug: "linking", locale, content });
});

describe("a link to a path", () => {
  it("is one of the blog's site, and a slug leads to its article, in the reader's language if there is one", async () => {
    const at = `/${vanityId}`;
    const text = await read("/de/linking");
    const links = [...(text.split('class="prose"')[1] ?? "").matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);
    expect(links.slice(0, 5)).toEqual([
      `${at}/ferry?locale=de#two`,
      `${at}/harbour?locale=de`,
      `${at}/tags/boats`,
      `${at}/search?q=a&amp;x`,
      "//a.example/b",
    ]);
    expect(text).toContain('&lt;a href="/ferry"');
    const feed = await sendJson<{ items: { url: string; content_html: string }[] }>(
      200,
      `/blogs/${vanityId}/feed.json?locale=de`,
    );
    const entry = feed.items.find(({ url }) => url.endsWith("/de/linking"));
    expect(entry?.content_html).toContain(`<a href="${ORIGIN}${at}/ferry?locale=de#two">own</a>`);
    const led = async (path: string) => {
      const { status, headers } = await send(`${at}${path}`);
      return `${status} ${headers.get("Location")}`;
    };
    expect(await led("/ferry?locale=de")).toBe(`301 ${at}/de/ferry`);
    expect(await led("/ferry")).toBe(`301 ${at}/en/ferry`);
    expect(await led("/harbour?locale=de")).toBe(`301 ${at}/en/harbour`);
    expect(await led("/draft")).toBe("404 null");
    expect(await led("/no-such-article")).toBe("404 null");
  });

  it("is whole in feeds, which have no address of their own, also for a site elsewhere", async () => {
    const content =
      "[one](ferry?a&b) [up](../tags/boats) [root](/harbour) [here](#two) [q](?a) [mail](mailto:a@b.example)";
    const { _id } = await newArticle(tenant, { title: "Relative", slug: "relative", content } as Partial<ArticleBody>);
    const links = async () => {
      const feed = await sendJson<{ items: { id: string; content_html: string }[] }>(
        200,
        `/blogs/${vanityId}/feed.json`,
      );
      const html = feed.items.find(({ id }) => id === `urn:uuid:${_id}`)?.content_html ?? "";
      return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    };
    const own = `${ORIGIN}/${vanityId}`;
    const rest = ["#two", "?a", "mailto:a@b.example"];
    const ofOwn = [`${own}/en/ferry?a&amp;b`, `${own}/en/../tags/boats`, `${own}/harbour?locale=en`, ...rest];
    expect(await links()).toEqual(ofOwn);
    const put = (body: object) =>
      sendJson(200, `/api/blogs/${tenant.blogId}/site`, { as: { apiKey: tenant.apiKey }, method: "PUT", body });
    // Also where the blog names that address itself.
    await put({ siteUrl: own });
    expect(await links()).toEqual(ofOwn);
    const body = { siteUrl: "https://notes.example.com/blog", articlePath: "/posts/{slug}" };
    await put(body);
    expect(await links()).toEqual([
      "https://notes.example.com/blog/posts/ferry?a&amp;b",
      "https://notes.example.com/blog/posts/../tags/boats",
      "https://notes.example.com/harbour",
      ...rest,
    ]);
  });
});
