import { describe, expect, it } from "vitest";
import { chooseItems } from "../../src/background/topics/candidate";
import { feed, readPath, titles } from "../helpers/sources";

const T = "https://t.example.com";

/** The title and link of each item. */
const links = async (file: string): Promise<Record<string, string>> =>
  Object.fromEntries((await feed(file)).items.map(({ title, url }) => [title, url]));

const unreadable = (detail: string): object => ({ kind: "failed", reason: "unreadable", detail });

describe("entities", () => {
  it("that were encoded twice are decoded twice", async () => {
    const { name, items } = await feed("double-encoded.xml");
    expect(name).toBe("A & B");
    expect(items.map(({ title, summary }) => [title, summary])).toEqual([
      ['Ben & Jerry’s "new" flavour', "<p>Café & bar</p>"],
      ["Fish & chips '26", "Tom & Jerry"],
      ["Vec<T> and Box<T>, if 1 < 2", "Use Vec<T>."],
      ["CDATA & markup and more", "Line one line two a b"],
    ]);
  });

  it("of HTML are known, others stay as they are", async () => {
    const { name, items } = await feed("undeclared-entities.xml");
    expect(name).toBe("Über");
    expect(items).toMatchObject([{ url: `${T}/?a=1&b=2`, title: "café — olé &unknown; &", summary: "R&D & more" }]);
  });

  it.each(["billion-laughs.xml", "external-entity.xml"])("of a document's own are never expanded: %s", async (file) => {
    const { items } = await feed(file);
    expect(items).toHaveLength(1);
    expect(items[0]?.title).toMatch(/^&(?:lol9|secret);$/);
    expect(items[0]?.summary.length).toBeLessThan(30);
  });
});

describe("what is missing", () => {
  it("costs an item, or is replaced by what is there", async () => {
    const { items, refused } = await feed("missing-parts.xml");
    expect(items.map(({ title, url }) => [title, url])).toEqual([
      [
        "There is no title here, but there is a description that goes on for quite a while, well beyond one…",
        `${T}/no-title`,
      ],
      ["User info", `${T}/in`],
      ["Guid only", `${T}/guid`],
      ["Spaces around", `${T}/spaces`],
    ]);
    expect(refused).toEqual({
      "has no title": 2,
      "has no link": 2,
      "has a link that is not http or https": 3,
      "has a link that is not valid": 1,
      "has a link that is too long": 1,
    });
  });

  it("may be all items", async () => {
    expect(await feed("empty-feed.xml")).toMatchObject({ name: "Quiet", items: [], refused: {} });
  });
});

describe("links", () => {
  it("lose their tracking parameters, and nothing else", () => {
    const candidate = (url: string) => ({
      url,
      base: url,
      title: { kind: "text", value: url } as const,
      text: undefined,
      time: undefined,
      engagement: 0,
      keywords: [],
      locale: undefined,
    });
    const { items } = chooseItems(
      [
        "https://a.example/?utm_source=rss&UTM_Campaign=x",
        "https://b.example/x?q=a+b%20c&fbclid=1&ref=main&&gclid=2&empty=#top",
        "https://c.example/x?author=utm_source&source=3",
      ].map(candidate),
      new Date(),
    );
    expect(items.map(({ url }) => url)).toEqual([
      "https://a.example/",
      "https://b.example/x?q=a+b%20c&ref=main&&empty=#top",
      "https://c.example/x?author=utm_source&source=3",
    ]);
  });

  it("that are relative are so to the site", async () => {
    expect(await links("relative-links.xml")).toEqual({
      Rooted: "https://site.example.com/2026/11/rooted",
      Plain: "https://site.example.com/blog/plain.html",
      Scheme: "https://other.example.org/s",
      Query: "https://site.example.com/blog/?p=3",
    });
  });

  it("are relative to the feed where it names no site, wherever it was redirected from", async () => {
    const direct = await feed("relative-without-site.xml");
    expect(direct.items[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/feeds\/plain\.html$/);
    const moved = await readPath(`redirect-to/${encodeURIComponent("/feeds/relative-without-site.xml")}`);
    expect(moved).toMatchObject({ items: direct.items });
  });

  it("of two items that are the same are one, whatever their guids", async () => {
    const { items, refused } = await feed("duplicate-guids.xml");
    expect(titles(items)).toEqual(["First", "Second"]);
    expect(refused).toEqual({ "repeats another item": 1 });
  });
});

describe("dates", () => {
  it("are read in all their forms, and never in the future", async () => {
    const { items } = await feed("odd-dates.xml");
    const noon = (time: string): string => `2026-11-18T${time}:00.000Z`;
    expect(Object.fromEntries(items.map(({ title, time }) => [title, time]))).toEqual({
      "Future by an hour": "2026-11-20T12:00:00.000Z",
      "Future by a year": null,
      "Nineteen seventy": null,
      "No weekday": noon("06:00"),
      "Two digits": noon("13:00"),
      "Long names": noon("08:00"),
      "Wrong weekday": noon("08:00"),
      Sept: "2026-09-01T11:35:00.000Z",
      CEST: "2026-08-18T06:00:00.000Z",
      "Offset with GMT": noon("07:00"),
      "ISO in RSS": noon("08:00"),
      "ISO without a colon": noon("07:00"),
      "ISO with a space": noon("08:00"),
      "Only a day": noon("00:00"),
      "Unknown zone": null,
      French: noon("08:00"),
      "Thirtieth of February": null,
      Words: null,
      Chapter: null,
      Empty: null,
      Comment: noon("08:00"),
      Dashes: noon("08:00"),
    });
  });

  it("decide which items are kept, in the source's order", async () => {
    const { items, refused } = await feed("sixty-items.xml");
    // Six have no date; of the others the four oldest go as well.
    const kept = Array.from({ length: 60 }, (_, index) => index).filter((index) => index % 10 !== 0 && index > 4);
    expect(titles(items)).toEqual(kept.map((index) => `Item ${index}`));
    expect(refused).toEqual({ "is not among the 50 newest": 10 });
  });
});

describe("texts", () => {
  it("that are too long are cut between characters as people see them", async () => {
    const { items } = await feed("huge-item.xml");
    const [essay, family, short] = items;
    expect(essay?.title).toMatch(/^An essay of (?:very )+very…$/);
    expect(essay?.title.length).toBeGreaterThan(260);
    expect(essay?.summary).toMatch(/^The quick brown fox 🦊 jumps over the lazy dog\. .{900,}…$/u);
    expect(family?.title).toMatch(/^(?:👩‍👩‍👧‍👦)+…$/u);
    expect(family?.title.length).toBeGreaterThan(280);
    expect(short?.title).toBe("Short");
  });

  it("lose what cannot be seen or stored", async () => {
    const { name, items } = await feed("control-characters.xml");
    expect(name).toBe("Control characters");
    expect(items).toMatchObject([{ title: "Tabs and linestxt.exe", summary: "a b\ufffdc\ufffdd🦀e" }]);
  });

  it("may be HTML that was not escaped", async () => {
    expect((await feed("unescaped-html.xml")).items).toMatchObject([
      { title: "Plain bold title", summary: "Not escaped, and not closed twice & for all" },
      { title: "Next", summary: "fine" },
    ]);
  });
});

describe("a document that is not as it should be", () => {
  it("is read up to where it breaks off", async () => {
    const { items, refused } = await feed("truncated.xml");
    expect(items).toMatchObject([{ title: "Whole", summary: "All of it." }]);
    expect(refused).toEqual({ "is cut off": 1 });
  });

  it("is read up to its end, and not what follows", async () => {
    expect(titles((await feed("trailing-garbage.xml")).items)).toEqual(["Kept"]);
  });

  it.each([
    ["in upper case", "upper-case.xml", "Loud"],
    ["with the type of a page", "wrong-type.xml", "Still a feed"],
    ["after blank lines", "bom-and-blank-lines.xml", "After blank lines"],
    ["with another format in its texts", "mentions-other-formats.xml", "What an RSS file looks like"],
  ])("is read %s", async (_, file, title) => {
    expect(titles((await feed(file)).items)).toEqual([title]);
  });

  it.each([
    ["feeds/page-without-feed.html", "It is a web page, not a feed, and it links to no feed."],
    ["feeds/opml.xml", "It is not a feed."],
    ["feeds/broken-json.txt", "It looks like JSON, but cannot be read as such."],
    ["feeds/other.json", "It is JSON, but not a JSON Feed."],
    ["feeds/no-channel.xml", "It looks like a feed, but cannot be read as one."],
    ["feeds/truncated-early.xml", "It looks like a feed, but cannot be read as one."],
    ["empty/a", "It is empty."],
  ])("is no feed: %s", async (path, detail) => {
    expect(await readPath(path)).toEqual(unreadable(detail));
  });

  it("is a page, whose feed is named", async () => {
    const reading = await readPath("feeds/page.html");
    expect(reading).toEqual(
      unreadable(expect.stringMatching(/^It is a web page, not a feed\. Its feed is at http:\S+$/) as string),
    );
    expect(reading).toMatchObject({ detail: expect.stringMatching(/\/feed\.xml$/) as string });
  });
});
