/** The home page. The pages of the reference are static files (scripts/docs/). */
import type { Context } from "hono";
import { html } from "hono/html";
import { findBaseUrl } from "../request/base-url.ts";
import { ICON } from "../../lib/icon.ts";
import type { AppEnv } from "./app-env.ts";
import type { Reply } from "./reply.ts";

// The service's own style sheet, no scripts, no other hosts.
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function serveHome(c: Context<AppEnv>): Promise<Reply> {
  const asked = new URL(c.req.url).origin;
  // The page is not cached, so only this visitor sees the origin of the request.
  const origin = findBaseUrl({ settings: c.get("settings"), origin: asked }) ?? asked;
  const main = html`<main class="page">
    <h1>Edgepress</h1>
    <p>
      A blog publishing backend that runs at the edge. An organization owns blogs; a blog holds articles, one per locale
      and slug; readers get what is published, and your server is notified of every change.
    </p>
    <ul class="places">
      <li><a href="/console">Console</a> <span>for people: write, publish, manage keys and webhooks</span></li>
      <li><a href="/docs">API reference</a> <span>every operation, with examples to try, and guides</span></li>
      <li><a href="/openapi.json">openapi.json</a> <span>the reference as OpenAPI 3.1</span></li>
      <li><a href="/docs/errors">Errors</a> <span>every error code, and how to fix it</span></li>
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
  return renderPage(main);
}

async function renderPage(main: ReturnType<typeof html>): Promise<Reply> {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Edgepress</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="/docs/pages.css" />
      </head>
      <body>
        <header class="site">
          <nav aria-label="Edgepress">
            <a href="/" aria-current="page">Edgepress</a> <a href="/console">Console</a>
            <a href="/docs">API reference</a> <a href="/docs/errors">Errors</a>
          </nav>
        </header>
        ${main}
      </body>
    </html>`;
  const headers = {
    "Content-Type": "text/html; charset=UTF-8",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
  };
  return { status: 200, headers, body: String(text) };
}
