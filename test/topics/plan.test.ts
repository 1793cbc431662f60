import { describe, expect, it } from "vitest";
import type { TopicOrigin } from "../../src/domain/topic-source.ts";
import type { Board } from "../../src/store/topics/system-ideas.ts";
import type { SourceItem } from "../../src/background/topics/item.ts";
import { planItems } from "../../src/background/topics/plan.ts";
import { toUrlKey } from "../../src/background/topics/url-key.ts";
import { boardIdeaOf, boardOf, itemOf } from "../helpers/ideas.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const SOURCE = { kind: "feed", name: "A feed" } as const;
const OTHER = { kind: "feed", name: "Another feed" } as const;

const plan = (items: readonly SourceItem[], board: Partial<Board> = {}) =>
  planItems(items, boardOf(board), SOURCE, NOW);

describe("an item", () => {
  it("becomes an idea with its own words", () => {
    const item = itemOf({
      title: "Slow ferries are back",
      summary: "Three lines.",
      keywords: ["ferries"],
      locale: "no",
    });
    expect(plan([item])).toEqual({
      ideas: [
        {
          title: "Slow ferries are back",
          summary: "Three lines.",
          angle: "",
          url: item.url,
          itemTitle: "Slow ferries are back",
          source: SOURCE,
          mentions: [{ url: item.url, source: SOURCE, engagement: 0 }],
          keywords: ["ferries"],
          locale: "no",
          score: expect.any(Number),
          urlKeys: [toUrlKey(item.url)],
        },
      ],
      updates: [],
      merged: 0,
      refused: {},
    });
  });

  it("without a language is taken for one of the blog's", () => {
    expect(plan([itemOf()], { locale: "de" }).ideas[0]?.locale).toBe("de");
  });

  it("without keywords has none: the words of a title are no search terms", () => {
    expect(plan([itemOf({ keywords: [] })]).ideas[0]?.keywords).toEqual([]);
  });

  it("whose URL is known is a mention of the idea that has it, whatever its title", () => {
    const item = itemOf({ engagement: 9 });
    const known = new Map([[toUrlKey(item.url), boardIdeaOf("known", "Something else", { score: 1 })]]);
    expect(plan([item], { known })).toEqual({
      ideas: [],
      updates: [
        {
          id: "known",
          mentions: [{ url: item.url, source: SOURCE, engagement: 9 }],
          score: (plan([item]).ideas[0]?.score ?? 0) + 0.5,
          urlKeys: [],
        },
      ],
      merged: 1,
      refused: {},
    });
  });

  it("that comes twice in a source is one idea", () => {
    const url = "https://example.com/story";
    const { ideas, refused } = plan([itemOf({ url }), itemOf({ url: `${url}/?utm_source=feed#top` })]);
    expect([ideas.length, refused]).toEqual([1, { "repeats another item": 1 }]);
  });

  it("of which the blog has an article is no idea", () => {
    const board = { articleTitles: ["Slow ferries are back in Norway"] };
    const items = [
      itemOf({ title: "In Norway, slow ferries are back" }),
      itemOf({ title: "Fast ferries are back in Spain" }),
    ];
    const { ideas, refused } = plan(items, board);
    expect(ideas.map(({ title }) => title)).toEqual(["Fast ferries are back in Spain"]);
    expect(refused).toEqual({ "is already an article of the blog": 1 });
  });

  it("that is older than an idea is kept is no idea: it would come back when that is forgotten", () => {
    const items = [itemOf({ time: "2025-11-20T11:00:00.000Z" }), itemOf({ time: "2025-11-20T13:00:00.000Z" })];
    const { ideas, refused } = plan(items);
    expect(ideas.map(({ url }) => url)).toEqual([items[1]?.url]);
    expect(refused).toEqual({ "is older than a year": 1 });
    expect(plan([itemOf({ time: null })]).ideas).toHaveLength(1);
  });
});

describe("items that tell of the same", () => {
  const again = (n: number, fields: Partial<SourceItem> = {}) =>
    Array.from({ length: n }, () => itemOf({ title: "Slow ferries are back in Norway", ...fields }));

  it("within one source are one idea with mentions", () => {
    const [first, second] = again(2);
    const { ideas, updates, merged } = plan([...again(0), first as SourceItem, second as SourceItem]);
    expect(ideas).toHaveLength(1);
    expect(ideas[0]).toMatchObject({
      url: first?.url,
      mentions: [first, second].map((item) => ({ url: item?.url, source: SOURCE, engagement: 0 })),
      urlKeys: [toUrlKey(first?.url ?? ""), toUrlKey(second?.url ?? "")],
    });
    expect([updates, merged]).toEqual([[], 1]);
  });

  it("within one source make it no better, but the best of them counts", () => {
    const [alone] = plan(again(1)).ideas;
    const [repeated] = plan(again(30)).ideas;
    expect(repeated?.score).toBe(alone?.score);
    const [voted] = plan([...again(1), ...again(1, { engagement: 99 })]).ideas;
    expect(voted?.score).toBe(plan(again(1, { engagement: 99 })).ideas[0]?.score);
  });

  it("list ten mentions, and are all remembered", () => {
    const [idea] = plan(again(30)).ideas;
    expect([idea?.mentions.length, idea?.urlKeys.length]).toEqual([10, 30]);
  });

  it("are merged into an idea that is there (contract 7.7)", () => {
    const items = again(2);
    const ideas = [
      boardIdeaOf("other", "Something else entirely happened"),
      boardIdeaOf("same", "Slow ferries: back in Norway they are"),
    ];
    const result = plan(items, { ideas });
    expect(result).toMatchObject({ ideas: [], merged: 2, refused: {} });
    expect(result.updates).toEqual([
      {
        id: "same",
        mentions: items.map(({ url }) => ({ url, source: SOURCE, engagement: 0 })),
        score: expect.any(Number),
        urlKeys: items.map(({ url }) => toUrlKey(url)),
      },
    ]);
  });

  it("are compared in the words of the items, not in those that a model gave an idea", () => {
    const ideas = [boardIdeaOf("i", "Slow ferries are back in Norway")];
    expect(plan(again(1), { ideas }).updates).toHaveLength(1);
  });

  it("but have short titles are ideas of their own", () => {
    expect(plan([itemOf({ title: "Weekly links" }), itemOf({ title: "Weekly links" })]).ideas).toHaveLength(2);
  });

  it("add up: each item is new, merged or refused", () => {
    const known = itemOf();
    const items = [...again(3), known, itemOf(), itemOf({ time: "2001-01-01T00:00:00.000Z" })];
    const idea = boardIdeaOf("known", known.title);
    const { ideas, merged, refused } = plan(items, { known: new Map([[toUrlKey(known.url), idea]]) });
    const left = Object.values(refused).reduce((a, b) => a + b, 0);
    expect([ideas.length, merged, left]).toEqual([2, 3, 1]);
  });
});

describe("an item that is found again", () => {
  /** Returns the idea of an item, as it is stored, and what a later reading makes of it. */
  function foundAgain(first: Partial<SourceItem>, later: Partial<SourceItem>, source: TopicOrigin = SOURCE) {
    const item = itemOf(first);
    const [made] = plan([item]).ideas;
    if (made === undefined) throw new Error("no idea");
    const stored = { ...made, id: "stored" };
    const board = boardOf({ known: new Map([[toUrlKey(item.url), stored]]) });
    return { stored, ...planItems([{ ...item, ...later }], board, source, NOW) };
  }

  it("with the same numbers changes nothing", () => {
    expect(foundAgain({ engagement: 5 }, {})).toMatchObject({ ideas: [], updates: [], merged: 1, refused: {} });
  });

  it("with more votes has them in its mention, and a higher score", () => {
    const { stored, updates } = foundAgain({ engagement: 9 }, { engagement: 99 });
    const mentions = [{ ...stored.mentions[0], engagement: 99 }];
    expect(updates).toEqual([{ id: "stored", mentions, score: stored.score + 2, urlKeys: [] }]);
  });

  it("with fewer votes keeps its score", () => {
    const { stored, updates } = foundAgain({ engagement: 99 }, { engagement: 9 });
    expect(updates).toMatchObject([{ mentions: [{ engagement: 9 }], score: stored.score }]);
  });

  it("by another source gets its mention, and half a day", () => {
    const { stored, updates } = foundAgain({}, {}, { kind: "lobsters", name: "Lobsters" });
    expect(updates).toMatchObject([
      { mentions: [{ source: SOURCE }, { source: { kind: "lobsters" } }], score: stored.score + 0.5 },
    ]);
  });

  it("is no newer for it: neither without a date, nor with a new one each day", () => {
    const days = { time: "2026-11-20T00:00:00.000Z" };
    expect(foundAgain({ time: "2026-11-10T00:00:00.000Z" }, days).updates).toEqual([]);
    const { stored, updates } = foundAgain({ time: "2026-11-10T00:00:00.000Z" }, { time: null }, OTHER);
    expect(updates).toMatchObject([{ score: stored.score + 0.5 }]);
  });
});

describe("URLs are the same", () => {
  const STORY = "https://example.com/story";
  it.each([
    "http://example.com/story",
    "https://www.example.com/story",
    "https://EXAMPLE.com/story",
    "https://example.com:443/story",
    "https://example.com/story/",
    "https://example.com/story#comments",
    "https://example.com/story?utm_source=rss&utm_medium=feed&UTM_Campaign=x",
    "https://example.com/story?fbclid=1&gclid=2&mc_cid=3&mc_eid=4&ref=hn",
    "https://example.com/story?ref_src=twsrc&igshid=5&_hsenc=6&hsCtaTracking=7",
    "https://example.com/./a/../story",
    "https://example.com/%73tory",
    "https://user:secret@example.com/story",
  ])("%s", (url) => {
    expect(toUrlKey(url)).toBe(toUrlKey(STORY));
  });

  it("whatever the order of their parameters", () => {
    expect(toUrlKey(`${STORY}?b=2&a=1`)).toBe(toUrlKey(`${STORY}?a=1&b=2&utm_source=x`));
  });

  it.each([
    "https://example.com/Story",
    "https://example.com/story?id=1",
    "https://example.com/story.html",
    "https://blog.example.com/story",
    "https://example.com:8443/story",
    "https://example.org/story",
  ])("no more than that: %s", (url) => {
    expect(toUrlKey(url)).not.toBe(toUrlKey(STORY));
  });

  it("of any kind have a key", () => {
    for (const url of ["https://[::1]/x", "https://example.com/%E0%A4%A", "not a url", ""]) {
      expect(toUrlKey(url)).toEqual(expect.any(String));
    }
  });
});
