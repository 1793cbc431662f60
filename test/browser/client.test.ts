/** `@edgepress/client` in a page of another site: what is published, by the browser's own rules. */
import path from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import type * as Edgepress from "../../packages/client/src/index.ts";
import { api, unique } from "./walk.ts";
import { describeInBrowser, service, useBrowser } from "./tab.ts";

declare const edgepress: typeof Edgepress;

/** Returns a new blog with so many published articles: other files publish in the demo's meanwhile. */
async function newBlogOf(articles: number): Promise<string> {
  const { apiKey: key } = service();
  const body = { name: unique("Client"), locales: ["en"] };
  const { _id: blogId } = (await (await api("/api/blogs", { key, body })).json()) as { _id: string };
  for (let n = 0; n < articles; n++) {
    expect((await api("/api/articles", { key, body: { blogId, title: `Article ${n}`, published: true } })).status).toBe(
      200,
    );
  }
  return blogId;
}

describeInBrowser("the client", () => {
  const browser = useBrowser();

  it("reads a blog from a page of another origin, and gets what has not changed as a 304", async () => {
    const { outputFiles } = await build({
      entryPoints: [path.resolve(import.meta.dirname, "../../packages/client/src/index.ts")],
      bundle: true,
      format: "iife",
      globalName: "edgepress",
      write: false,
    });
    const page = await browser.open({
      at: service().baseUrl.replace("127.0.0.1", "localhost"),
      elsewhere: service().baseUrl,
      mayFail: /no-such-article/,
    });
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("sort=publishTime")) statuses.push(response.status());
    });
    const blogId = await newBlogOf(3);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
    const read = await page.evaluate(
      async ([url, blogId]) => {
        const client = edgepress.createClient({ url });
        const list = () => client.articles.list({ blogId, sort: "publishTime", fields: ["title"] }).all(3);
        const [first, second] = [await list(), await list()];
        const code = await client.articles
          .get("no-such-article", { blogId })
          .catch((error: Edgepress.EdgepressError) => error.code);
        const { status } = await client.blogs.subscribe("field-notes", { email: "client-in-a-page@example.com" });
        return { first, second, code, status };
      },
      [service().baseUrl, blogId] as const,
    );
    expect(read.first).toHaveLength(3);
    expect(read.second).toEqual(read.first);
    expect(read.code).toBe("not_found");
    expect(read.status).toBe("pending");
    expect(statuses).toEqual([200, 304]);
  });
});
