import { describe, expect, it } from "vitest";
import type { Board } from "../../src/store/topics/system-ideas.ts";
import type { SourceItem } from "../../src/background/topics/item.ts";
import { planItems, toUrlKey } from "../../src/background/topics/plan.ts";
import { boardOf, itemOf } from "../helpers/ideas.ts";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const SOURCE = { kind: "feed", name: "A feed" } as const;

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
          mentions: [],
          keywords: ["ferries"],
          locale: "no",
          score: expect.any(Number),
          urlKeys: [toUrlKey(item.url)],
        },
      ],
      merges: [],
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

  it("whose URL is known is no idea", () => {
    const item = itemOf();
    expect(plan([item], { knownKeys: new Set([toUrlKey(item.url)]) })).toEqual({
      ideas: [],
      merges: [],
      merged: 0,
      refused: { "is known": 1 },
    });
  });

  it("that comes twice in a source is one idea", () => {
    const url = "https://example.com/story";
    const { ideas, refused } = plan([itemOf({ url }), itemOf({ url: `${url}/?utm_source=feed#top` })]);
    expect([ideas.length, refused]).toEqual([1, { "is known": 1 }]);
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
    const { ideas, merges, merged } = plan([...again(0), first as SourceItem, second as SourceItem]);
    expect(ideas).toHaveLength(1);
    expect(ideas[0]).toMatchObject({
      url: first?.url,
      mentions: [{ url: second?.url, source: SOURCE }],
      urlKeys: [toUrlKey(first?.url ?? ""), toUrlKey(second?.url ?? "")],
    });
    expect([merges, merged]).toEqual([[], 1]);
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
      { id: "other", itemTitle: "Something else entirely happened", url: "https://example.com/1" },
      { id: "same", itemTitle: "Slow ferries: back in Norway they are", url: "https://example.com/2" },
    ];
    const result = plan(items, { ideas });
    expect(result).toMatchObject({ ideas: [], merged: 2, refused: {} });
    expect(result.merges).toEqual(
      items.map(({ url }) => ({
        topicId: "same",
        urlKey: toUrlKey(url),
        url,
        source: SOURCE,
        score: expect.any(Number),
      })),
    );
  });

  it("are compared in the words of the items, not in those that a model gave an idea", () => {
    const ideas = [{ id: "i", itemTitle: "Slow ferries are back in Norway", url: "https://example.com/1" }];
    expect(plan(again(1), { ideas }).merges).toHaveLength(1);
  });

  it("but have short titles are ideas of their own", () => {
    expect(plan([itemOf({ title: "Weekly links" }), itemOf({ title: "Weekly links" })]).ideas).toHaveLength(2);
  });

  it("add up: each item is new, merged or refused", () => {
    const known = itemOf();
    const items = [...again(3), known, itemOf(), itemOf({ time: "2001-01-01T00:00:00.000Z" })];
    const { ideas, merged, refused } = plan(items, { knownKeys: new Set([toUrlKey(known.url)]) });
    const left = Object.values(refused).reduce((a, b) => a + b, 0);
    expect([ideas.length, merged, left]).toEqual([2, 2, 2]);
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
