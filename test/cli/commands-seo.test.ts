/** The options of articles for search engines, against the service as `npm start` runs it. */
import { expect, it } from "vitest";
import { useService } from "./service.ts";

const { json, newBlog } = await useService();

type Shown = { _id: string; seo: object };

it("what search engines are told is set by options, and what is left out stays", async () => {
  const blog = await newBlog();
  const create = ["articles", "create", "--blog", blog, "--title", "One", "--seo-title", "For machines", "--noindex"];
  const { _id } = await json<Shown>(create);
  const shown = async () => (await json<Shown>(["articles", "get", _id])).seo;
  const empty = { description: "", canonicalUrl: "", image: "" };
  expect(await shown()).toEqual({ ...empty, title: "For machines", noindex: true });
  await json(["articles", "update", _id, "--canonical-url", "https://example.com/one", "--no-noindex"]);
  const updated = { ...empty, title: "For machines", canonicalUrl: "https://example.com/one", noindex: false };
  expect(await shown()).toEqual(updated);
  await json(["articles", "publish", _id]);
  await json(["articles", "draft", "save", _id, "--seo-description", "In short"]);
  await json(["articles", "draft", "save", _id, "--seo-title", ""]);
  expect(await shown()).toEqual(updated);
  await json(["articles", "draft", "publish", _id]);
  expect(await shown()).toEqual({ ...updated, title: "", description: "In short" });
});
