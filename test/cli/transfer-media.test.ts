/** `import --media`: the pictures of exports, against the service as `npm start` runs it (docs/import-export.md). */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resultIn } from "./program.ts";
import { useService, type Article } from "./service.ts";

const { program, edgepress, json, newBlog } = await useService();

const PICTURES = path.resolve(import.meta.dirname, "../fixtures/pictures");
/** What was asked of the old site. */
const asked: string[] = [];
const site = createServer(({ url = "" }, response) => {
  asked.push(url);
  const name = url.split("/").at(-1)?.split("?")[0] ?? "";
  if (name === "moved.jpg") return void response.writeHead(302, { Location: "http://10.0.0.1/a.jpg" }).end();
  if (name === "page.png") return void response.end("<!doctype html>");
  try {
    response.end(readFileSync(path.join(PICTURES, name)));
  } catch {
    response.writeHead(404).end();
  }
});
let at = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  at = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => {
  site.close();
  site.closeAllConnections();
});

type Outcome = {
  created: number;
  updated: number;
  unchanged: number;
  media: { brought: number; known: number; failed: { address: string; reason: string }[] } | null;
};

async function imported(file: string, blog: string, state: string, ...more: string[]) {
  const options = { env: { XDG_STATE_HOME: state } };
  const outcome = await edgepress(["import", file, "--blog", blog, "--json", ...more], options);
  return { ...outcome, result: resultIn(outcome) as Outcome };
}

const articleOf = (blog: string, slug: string): Promise<Article & { coverUrl: string }> =>
  json(["articles", "get", slug, "--blog", blog]);

/** An export of Ghost with these posts. */
function ghost(posts: readonly object[]): string {
  const file = path.join(program.folder(), "ghost.json");
  const whole = posts.map((post, index) => ({ id: `p${index}`, status: "published", ...post }));
  writeFileSync(file, JSON.stringify({ db: [{ meta: { version: "5.0.0" }, data: { posts: whole } }] }));
  return file;
}

const OURS = /\/media\/[\da-f-]{36}/;

it("brings each picture once, gives articles their new addresses, and says what it could not bring", async () => {
  asked.length = 0;
  const [blog, state] = [await newBlog(), program.folder()];
  const file = ghost([
    {
      title: "One",
      slug: "one",
      html: `<p>A <a href="/x">link</a></p><figure><img src="__GHOST_URL__/content/plain.webp?a=1&amp;b=2" alt="A &quot;quoted&quot; pot"></figure><p><a href="${at}/with-location.jpg"><img src="${at}/with-location.jpg" alt="Large"></a></p>`,
      feature_image: "__GHOST_URL__/content/with-location.png",
    },
    {
      title: "Two",
      slug: "two",
      html: `<img src="${at}/with-location.jpg"><img src="${at}/none.jpg"><img src="${at}/page.png"><img src="${at}/moved.jpg"><img src="data:image/gif;base64,R0lGOD"><p>${at}/plain.gif</p>`,
    },
  ]);
  const more = ["--media", "--site-url", at];
  const dry = await imported(file, blog, state, ...more, "--dry-run");
  expect(dry.result).toMatchObject({ created: 2, media: { known: 0 } });
  expect(asked).toEqual([]);

  const first = await imported(file, blog, state, ...more);
  expect(first).toMatchObject({ code: 0, result: { created: 2, media: { brought: 3, known: 0 } } });
  const reasons = Object.fromEntries((first.result.media?.failed ?? []).map((each) => [each.address, each.reason]));
  expect(reasons).toEqual({
    [`${at}/none.jpg`]: "The server answered with 404.",
    [`${at}/page.png`]: expect.stringContaining("none of the supported formats"),
    [`${at}/moved.jpg`]: expect.stringContaining("not allowed"),
    "data:image/gif;base64,R0lGOD": expect.stringContaining("in the text itself"),
  });

  const [one, two] = [await articleOf(blog, "one"), await articleOf(blog, "two")];
  expect(one.content).toMatch(/!\[A "quoted" pot\]\(http[^)]+\/media\/[\da-f-]{36}#\d+x\d+\)/);
  expect(one.content).toMatch(/\[!\[Large\]\(\S+\/media\/\S+\)\]\(\S+\/media\/\S+\)/);
  expect(one.coverUrl).toMatch(new RegExp(`${OURS.source}$`));
  expect(two.content).toContain(`${at}/none.jpg`);
  expect(two.content).toContain("/plain.gif");
  expect(two.content).toMatch(OURS);
  expect(asked.filter((url) => url.includes("with-location.jpg"))).toHaveLength(1);

  asked.length = 0;
  const second = await imported(file, blog, state, ...more);
  expect(second.result).toMatchObject({ created: 0, updated: 0, unchanged: 2, media: { brought: 0, known: 3 } });
  expect(asked.filter((url) => !/none|page|moved/.test(url))).toEqual([]);
  const read = await edgepress(["import", file, "--blog", blog, ...more], { env: { XDG_STATE_HOME: state } });
  expect(read.stderr).toContain(`pictures that stay where they are (The server answered with 404.): ${at}/none.jpg`);
  expect(read.stdout).toContain("Pictures: 0 brought along, 3 here already, 4 left where they are.");
  // An import that is not told to bring pictures does not take back those that it has brought.
  const third = await imported(file, blog, state, "--site-url", at);
  expect(third.result).toMatchObject({ updated: 0, unchanged: 2, media: null });
});

it("stores no picture twice where the journal of the first import is lost", async () => {
  const [blog, other] = [await newBlog(), await newBlog()];
  const file = ghost([{ title: "A", slug: "a", html: `<img src="${at}/plain.gif" alt="Plain">` }]);
  await imported(file, blog, program.folder(), "--media");
  await imported(file, other, program.folder(), "--media");
  const [first, second] = [await articleOf(blog, "a"), await articleOf(other, "a")];
  expect(first.content).toMatch(OURS);
  expect(OURS.exec(second.content)).toEqual(OURS.exec(first.content));
});

it("brings the attachments that posts of WordPress show, and their covers", async () => {
  const [blog, state] = [await newBlog(), program.folder()];
  const file = path.join(program.folder(), "wordpress.xml");
  const post = (id: number, type: string, more: string) =>
    `<item><title>T${id}</title><wp:post_id>${id}</wp:post_id><wp:post_type>${type}</wp:post_type><wp:status>${type === "post" ? "publish" : "inherit"}</wp:status><wp:post_name>t${id}</wp:post_name>${more}</item>`;
  writeFileSync(
    file,
    `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"><channel><wp:wxr_version>1.2</wp:wxr_version>${post(1, "attachment", `<wp:attachment_url>${at}/on-its-side.jpg</wp:attachment_url>`)}${post(2, "post", `<content:encoded><![CDATA[<img src="${at}/plain.webp" alt="A cup"/>]]></content:encoded><wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>1</wp:meta_value></wp:postmeta>`)}</channel></rss>`,
  );
  const outcome = await imported(file, blog, state, "--media");
  expect(outcome).toMatchObject({ code: 0, result: { created: 1, media: { brought: 2, failed: [] } } });
  const t2 = await articleOf(blog, "t2");
  expect([t2.content, t2.coverUrl]).toEqual([expect.stringMatching(OURS), expect.stringMatching(OURS)]);
});

it("uploads the pictures of a folder once, also after an interruption, and names those that it cannot", async () => {
  const [blog, state] = [await newBlog(), program.folder()];
  const picture = (name: string) => readFileSync(path.join(PICTURES, name));
  const folder = program.folder();
  const texts = {
    "a/index.md":
      '---\ntitle: A\ncover: {image: c.png, alt: "A cover"}\n---\n![A pot](p.webp) ![same](/img/same.webp) ![](s.svg)',
    "a/p.webp": picture("plain.webp"),
    "a/c.png": picture("with-location.png"),
    "a/s.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "static/img/same.webp": picture("plain.webp"),
    "b.md": "---\ntitle: B\n---\n![again](a/p.webp) [large](a/p.webp)",
  };
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const notes = (outcome: { result: Outcome }) =>
    (outcome.result as Outcome & { notes: { reason: string }[] }).notes.map(({ reason }) => reason);
  const dry = await imported(folder, blog, state, "--media", "--dry-run");
  expect(dry.result.media).toMatchObject({ failed: [{ address: "a/s.svg" }] });
  expect(notes(dry)).toEqual(["pictures that stay where they are (it is no PNG, JPEG, GIF, WebP or AVIF): a/s.svg"]);

  const first = await imported(folder, blog, state, "--media");
  expect(first).toMatchObject({ code: 0, result: { created: 2, media: { brought: 2 } } });
  expect(notes(first)).toEqual([expect.stringMatching(/^pictures that stay where they are \(An SVG .*\): a\/s\.svg$/)]);
  const [a, b] = [await articleOf(blog, "a"), await articleOf(blog, "b")];
  expect(a.coverUrl).toMatch(OURS);
  const [one, two] = [...a.content.matchAll(new RegExp(OURS, "g"))].map(String);
  expect(one).toBe(two);
  expect(a.content).toContain("![](s.svg)");
  expect(b.content.match(new RegExp(OURS, "g"))?.map(String)).toEqual([one, one]);

  const second = await imported(folder, blog, state, "--media");
  expect(second.result).toMatchObject({ unchanged: 2, updated: 0, media: { brought: 0 } });
  const without = await imported(folder, blog, state);
  expect(without.result).toMatchObject({ unchanged: 2, updated: 0, media: null });
});
