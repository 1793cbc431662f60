/** The guides: Markdown files in docs/guides/, rendered beside the reference. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { html, raw } from "hono/html";
import { renderHtml, READERS } from "../../packages/markdown/html.ts";
import { parse } from "../../packages/markdown/parse.ts";
import { getLine } from "../../packages/markdown/plain-text.ts";
import { listNodes } from "../../packages/markdown/tree.ts";
import type { Page } from "./page.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../docs/guides");

/** The files, in the order of the navigation. */
const NAMES = ["first-webhook", "publish-from-ci", "translate-a-blog", "agent-by-mcp", "front-end"];

export type Guide = ReturnType<typeof readGuide>;

export const readGuides = (): Guide[] => NAMES.map(readGuide);

function readGuide(name: string) {
  const tree = parse(readFileSync(path.join(FOLDER, `${name}.md`), "utf8"));
  const [first, second] = tree.children;
  if (first?.type !== "heading" || first.depth !== 1) throw new Error("A guide begins with its title.");
  // Guides link to each other as files, so that their links also work in the repository.
  for (const link of listNodes(tree.children, "link"))
    link.url = link.url.replace(/^([a-z-]+)\.md(?=$|#)/, "/docs/guides/$1");
  const { html: body, headings } = renderHtml({ ...tree, children: tree.children.slice(1) }, READERS);
  const sections = headings.filter(({ level }) => level === 2);
  return {
    path: `/docs/guides/${name}`,
    title: getLine(first),
    lead: second === undefined ? "" : getLine(second),
    headings: sections,
    body: raw(body),
  };
}

export const renderGuidePage = ({ path: address, title, lead, body }: Guide): Page => ({
  path: address,
  title,
  description: lead,
  main: html`<article class="guide">
    <h1>${title}</h1>
    ${body}
  </article>`,
});
