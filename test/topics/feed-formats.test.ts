import { describe, expect, it } from "vitest";
import types from "../fixtures/feeds/types.json";
import { expected, feed, readPath, type Expected } from "../helpers/sources";

const FORMATS: Expected[] = [
  [
    "arxiv.rdf",
    "cs.DB updates on papers.example.org",
    [
      expected(
        "http://papers.example.org/abs/2611.01234",
        "Joins that never finish: a survey. (arXiv:2611.01234v1 [cs.DB])",
        {
          summary: "We study joins whose cost is $O(n^2)$ & worse, and show that most terminate.",
          locale: "en-US",
        },
      ),
    ],
  ],
  [
    "slashdot.rdf",
    "Gadget Hall",
    [
      expected("https://gadgets.example.org/story/26/11/20/081", "A Café Runs Its Till on a 1989 Handheld", {
        summary: "A reader writes: the batteries last a week.",
        time: "2026-11-20T08:34:00.000Z",
        engagement: 63,
        keywords: ["hardware"],
        locale: "en-US",
      }),
      expected("https://gadgets.example.org/story/26/11/19/220", "Print Your Own Hinge", {
        summary: "Ten cents of plastic.",
        time: "2026-11-19T22:00:00.000Z",
        engagement: 8,
        keywords: ["3dprinting"],
        locale: "en-US",
      }),
    ],
  ],
  ["rss-0.90.rdf", "Harbour Museum", [expected("http://museum.example.org/figurehead.html", "The figurehead is back")]],
  [
    "rss-0.91.xml",
    "ScriptTalk",
    [
      expected("http://bar.example.com/", "stuff", { summary: "This is an article about some stuff", locale: "en-US" }),
      expected("http://bar.example.com/2", "second item's title & more", { summary: "aa bb cc dd", locale: "en-US" }),
    ],
  ],
  [
    "rss-0.92.xml",
    "Porch Notes: guitars",
    [
      expected(
        "http://www.porch.example.com/guitars/2026/10/31.html#a1",
        "It's been a few days since I added a song. Here is one that I like, from a long concert on a warm…",
        {
          summary:
            "It's been a few days since I added a song. Here is one that I like, from a long concert on a warm " +
            "night, and I think about it more often than is good for me.",
        },
      ),
    ],
  ],
  [
    "rss-2.0.xml",
    "Lift Off",
    [
      expected("http://liftoff.example.gov/news/2026/news-starcity.asp", "Star City", {
        summary: "How do visitors get ready? They take a crash course in culture, language and protocol at Star City.",
        time: "2026-11-03T09:39:21.000Z",
        locale: "en-US",
      }),
      expected(
        "http://liftoff.example.gov/2026/10/30.html#item572",
        "Sky watchers will experience a partial eclipse on Saturday.",
        {
          summary: "Sky watchers will experience a partial eclipse on Saturday.",
          time: "2026-10-30T11:06:42.000Z",
          locale: "en-US",
        },
      ),
    ],
  ],
  [
    "atom-0.3.xml",
    "Carnet de vol",
    [
      expected("http://carnet.example.fr/2026/11/vent.html", "Vent d’ouest", {
        summary: "Trente nœuds au large.",
        time: "2026-10-31T21:30:00.000Z",
        keywords: ["météo"],
        locale: "fr",
      }),
    ],
  ],
  [
    "atom-xhtml.xml",
    "Notes & Queries",
    [
      expected("http://notes.example.net/blog/2026/one.html", "1 < 2, always", {
        summary: "If a < b then more.",
        time: "2026-11-02T08:00:00.250Z",
      }),
      expected("http://notes.example.net/blog/b", "Using <b> in HTML", {
        summary: "5 < 6 & so on",
        time: "2026-11-01T10:00:00.000Z",
      }),
    ],
  ],
  [
    "json-feed-1.0.json",
    "Micro Pond",
    [
      expected("https://pond.example.com/2026/11/18/1", "Rain again. The frogs & I are delighted.", {
        summary: "Rain again. The frogs & I are delighted.",
        time: "2026-11-18T07:00:00.000Z",
      }),
      expected("https://news.example.com/ducks", "Ducks vote", {
        summary: "Quack <quack> & quack.",
        time: "2026-11-17T07:00:00.000Z",
        keywords: ["ducks", "politics"],
      }),
    ],
  ],
  [
    "json-feed-1.1.json",
    "Werkstatt",
    [
      expected("https://werkstatt.example.at/blog/hobel.html", "Der Hobel", {
        summary: "Schärfen, einstellen, hobeln.",
        time: "2026-11-11T10:11:11.000Z",
        keywords: ["holz", "werkzeug"],
        locale: "de-AT",
      }),
      expected("https://werkstatt.example.at/7", "Plane", { time: "2026-11-10T00:00:00.000Z", locale: "en" }),
    ],
  ],
  [
    "odd-namespaces.xml",
    "Odd",
    [
      expected("https://odd.example.com/1", "Right title", {
        summary: "From content.",
        time: "2026-11-15T12:00:00.000Z",
        engagement: 3,
        keywords: ["oddities", "one", "two"],
      }),
    ],
  ],
  [
    "media-rss.xml",
    "Photo Stream",
    [
      expected("https://photos.example.com/1", "Fog over the estuary", {
        summary: "Six in the morning.",
        keywords: ["fog", "estuary"],
      }),
    ],
  ],
];

describe("a format", () => {
  it.each(FORMATS)("%s", async (file, name, items) => {
    expect(await feed(file)).toMatchObject({ name, items });
  });
});

describe("whatever feed is read", () => {
  it.each(Object.keys(types))("%s gives only what may be stored", async (file) => {
    const reading = await readPath(`feeds/${file}`);
    if (reading.kind !== "read") return expect(reading).toMatchObject({ kind: "failed", reason: "unreadable" });
    expect(reading.items.length).toBeLessThanOrEqual(50);
    for (const text of [
      reading.name,
      ...reading.items.flatMap(({ title, summary, keywords }) => [title, summary, ...keywords]),
    ]) {
      expect(text).toBe(text.toWellFormed().trim());
      // Line breaks and control characters are none of it.
      expect(text).not.toMatch(/\p{Cc}|\s{2}/u);
    }
    for (const { url, title, summary, keywords } of reading.items) {
      expect(new URL(url).href).toBe(url);
      expect(url).toMatch(/^https?:/);
      expect(title).not.toBe("");
      expect([title.length <= 300, summary.length <= 1000, keywords.length <= 10]).toEqual([true, true, true]);
    }
  });
});
