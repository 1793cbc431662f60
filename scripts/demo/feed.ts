/** The demo's feed, which makes topic ideas work without the network. */

type Item = { readonly title: string; readonly slug: string; readonly summary: string; readonly daysAgo: number };

const items: readonly Item[] = [
  {
    title: "Three island ferries return to their winter timetable",
    slug: "winter-timetable",
    summary: "After two seasons of cuts, the small lines sail daily again. Locals asked for it; visitors may notice.",
    daysAgo: 1,
  },
  {
    title: "A harbour market that opens before the first train",
    slug: "harbour-market",
    summary: "Fishmongers, a bakery and one coffee cart: what there is to see between five and seven in the morning.",
    daysAgo: 2,
  },
  {
    title: "How a lighthouse keeper reads the weather",
    slug: "lighthouse-weather",
    summary: "Forty years of logbooks, and a short list of clouds that are worth knowing by name.",
    daysAgo: 3,
  },
  {
    title: "Night trains to the coast: which of them still run",
    slug: "night-trains",
    summary: "Seven lines, four of them with a sleeping car. Fares, dates, and where to stand on the platform.",
    daysAgo: 5,
  },
  {
    title: "Walking the tidal causeway without getting wet",
    slug: "tidal-causeway",
    summary: "The table on the notice board is an hour off in summer. Here is how to read it.",
    daysAgo: 8,
  },
];

const DAY_MS = 86_400_000;

/** Returns the feed as RSS 2.0. The items are always a few days older than `now`. */
export function demoFeed(now: Date): string {
  const rendered = items.map(
    ({ title, slug, summary, daysAgo }) => `    <item>
      <title>${title}</title>
      <link>https://example.com/coast-and-rail/${slug}</link>
      <guid>https://example.com/coast-and-rail/${slug}</guid>
      <pubDate>${new Date(now.getTime() - daysAgo * DAY_MS).toUTCString()}</pubDate>
      <description>${summary}</description>
    </item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>Coast and Rail (demo feed)</title>
    <link>https://example.com/coast-and-rail</link>
    <description>Small news of harbours, ferries and slow trains.</description>
    <language>en</language>
${rendered.join("\n")}
  </channel>
</rss>
`;
}
