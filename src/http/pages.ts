/** Renders the pages outside the console: the home page, the API reference and the table of errors. */
import type { Context } from "hono";
import { html } from "hono/html";
import { findBaseUrl } from "../request/base-url.ts";
import { ERRORS } from "../errors.ts";
import { ICON } from "../lib/icon.ts";
import type { AppEnv } from "./app-env.ts";
import { htmlReply, type Reply } from "./reply.ts";

type Html = ReturnType<typeof html>;

/** The Content-Security-Policy: only the service's own files, no inline scripts or styles, no other hosts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Handles `GET /`: describes the service and links to its parts. */
export function home(c: Context<AppEnv>): Promise<Reply> {
  const asked = new URL(c.req.url).origin;
  // Without a base URL, show the origin of the request. The page is not cached, so only this visitor sees it.
  const origin = findBaseUrl({ settings: c.get("settings"), origin: asked }) ?? asked;
  const main = html`<main class="page">
    <h1>Edgepress</h1>
    <p>
      A blog publishing backend that runs at the edge. An organization owns blogs; a blog holds articles, one per locale
      and slug; readers get what is published, and your server is notified of every change.
    </p>
    <ul class="places">
      <li><a href="/console">Console</a> <span>for people: write, publish, manage keys and webhooks</span></li>
      <li><a href="/docs">API reference</a> <span>every endpoint, with examples to try</span></li>
      <li><a href="/openapi.json">openapi.json</a> <span>the same, as OpenAPI 3.1</span></li>
      <li><a href="/docs/errors">Errors</a> <span>every code, and what to do</span></li>
      <li><a href="/healthz">Health</a> <span>whether the service is ready</span></li>
    </ul>
    <h2>First requests</h2>
    <p>Published articles need no credentials:</p>
    <pre tabindex="0"><code>curl "${origin}/api/articles?blogId=<var>BLOG_ID</var>"</code></pre>
    <p>Drafts and changes need an API key, as the user name of Basic credentials:</p>
    <pre tabindex="0"><code>curl -u "<var>API_KEY</var>:" ${origin}/api/blogs</code></pre>
    <p>
      Operators, who manage keys and webhooks, send
      <code>Authorization: Token <var>ACCESS_TOKEN</var></code> instead.
    </p>
  </main>`;
  return page(c, { title: "Edgepress", main });
}

/** Handles `GET /docs`: Swagger UI, from files of this host. */
export function reference(c: Context<AppEnv>): Promise<Reply> {
  const head = html`<link rel="stylesheet" href="/docs/swagger-ui.css" />
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>`;
  const main = html`<main>
    <h1 class="unseen">API reference</h1>
    <noscript>
      <p class="notice">
        The reference needs JavaScript. Without it, the same information is in <a href="/openapi.json">openapi.json</a>.
      </p>
    </noscript>
    <div id="swagger-ui"></div>
  </main>`;
  return page(c, { title: "API reference · Edgepress", head, main });
}

/** Handles `GET /docs/errors`: lists all codes. The `type` of an error response links to its code here. */
export function errorCodes(c: Context<AppEnv>): Promise<Reply> {
  const main = html`<main class="page">
    <h1>Errors</h1>
    <p>
      A refusal is JSON: <code>{type, title, status, code, detail, requestId, errors?}</code>. Switch on
      <code>code</code>, which stays; <code>detail</code> is for people, and <code>errors</code> names each wrong field
      as <code>{path, message}</code>. <code>type</code> links to the code on this page.
    </p>
    ${Object.entries(ERRORS).map(
      ([code, { status, title, help }]) =>
        html`<section id="${code}">
          <h2>
            <a href="#${code}"><code>${code}</code></a> <span>${status}</span>
          </h2>
          <p><strong>${title}.</strong> ${withCode(help)}</p>
        </section>`,
    )}
  </main>`;
  return page(c, { title: "Errors · Edgepress", main });
}

/** Renders a text. Parts between backticks become `<code>`. */
const withCode = (text: string): Html[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const PLACES = [
  ["/", "Edgepress"],
  ["/console", "Console"],
  ["/docs", "API reference"],
  ["/docs/errors", "Errors"],
] as const;

const here = (c: Context<AppEnv>, path: string): Html | "" => (c.req.path === path ? html`aria-current="page"` : "");

type Page = { readonly title: string; readonly main: Html; readonly head?: Html };

async function page(c: Context<AppEnv>, { title, main, head }: Page): Promise<Reply> {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="/docs/pages.css" />
        ${head ?? ""}
      </head>
      <body>
        <header class="site">
          <nav aria-label="Edgepress">
            ${PLACES.map(([path, name]) => html`<a href="${path}" ${here(c, path)}>${name}</a> `)}
          </nav>
        </header>
        ${main}
      </body>
    </html>`;
  return htmlReply(String(text), { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" });
}
