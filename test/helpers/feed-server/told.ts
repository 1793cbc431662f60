/** Feeds with the titles of a test: `/told/<title>|<title>…?<name>`. The name becomes part of the items' URLs. */
import type { Call } from "./server.ts";

/** Serves such a feed. Returns false for other paths. */
export function serveTold({ url, response }: Call): boolean {
  const [, titles] = /^\/told\/(.*)$/.exec(url.pathname) ?? [];
  if (titles === undefined) return false;
  const items = decodeURIComponent(titles)
    .split("|")
    .map((title, index) => {
      const link = `https://told.example.com/${url.search.slice(1)}/${index}`;
      return `<item><title>${escaped(title)}</title><link>${escaped(link)}</link></item>`;
    });
  response.writeHead(200, { "Content-Type": "application/rss+xml; charset=utf-8" });
  response.end(`<rss version="2.0"><channel><title>Told</title>${items.join("")}</channel></rss>`);
  return true;
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
