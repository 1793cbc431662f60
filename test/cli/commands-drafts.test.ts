/** The commands about working copies write the version that they have read: somebody else's is never overwritten. */
import { expect, it } from "vitest";
import { errorIn, resultIn, useProgram } from "./program.ts";
import { answering, json, refuse, type Asked } from "./scripted-server.ts";

const program = useProgram();

const ID = "01900000-0000-7000-8000-000000000001";
const article = { _id: ID, blogId: ID, title: "One", slug: "one", locale: "en", published: true };
const copy = { ...article, articleId: ID, changed: ["title"], articleChanged: false };

/** Answers with an article, and with a working copy if there is one; writes of another version than "copy-1" are refused. */
async function edgepress(hasCopy: boolean, ...args: readonly string[]) {
  const { url, asked } = await answering(({ method, path, headers }, response) => {
    if (method === "GET" && path === `/api/articles/${ID}`)
      return json(response, article, 200, { ETag: '"article-1"' });
    if (method === "GET" && !hasCopy) return refuse(response, 404, "not_found");
    if (method === "GET") return json(response, copy, 200, { ETag: '"copy-1"' });
    if (headers["if-match"] === '"copy-1"') return json(response, copy);
    return refuse(response, 412, "precondition_failed");
  });
  const env = { EDGEPRESS_URL: url, EDGEPRESS_API_KEY: "epk_of_the_test" };
  const outcome = await program.call(["articles", "draft", ...args, "--json"], { env });
  return { outcome, writes: asked.filter(({ method }: Asked) => method !== "GET") };
}

it.each([
  ["save", "PUT", ["save", ID, "--title", "Two"]],
  ["publish", "POST", ["publish", ID]],
  ["discard", "DELETE", ["discard", ID, "--yes"]],
])("%s names the version of the working copy", async (_, method, args) => {
  const { outcome, writes } = await edgepress(true, ...args);
  expect(resultIn(outcome)).toMatchObject({ articleId: ID });
  expect(writes.map((write) => [write.method, write.headers["if-match"]])).toEqual([[method, '"copy-1"']]);
});

it("the first save names the version of the article, and is a conflict if that has changed", async () => {
  const { outcome, writes } = await edgepress(false, "save", ID, "--title", "Two");
  expect(writes.map(({ headers }) => headers["if-match"])).toEqual(['"article-1"']);
  expect(errorIn(outcome)).toMatchObject({ code: "precondition_failed", exit: 6 });
});

it.each([
  ["publish", ["publish", ID]],
  ["discard", ["discard", ID, "--yes"]],
])("%s of an article without one writes nothing", async (_, args) => {
  const { outcome, writes } = await edgepress(false, ...args);
  expect(writes).toEqual([]);
  expect(errorIn(outcome)).toMatchObject({ code: "not_found", exit: 5 });
});

it("replace sends a passage, without reading the text, and no version but one that is given", async () => {
  const value = {
    _id: ID,
    published: true,
    workingCopy: true,
    contentLength: 3,
    edits: [{ offset: 0, passage: "the" }],
  };
  const { url, asked } = await answering(({ method }, response) => json(response, method === "GET" ? article : value));
  const env = { EDGEPRESS_URL: url, EDGEPRESS_API_KEY: "epk_of_the_test" };
  const replace = ["articles", "replace", ID, "--find", "teh", "--replace", "the"];
  const outcome = await program.call(replace, { env });
  expect([outcome.stdout, outcome.stderr]).toEqual([
    "the\n",
    expect.stringContaining("the working copy of “One” (one, en,") as string,
  ]);
  await program.call([...replace, "--offset", "0", "--if-match", '"copy-1"', "--json"], { env });
  const writes = asked.filter(({ method }: Asked) => method !== "GET");
  expect(writes.map(({ path, headers }) => [path, headers["if-match"]])).toEqual([
    [`/api/articles/${ID}/edits`, undefined],
    [`/api/articles/${ID}/edits`, '"copy-1"'],
  ]);
});
