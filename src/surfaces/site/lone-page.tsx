/** A page for one reader, which is not part of the site and never cached. */
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { toAbsoluteUrl } from "../../domain/site.ts";
import { getDirection } from "../../lib/direction.ts";
import type { Arrival } from "../request/arrival.ts";
import { findBaseUrl } from "../request/base-url.ts";
import type { SiteBlog } from "../../store/blogs/shown.ts";
import type { Reply } from "../rest/reply.ts";
import { makeIcon, Name } from "./layout.tsx";
import { buildPolicy } from "./policy.ts";
import { toPolicyHash, buildStyle } from "./style.ts";

export type LonePage = {
  /** The blog whose look the page has. */
  readonly blog: SiteBlog | null;
  readonly lang: string;
  readonly title: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly main: Child;
};

export async function renderLonePage(
  { settings, origin }: Pick<Arrival, "settings" | "origin">,
  page: LonePage,
): Promise<Reply> {
  const { blog, lang, title, status, headers, main } = page;
  const baseUrl = findBaseUrl({ settings, origin }) ?? origin;
  const style = buildStyle(blog ?? { accentColor: "", font: "serif" });
  const document = (
    <html lang={lang} dir={getDirection(lang)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{blog === null ? title : `${title} · ${blog.name}`}</title>
        <link rel="icon" href={makeIcon(blog?.name ?? title, blog?.accentColor ?? "")} />
        <style>{raw(style)}</style>
      </head>
      <body>
        {blog && (
          <header class="top">
            <div class="wrap">
              <Name blog={blog} href={toAbsoluteUrl(blog.place, () => baseUrl)} />
            </div>
          </header>
        )}
        <main id="main" class="wrap">
          <div class="lone">
            <h1>{title}</h1>
            {main}
          </div>
        </main>
      </body>
    </html>
  );
  const body = String(await html`<!doctype html>${document}`);
  const own = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": buildPolicy(await toPolicyHash(style), baseUrl),
    // The URL contains a token.
    "Referrer-Policy": "no-referrer",
  };
  return { status, headers: { ...own, ...headers }, body };
}
