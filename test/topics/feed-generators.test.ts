import { describe, expect, it } from "vitest";
import { expected, feed, type Expected } from "../helpers/sources";

const GENERATORS: Expected[] = [
  [
    "wordpress.xml",
    "The Bread & Butter Blog",
    [
      expected("https://bread.example.com/2026/11/why-your-starter-wont-rise/", "Why your starter won’t rise", {
        summary:
          "Cold kitchens, chlorinated water & impatience: three reasons a starter stays flat. […] The post Why your " +
          "starter won’t rise appeared first on The Bread & Butter Blog.",
        time: "2026-11-16T07:45:00.000Z",
        engagement: 17,
        keywords: ["sourdough", "troubleshooting"],
        locale: "en-US",
      }),
      expected("https://bread.example.com/2026/11/a-week-of-rye/", "A week of rye", {
        summary: "Seven loaves, one flour.",
        time: "2026-11-09T18:02:31.000Z",
        keywords: ["rye"],
        locale: "en-US",
      }),
    ],
  ],
  [
    "ghost.xml",
    "Slow Software",
    [
      expected("https://slow.example.org/queues-are-a-promise/", "Queues are a promise to be late", {
        summary: "What a backlog really says about a system.",
        time: "2026-11-18T21:00:00.000Z",
        keywords: ["architecture", "queues"],
      }),
    ],
  ],
  [
    "blogger.xml",
    "Old Maps, New Roads",
    [
      expected("https://oldmaps.example.com/2026/11/lost-branch.html", "The <i>lost</i> branch line", {
        summary: "Between the mill & the river there was once a railway. It left a curve in the houses.",
        time: "2026-11-12T17:14:00.003Z",
        engagement: 4,
        keywords: ["maps", "railways"],
      }),
    ],
  ],
  [
    "medium.xml",
    "Stories by Juno Park on Medium",
    [
      expected(
        "https://medium.example.com/@juno/i-deleted-half-1a2b3c4d5e6f?source=rss-0a1b2c------2",
        "I deleted half of our dashboards. Nobody noticed.",
        {
          summary: "The experiment For a month we removed one dashboard a day. kubectl get nothing",
          time: "2026-11-17T15:31:02.000Z",
          keywords: ["observability", "devops"],
        },
      ),
    ],
  ],
  [
    "substack.xml",
    "Letters from the Harbour",
    [
      expected(
        "https://harbour.example.com/p/the-container-that-went-round-twice",
        "The container that went round twice",
        {
          summary: "On mislaid cargo & patience",
          time: "2026-11-20T06:00:19.000Z",
          locale: "en",
        },
      ),
    ],
  ],
  [
    "feedburner.xml",
    "Lantern Review",
    [
      expected("http://feeds.example.net/~r/LanternReview/~3/abcDEF/nine-headlamps", "Nine headlamps in the rain", {
        summary: "Nine of them, one wet weekend.",
        time: "2026-11-14T18:00:00.000Z",
        locale: "en",
      }),
    ],
  ],
  [
    "podcast.xml",
    "Nachtzug",
    [
      expected("https://nachtzug.example.de/41", "41 | Wien–Paris", {
        summary: "Mit einer Schaffnerin durch die Nacht.",
        time: "2026-11-15T04:00:00.000Z",
        keywords: ["zug", "nachtzug", "wien"],
        locale: "de-DE",
      }),
      expected("https://cdn.example.de/bonus.mp3", "Bonus: Fahrplanwechsel", {
        summary: "Was sich im Dezember ändert.",
        time: "2026-11-08T04:00:00.000Z",
        locale: "de-DE",
      }),
    ],
  ],
  [
    "youtube.xml",
    "Workbench Hours",
    [
      expected("https://www.youtube.com/watch?v=a1B2c3D4e5F", "Restoring a 1962 lathe, part 3 | scraping & patience", {
        summary: "The ways are worn by 0.2 mm. Chapters: 00:00 Measuring 04:10 Blue",
        time: "2026-11-13T17:00:06.000Z",
      }),
    ],
  ],
  [
    "github-releases.xml",
    "Release notes from otter",
    [
      expected("https://github.com/example/otter/releases/tag/v3.1.0", "v3.1.0", {
        summary: "What's Changed fix: keep the socket open by @ada in #41 feat: Vec<T> support",
        time: "2026-11-10T14:22:09.000Z",
        locale: "en-US",
      }),
    ],
  ],
  [
    "drupal.xml",
    "Town Council News",
    [
      expected("https://council.example.org/en/news/library-sundays", "Library opens on Sundays", {
        summary: "Library opens on Sundays From December the library is open from 11 to 17.",
        time: "2026-11-12T09:30:00.000Z",
        locale: "en",
      }),
    ],
  ],
  [
    "jekyll.xml",
    "Caderno de campo",
    [
      expected("https://caderno.example.com.br/rust/2026/11/05/vec.html", "Vec<T> explicado com maçãs", {
        summary: "Uma caixa que cresce.",
        time: "2026-11-05T11:00:00.000Z",
        keywords: ["rust", "iniciantes"],
        locale: "pt-BR",
      }),
    ],
  ],
  [
    "hugo.xml",
    "Posts on Tidal Pools",
    [
      expected("https://tidal.example.io/posts/limpets/", "Limpets don't move house", {
        summary: "They come back to one scar.",
        time: "2026-11-01T00:00:00.000Z",
        locale: "en-GB",
      }),
      // Hugo writes the year 1 where a page has no date.
      expected("https://tidal.example.io/about/", "About", { locale: "en-GB" }),
    ],
  ],
  [
    "discourse.xml",
    "Kiln Forum - Latest topics",
    [
      expected("https://forum.kiln.example.com/t/glaze-runs/981", "Glaze runs at cone 6, every time", {
        summary: "Same recipe, same kiln, same mess. 12 posts - 7 participants Read full topic",
        time: "2026-11-19T20:44:01.000Z",
        keywords: ["glazes"],
      }),
    ],
  ],
];

describe("a feed as a generator writes it", () => {
  it.each(GENERATORS)("%s", async (file, name, items) => {
    expect(await feed(file)).toMatchObject({ name, items, refused: {} });
  });
});
