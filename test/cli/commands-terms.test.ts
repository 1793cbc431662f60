/** The commands `tags` and `authors`, against the service as `npm start` runs it. */
import { describe, expect, it } from "vitest";
import { useService } from "./service.ts";

const { json, refused, newBlog } = await useService();

type Tag = { slug: string; name: string; names: Record<string, string> };

describe("a question about a tag", () => {
  it("counts its articles in words that fit", async () => {
    const blog = await newBlog();
    await json(["articles", "create", "--blog", blog, "--title", "One", "--tags", "winter,snow"]);
    const asked = async (...args: string[]) => (await refused(["tags", ...args, "--blog", blog]))["message"];
    expect(await asked("delete", "winter")).toContain("which 1 article has?");
    expect(await asked("merge", "snow", "winter")).toContain("which 1 article has, into");
    await json(["articles", "create", "--blog", blog, "--title", "Two", "--tags", "winter"]);
    expect(await asked("delete", "winter")).toContain("which 2 articles have?");
  });
});

describe("the articles of a tag or author", () => {
  it("are listed by its slug or name", async () => {
    const blog = await newBlog();
    const named = ["--tags", "Cold & Dark", "--authors", "Ada Lovelace"];
    await json(["articles", "create", "--title", "January", "--blog", blog, ...named]);
    for (const filter of [
      ["--tag", "Cold & Dark"],
      ["--tag", "cold-and-dark"],
      ["--author", "Ada Lovelace"],
    ]) {
      expect(await json(["articles", "list", "--blog", blog, ...filter]), filter.join()).toHaveLength(1);
    }
    expect(await json(["articles", "list", "--blog", blog, "--tag", "Warm"])).toEqual([]);
  });
});

describe("the names of a tag", () => {
  it("in other languages are added, changed and removed one by one", async () => {
    const blog = await newBlog();
    await json(["tags", "create", "Harbours", "--blog", blog, "--in", "de=Häfen"]);
    const update = (...more: string[]) => json<Tag>(["tags", "update", "harbours", "--blog", blog, ...more]);
    expect((await update("--in", "fr=Ports")).names).toEqual({ de: "Häfen", fr: "Ports" });
    expect((await update("--name", "Ports")).names).toEqual({ de: "Häfen", fr: "Ports" });
    expect((await update("--in", "de=", "--in", "fr=Les ports")).names).toEqual({ fr: "Les ports" });
    expect((await update("--in", "ja=")).names).toEqual({ fr: "Les ports" });
    const wrong = ["tags", "update", "harbours", "--blog", blog, "--in", "Häfen"];
    expect(await refused(wrong)).toMatchObject({ code: "usage", exit: 2 });
  });
});
