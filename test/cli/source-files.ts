/** Folders and exports on disk, and what an import would read of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { Article } from "../../packages/import/article.ts";
import { detect } from "../../packages/cli/transfer/detect.ts";
import { parseArticle } from "../../packages/import/markdown-article.ts";
import { parsePath } from "../../packages/import/markdown-page.ts";
import { makeSite } from "../../packages/import/markdown-site.ts";
import { makeConfig } from "../../packages/import/old-paths.ts";
import { Remarks } from "../../packages/import/remarks.ts";
import type { Wishes } from "../../packages/import/source.ts";

/** Files of one test file, removed at its end. */
export function useFiles() {
  const root = mkdtempSync(path.join(tmpdir(), "edgepress source-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  let count = 0;
  const put = (file: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  return {
    file: (content: string | Uint8Array) => put(path.join(root, String(++count)), content),
    folder(files: Readonly<Record<string, string | Uint8Array>>) {
      const folder = path.join(root, String(++count));
      mkdirSync(folder);
      for (const [name, content] of Object.entries(files)) put(path.join(folder, name), content);
      return folder;
    },
  };
}

/** Reads one Markdown file that is alone in its folder. */
export function readMarkdown(
  text: string,
  file = "a.md",
  more: Partial<Wishes> = {},
  remarks = new Remarks(),
): Article {
  const wishes: Wishes = { locale: "en", publication: "source", pages: false, siteUrl: "", ...more };
  const site = makeSite("/posts", [file], [], makeConfig("other", new Map()));
  const around = {
    file,
    place: parsePath(file, false),
    site,
    files: (path: string) => ({ path, read: async () => new Uint8Array() }),
  };
  return parseArticle(text, around, wishes, remarks);
}

/** Opens a source as an import does, and reads all of it. `articles` and `failed` are by key. */
export async function readSource(at: string, more: Partial<Wishes> = {}) {
  const wishes: Wishes = { locale: "en", publication: "source", pages: false, siteUrl: "", ...more };
  const remarks = new Remarks();
  const found = await detect(at, undefined);
  const source = await found.open(found.path, wishes, remarks);
  const order: string[] = [];
  const articles: Record<string, Article> = {};
  const failed: Record<string, string> = {};
  for await (const { key, load } of source.entries()) {
    order.push(key);
    await load().then(
      (article) => (articles[key] = article),
      (error: Error) => (failed[key] = error.message),
    );
  }
  const notes: Record<string, string> = {};
  for (const { name, reason } of remarks.listNotes()) notes[name] = [notes[name], reason].filter(Boolean).join("\n");
  return {
    keys: [...source.keys],
    order,
    articles,
    failed,
    notes,
    remarks: remarks.list().map(({ what, times }) => `${times} ${what}`),
  };
}

type Item = Readonly<Record<"id" | "type" | "name" | "title" | "content" | "excerpt" | "status" | "more", string>>;

/** A post in an export of WordPress. */
export function wordpressItem(members: Partial<Item>): string {
  const {
    id,
    type = "post",
    name = "",
    title = "",
    content = "",
    excerpt = "",
    status = "publish",
    more = "",
  } = members;
  return `<item><title><![CDATA[${title}]]></title><content:encoded><![CDATA[${content}]]></content:encoded>
<excerpt:encoded><![CDATA[${excerpt}]]></excerpt:encoded>${id === undefined ? "" : `<wp:post_id>${id}</wp:post_id>`}
<wp:post_name>${name}</wp:post_name><wp:post_type>${type}</wp:post_type><wp:status>${status}</wp:status>${more}</item>`;
}

/** An export of WordPress with these items. */
export const wordpressFile = (items: readonly string[], declaration = '<?xml version="1.0"?>'): string =>
  `${declaration}<rss xmlns:wp="w" xmlns:content="c" xmlns:excerpt="e"><channel><wp:wxr_version>1.2</wp:wxr_version>
${items.join("\n")}</channel></rss>`;

/** An export of Ghost with these posts. */
export const ghostFile = (posts: readonly object[]): string => JSON.stringify({ db: [{ data: { posts } }] });
