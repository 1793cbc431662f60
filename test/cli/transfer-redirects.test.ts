/** What imports make of old addresses, against the service as `npm start` runs it (docs/import-export.md). */
import path from "node:path";
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { resultIn } from "./program.ts";
import { useService } from "./service.ts";
import { wordpressFile, wordpressItem } from "./source-files.ts";
import { bytesIn } from "./transfer-program.ts";

const { program, local, edgepress, json, newBlog } = await useService();

type Result = {
  created: number;
  unchanged: number;
  redirects: object | null;
  notes: { name: string; reason: string }[];
};
type Redirect = { from: string; article: { slug: string } | null };

async function imported(from: string, blog: string, more: readonly string[] = [], env: Record<string, string> = {}) {
  const outcome = await edgepress(["import", from, "--blog", blog, "--json", ...more], { env });
  return { ...outcome, result: resultIn(outcome) as Result };
}

function folder(files: Readonly<Record<string, string>>): string {
  const at = program.folder();
  for (const [name, front] of Object.entries(files)) {
    writeFileSync(path.join(at, name), `---\ntitle: T\ndate: 2020-01-01\npublished: true\n${front}---\n\nText\n`);
  }
  return at;
}

const redirectsOf = async (blog: string) =>
  Object.fromEntries(
    (await json<Redirect[]>(["redirects", "list", "--blog", blog])).map(({ from, article }) => [from, article?.slug]),
  );

/** Where a path of a blog's site leads. */
async function leads(blog: string, at: string) {
  const { status, headers } = await fetch(`${local.baseUrl}/${blog}${at}`, { redirect: "manual" });
  return `${status} ${new URL(headers.get("Location") ?? "", `${local.baseUrl}/${blog}/`).pathname}`;
}

it("has the addresses of WordPress lead to the articles, again after a second run and from an export", async () => {
  const at = path.join(program.folder(), "wp.xml");
  const item = (id: string, name: string, link: string, more = "") =>
    wordpressItem({
      id,
      name,
      title: name,
      more: `<wp:post_date_gmt>2012-02-03 04:05:06</wp:post_date_gmt><link>https://old.example/blog${link}</link>${more}`,
    });
  const former = `<wp:postmeta><wp:meta_key>_wp_old_slug</wp:meta_key><wp:meta_value>former</wp:meta_value></wp:postmeta>`;
  const channel = "<title>Old</title><link>https://old.example/blog</link>";
  const items = [
    item("11", "boats", "/2012/02/03/boats.html", former),
    item("12", "%e6%97%a5", "/2012/02/04/%e6%97%a5/"),
  ];
  writeFileSync(at, wordpressFile([channel, ...items]));
  const blog = await newBlog();
  expect((await imported(at, blog)).result).toMatchObject({ created: 2, redirects: { created: 9, failed: 0 } });
  const again = await imported(at, blog);
  expect(again).toMatchObject({
    code: 0,
    result: { unchanged: 2, redirects: { created: 0, unchanged: 9, failed: 0 } },
  });
  const boats = [
    "/?p=11",
    "/2012/02/03/boats.html",
    "/2012/02/03/former.html",
    "/former",
    "/blog/2012/02/03/former.html",
  ];
  for (const old of boats) expect(await leads(blog, old), old).toBe(`301 /${blog}/en/boats`);
  expect(await leads(blog, "/2012/02/04/%E6%97%A5/")).toBe(`301 /${blog}/en/%E6%97%A5`);
  const moved = await edgepress(["articles", "get", "former", "--blog", blog, "--json"]);
  expect(moved.stderr).toContain("it is now boats");

  await json(["articles", "update", "boats", "--slug", "ships", "--blog", blog]);
  await json(["redirects", "add", "/100%25 %3F", "--article", await idOf(blog, "ships"), "--blog", blog]);
  await json(["redirects", "add", "/away", "https://example.com/", "--blog", blog]);
  const [first, second] = [program.folder(), program.folder()];
  expect(await json(["export", first, "--blog", blog])).toMatchObject({ otherRedirects: 1 });
  const copy = await newBlog();
  await imported(first, copy);
  const { "/away": _, ...kept } = await redirectsOf(blog);
  expect(await redirectsOf(copy)).toEqual({ ...kept, "/en/boats": "ships" });
  await json(["export", second, "--blog", copy]);
  expect(bytesIn(second)).toEqual(bytesIn(first));
});

const idOf = async (blog: string, slug: string): Promise<string> =>
  (await json<{ _id: string }>(["articles", "get", slug, "--blog", blog]))._id;

it("names each old address that is not kept, with its article", async () => {
  const blog = await newBlog();
  await json(["redirects", "add", "/taken", "https://example.com/", "--blog", blog]);
  const at = folder({
    "a.md": "redirect_from: [/shared, /taken/, /q.php?id=1, /a/, /en/a, 'https://any.example/100%/']\n",
    "b.md": "redirect_from: [/shared/, /archive]\n",
  });
  const reasons = [
    ["a.md", "/q.php?id=1 is not kept: must be a path"],
    ["b.md", '/shared/ is not kept: leads to the article "a" already'],
  ];
  const noted = (each: readonly string[][]) =>
    expect.arrayContaining(each.map(([name, reason]) => ({ name, reason: expect.stringContaining(reason ?? "") })));
  const dry = await imported(at, blog, ["--dry-run"]);
  expect(dry.result).toMatchObject({ redirects: { created: 4, failed: 2 }, notes: noted(reasons) });
  expect(await redirectsOf(blog)).toEqual({ "/taken": undefined });
  const done = await imported(at, blog);
  const more = [
    ["a.md", "/taken/ is not kept: "],
    ["b.md", "readers see something else at /archive"],
  ];
  expect(done.result).toMatchObject({ redirects: { created: 3, failed: 3 }, notes: noted([...reasons, ...more]) });
  expect(await redirectsOf(blog)).toEqual({ "/taken": undefined, "/shared": "a", "/100%": "a", "/archive": "b" });
});

it("imports the articles with a key that may not change blogs, and a later run adds the redirects", async () => {
  const blog = await newBlog();
  const at = folder({ "a.md": "redirect_from: [/one, /two]\n" });
  const response = await fetch(`${local.baseUrl}/api/apikeys`, {
    method: "POST",
    headers: { Authorization: `Token ${local.operatorToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Writer", scopes: ["articles:read", "articles:write"] }),
  });
  const { secret } = (await response.json()) as { secret: string };
  const redirects = { created: 0, unchanged: 0, failed: 2, problem: expect.stringContaining("blogs:write") };
  const env = { EDGEPRESS_API_KEY: secret };
  const dry = await imported(at, blog, ["--dry-run"], env);
  expect(dry).toMatchObject({ code: 0, result: { created: 1, redirects } });
  const told = await edgepress(["import", at, "--blog", blog], { env });
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("1 created") });
  expect(told.stderr.match(/2 old addresses not kept/g)).toHaveLength(1);
  expect((await imported(at, blog)).result).toMatchObject({ unchanged: 1, redirects: { created: 2, failed: 0 } });
});
