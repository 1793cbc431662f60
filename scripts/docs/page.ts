/** The frame of every page of the reference: header, navigation, and links to the pages before and after. */
import { html, raw } from "hono/html";
import { ICON } from "../../src/lib/icon.ts";
import type { Html } from "./markdown.ts";

/** An entry of the navigation. `parts` are shown below the open page. */
export type Entry = {
  readonly path: string;
  readonly title: string;
  readonly parts?: readonly { readonly id: string; readonly title: string }[];
};

export type Group = { readonly title: string; readonly entries: readonly Entry[] };

export type Page = {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly main: Html;
};

export async function renderPage(groups: readonly Group[], { path, title, description, main }: Page): Promise<string> {
  const entries = groups.flatMap((group) => group.entries);
  const at = entries.findIndex((entry) => entry.path === path);
  const [before, after] = [entries[at - 1], entries[at + 1]];
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${description}" />
        <title>${title} · Edgepress</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="/docs/reference.css" />
        <script type="module" src="/docs/reference.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">To the content</a>
        <header class="top">
          <a class="name" href="/docs">Edgepress <span>reference</span></a>
          <button type="button" class="open-contents quiet" popovertarget="contents">Contents</button>
          <a class="find" href="/docs#operations">All operations</a>
          <nav aria-label="Edgepress"><a href="/console">Console</a> <a href="/openapi.json">openapi.json</a></nav>
        </header>
        <div class="columns">
          <nav id="contents" popover aria-label="Reference">
            ${groups.map(
              (group) =>
                html`<h2>${group.title}</h2>
                  <ul>
                    ${group.entries.map((entry) => renderEntry(entry, path))}
                  </ul> `,
            )}
          </nav>
          <main id="main">
            ${main}
            <nav class="around" aria-label="Previous and next">
              ${before ? html`<a rel="prev" href="${before.path}"><span>Previous</span> ${before.title}</a>` : html`<span></span>`}
              ${after ? html`<a rel="next" href="${after.path}"><span>Next</span> ${after.title}</a>` : ""}
            </nav>
          </main>
        </div>
      </body>
    </html> `;
  return removeIndentation(String(text));
}

function renderEntry({ path, title, parts = [] }: Entry, open: string): Html {
  if (path !== open) return html`<li><a href="${path}">${title}</a></li> `;
  const list = parts.map(({ id, title: part }) => html`<li><a href="#${id}">${part}</a></li> `);
  return html`<li>
    <a href="${path}" aria-current="page">${title}</a>${
      list.length > 0
        ? html`<ul>
            ${list}
          </ul>`
        : ""
    }
  </li> `;
}

/** Removes indentation, but not in code. */
const removeIndentation = (text: string): string =>
  text
    .split(/(<pre.*?<\/pre>)/s)
    .map((part) => (part.startsWith("<pre") ? part : part.replaceAll(/\n\s+/g, "\n")))
    .join("");

/** Renders code that can be scrolled with the keyboard. */
export const renderCode = (text: string, attributes = ""): Html =>
  html`<pre tabindex="0" ${raw(attributes)}><code>${text}</code></pre>`;
