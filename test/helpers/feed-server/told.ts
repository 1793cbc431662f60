/**
 * Feeds with the titles of a test: `/told/<title>|<title>…?<name>`. The name becomes part of the items' URLs.
 * And lists of one story with one URL: `/linked/<votes>/….json` as Lobsters lists it, another `/linked/…` in a feed.
 */
import { asOfToday } from "./now.ts";
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

/** Serves the story. Returns false for other paths. */
export function serveLinked({ url, response }: Call): boolean {
  const [, votes, path = ""] = /^\/linked\/(\d+)\/(.*)$/.exec(url.pathname) ?? [];
  if (votes === undefined) return false;
  const story = {
    title: "Trees",
    url: LINKED,
    comments_url: LINKED,
    score: Number(votes),
    created_at: "2026-11-18T12:00:00Z",
  };
  if (path.endsWith(".json")) {
    response.writeHead(200, { "Content-Type": "application/json" }).end(asOfToday(JSON.stringify([story])));
    return true;
  }
  const item = `<item><title>${escaped(path)} tells of trees</title><link>${LINKED}</link></item>`;
  response.writeHead(200, { "Content-Type": "application/rss+xml" });
  response.end(`<rss version="2.0"><channel><title>Linked</title>${item}</channel></rss>`);
  return true;
}

const LINKED = "https://trees.example.org/linked";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
