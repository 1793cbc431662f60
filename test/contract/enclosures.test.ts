/** Contract 20.4: sounds in feeds, for podcasts. */
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import { expect, it } from "vitest";
import { brokenInAtom, brokenInJsonFeed, brokenInRss } from "../helpers/feed-rules.ts";
import { send, sendJson } from "../helpers/requests.ts";
import { newArticle, newTenant } from "../helpers/tenant.ts";

it.each(["full", "excerpt"])("contract 20.4: feeds enclose the first sound of an article (%s)", async (feedContent) => {
  const owner = await newTenant("Podcast");
  const as = { apiKey: owner.apiKey };
  await sendJson(200, `/api/blogs/${owner.blogId}/site`, { as, method: "PUT", body: { feedContent } });
  await newArticle(owner, {
    content: "One:\n\n[Episode](https://a.example/1.mp3?a=1&b=2)\n\n<https://a.example/2.ogg>",
  });
  const feed = (file: string) => send(`/blogs/${owner.blogId}/${file}`).then((response) => response.text());
  const [rss, atom, json] = await Promise.all(["feed.xml", "atom.xml", "feed.json"].map(feed));
  const url = "https://a.example/1.mp3?a=1&b=2";
  expect(parseRssFeed(rss ?? "").items?.[0]?.enclosures).toEqual([{ url, length: 0, type: "audio/mpeg" }]);
  expect(parseAtomFeed(atom ?? "").entries?.[0]?.links?.[1]).toEqual({
    href: url,
    rel: "enclosure",
    type: "audio/mpeg",
  });
  expect(parseJsonFeed(JSON.parse(json ?? "")).items?.[0]?.attachments).toEqual([{ url, mime_type: "audio/mpeg" }]);
  expect([brokenInRss(rss ?? ""), brokenInAtom(atom ?? ""), brokenInJsonFeed(json ?? "")]).toEqual([[], [], []]);
});
