/** Shows a draft to whoever has its preview link: `/preview/` and the token of the link. */
import { EdgepressError } from "@edgepress/client";
import type { APIRoute } from "astro";
import { client } from "../../edgepress";

const escape = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const GET: APIRoute = async ({ params }) => {
  // Neither caches nor search engines keep a draft, and its address is not told to others.
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
  };
  try {
    const { title, description, content, locale } = await client.previews.get(params.token ?? "");
    // A draft comes as Markdown. Shown as it is, nothing in it can run.
    const body = `<h1>${escape(title)}</h1><p>${escape(description)}</p>
      <pre style="white-space: pre-wrap">${escape(content)}</pre>`;
    const page = `<!doctype html><html lang="${escape(locale)}"><meta charset="utf-8"><title>Preview</title>${body}</html>`;
    return new Response(page, { headers });
  } catch (error) {
    if (!(error instanceof EdgepressError) || error.status !== 404) throw error;
    return new Response("This link has ended.", { status: 404, headers: { ...headers, "Content-Type": "text/plain" } });
  }
};
