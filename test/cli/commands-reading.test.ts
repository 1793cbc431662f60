/** What the client reads beside an article of one blog: the articles of all blogs, a former state, and generations. */
import { describe, expect, it } from "vitest";
import { useService, type Article } from "./service.ts";

const { edgepress, json, refused, newBlog } = await useService();

describe("the articles of all blogs", () => {
  it("are listed together, newest first, with the filters that make sense for all", async () => {
    const [one, two] = [await newBlog(), await newBlog()];
    const first = await json(["articles", "create", "--title", "Of all, first", "--blog", one]);
    const second = await json(["articles", "create", "--title", "Of all, second", "--blog", two, "--published"]);
    const listed = async (...more: string[]) =>
      (await json<Article[]>(["articles", "list", "--all-blogs", "--all", ...more]))
        .map(({ _id }) => _id)
        .filter((id) => [first._id, second._id].includes(id));
    expect(await listed()).toEqual([second._id, first._id]);
    expect(await listed("--drafts")).toEqual([first._id]);
    expect(await listed("--sort", "publishTime")).toEqual([second._id]);
  });

  it("are not also those of a blog, a slug, a tag or an author", async () => {
    for (const [option, value] of [
      ["--blog", "x"],
      ["--slug", "x"],
      ["--tag", "x"],
      ["--author", "x"],
    ] as const) {
      expect(await refused(["articles", "list", "--all-blogs", option, value])).toMatchObject({ code: "usage" });
    }
  });
});

describe("a former state", () => {
  it("is shown by its number, and its content comes as it was", async () => {
    const blog = await newBlog();
    const { _id } = await json(["articles", "create", "--title", "One", "--content", "-", "--blog", blog], {
      input: "first\n\n",
    });
    await json(["articles", "update", _id, "--title", "Two", "--content", "-"], { input: "second\n" });
    expect(await json(["articles", "get", _id, "--revision", "1"])).toMatchObject({ number: 1, title: "One" });
    expect((await edgepress(["articles", "get", _id, "--revision", "1", "--content"])).stdout).toBe("first\n\n");
    expect((await edgepress(["articles", "get", _id, "--revision", "1"])).stdout).toMatch(/version +1\n/);
    expect(await refused(["articles", "get", _id, "--revision", "9"])).toMatchObject({ code: "not_found", exit: 5 });
    expect(await refused(["articles", "get", _id, "--revision", "x"])).toMatchObject({ code: "usage" });
  });
});

it.each(["running", "stored", "answered", "failed"])("lists generations that are %s", async (state) => {
  const found = await json<{ state: string }[]>(["generations", "--state", state]);
  expect(found.filter((generation) => generation.state !== state)).toEqual([]);
});
