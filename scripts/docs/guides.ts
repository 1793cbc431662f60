/** The guides: Markdown files in docs/guides/, rendered beside the reference. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { html } from "hono/html";
import { guide, type Heading, type Html } from "./markdown.ts";
import type { Page } from "./page.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../docs/guides");

/** The files, in the order of the navigation. */
const NAMES = ["first-webhook", "publish-from-ci", "translate-a-blog", "agent-by-mcp", "front-end"];

export type Guide = {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly headings: readonly Heading[];
  readonly body: Html;
};

export const readGuides = (): Guide[] =>
  NAMES.map((name) => guide(`/docs/guides/${name}`, readFileSync(path.join(FOLDER, `${name}.md`), "utf8")));

export const guidePage = ({ path: address, title, lead, body }: Guide): Page => ({
  path: address,
  title,
  description: lead,
  main: html`<article class="guide">
    <h1>${title}</h1>
    ${body}
  </article>`,
});
