/** The commands for preview links and former slugs, against the service as `npm start` runs it. */
import { describe, expect, it } from "vitest";
import { errorIn } from "./program.ts";
import { useService } from "./service.ts";

const { edgepress, json, newBlog } = await useService();

describe("articles", () => {
  it("are shown to others by links, which can be listed and revoked", async () => {
    const blog = await newBlog();
    await json(["articles", "create", "--blog", blog, "--title", "For a colleague"]);
    const named = ["for-a-colleague", "--blog", blog];
    const link = await json<{ _id: string; url: string }>(["articles", "preview", "create", ...named]);
    const show = () => fetch(link.url, { headers: { Accept: "application/json" } });
    expect(await (await show()).json()).toMatchObject({ title: "For a colleague", published: false });
    const listed = await edgepress(["articles", "preview", "list", ...named]);
    expect(listed.stdout).toMatch(new RegExp(`^ID +EXPIRES.*\\n${link._id} `));
    expect(await json(["articles", "preview", "revoke", "for-a-colleague", link._id, "--blog", blog])).toEqual({
      _id: link._id,
    });
    expect((await show()).status).toBe(404);
  });

  it("have links whose address alone is the output, so that a script can take it", async () => {
    const blog = await newBlog();
    await json(["articles", "create", "--blog", blog, "--title", "For a script"]);
    const create = ["articles", "preview", "create", "for-a-script", "--blog", blog];
    const made = await edgepress(create);
    expect(made.stdout).toMatch(/^http\S+\n$/);
    expect(made.stderr).toMatch(/^It works until \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.\n$/);
    expect(await edgepress([...create, "-q"])).toMatchObject({ stdout: expect.stringMatching(/^http/), stderr: "" });
  });

  it("are found by a former slug with --follow; a blog's former slugs become redirects", async () => {
    const blog = await newBlog();
    const { _id } = await json(["articles", "create", "--blog", blog, "--title", "Old", "--published"]);
    await json(["articles", "update", "old", "--blog", blog, "--slug", "new"]);
    const refused = await edgepress(["articles", "get", "old", "--blog", blog, "--json"]);
    expect(errorIn(refused)).toMatchObject({ code: "not_found", message: expect.stringContaining("new") });
    expect(await json(["articles", "get", "old", "--blog", blog, "--follow"])).toMatchObject({ _id, slug: "new" });
    expect(await json(["blogs", "moved", "--blog", blog])).toMatchObject([{ slug: "old", to: { slug: "new" } }]);
    const redirects = ["blogs", "moved", "--blog", blog, "--format", "redirects"];
    expect((await edgepress(redirects)).stdout).toBe("/en/old /en/new 301\n");
    expect((await edgepress([...redirects, "--path", "/blog/{slug}.html"])).stdout).toBe(
      "/blog/old.html /blog/new.html 301\n",
    );
  });
});
