/** Commands that need all blogs follow the pages of their list. */
import { expect, it } from "vitest";
import { errorIn, resultIn, useProgram } from "./program.ts";
import { answering, json } from "./scripted-server.ts";

const program = useProgram();

const blogs = Array.from({ length: 250 }, (_, n) => ({
  _id: `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`,
  name: `Blog ${n}`,
  vanityId: `blog-${n}`,
  locales: ["en"],
}));

const caller = { _id: "key", kind: "key", name: "Key", organization: { _id: "o", name: "O" }, scopes: ["blogs:read"] };

/** A service that shows 100 blogs on a page; the cursor is the number of the first one. */
const service = () =>
  answering(({ path, query }, response) => {
    if (path === "/api/me") return json(response, caller);
    const from = Number(query.get("cursor") ?? 0);
    const next = `</api/blogs?cursor=${from + 100}>; rel="next"`;
    return json(response, blogs.slice(from, from + 100), 200, from + 100 < blogs.length ? { Link: next } : {});
  });

async function edgepress(...args: readonly string[]) {
  const { url } = await service();
  return program.call([...args, "--json"], { env: { EDGEPRESS_URL: url, EDGEPRESS_API_KEY: "epk_of_the_test" } });
}

it("blogs list", async () => {
  expect(resultIn(await edgepress("blogs", "list"))).toEqual(blogs);
});

it("whoami", async () => {
  expect(resultIn(await edgepress("whoami"))).toMatchObject({ blogs: blogs.map(({ _id }) => ({ _id })) });
});

it("a command that has to be told which blog", async () => {
  expect(errorIn(await edgepress("articles", "list"))).toMatchObject({
    message: "There are 250 blogs. Choose one with --blog.",
  });
});
