/** The commands for preview links and former slugs, against the service as `npm start` runs it. */
import { describe, expect, it } from "vitest";
import { sharedRun } from "../e2e/shared.ts";
import { errorIn, resultIn, useProgram, type Outcome } from "./program.ts";

type Article = { _id: string; slug: string };

const program = useProgram();
const { local } = await sharedRun();

const env = { EDGEPRESS_URL: local.baseUrl, EDGEPRESS_API_KEY: local.apiKey };
const edgepress = (args: string[]): Promise<Outcome> => program.run(args, { env });

/** Runs a command that has to succeed; what it answers with. */
async function json<T = Article>(args: string[]): Promise<T> {
  const outcome = await edgepress([...args, "--json"]);
  expect(outcome, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
  return resultIn(outcome) as T;
}

let made = 0;
/** A blog of the test's own. */
async function newBlog(): Promise<string> {
  const { vanityId } = await json<{ vanityId: string }>(["blogs", "create", `Links ${made++} of the client`]);
  return vanityId;
}

describe("articles", () => {
  it("are shown to others by links, which can be listed and revoked", async () => {
    const blog = await newBlog();
    await json(["articles", "create", "--blog", blog, "--title", "For a colleague"]);
    const named = ["for-a-colleague", "--blog", blog];
    const link = await json<{ _id: string; url: string }>(["articles", "preview", "create", ...named]);
    const show = () => fetch(link.url, { headers: { Accept: "application/json" } });
    expect(await (await show()).json()).toMatchObject({ title: "For a colleague", published: false });
    const listed = await edgepress(["articles", "preview", "list", ...named]);
    expect(listed.stdout).toMatch(new RegExp(`^ID +ENDS.*\\n${link._id} `));
    expect(await json(["articles", "preview", "revoke", "for-a-colleague", link._id, "--blog", blog])).toEqual({
      _id: link._id,
    });
    expect((await show()).status).toBe(404);
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
