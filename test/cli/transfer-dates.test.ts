/** The dates of imported articles: the same in every time zone of the computer, and none from what is no date. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ghostFile, readSource, useFiles, wordpressFile, wordpressItem } from "./source-files.ts";

const files = useFiles();

beforeEach(() => {
  vi.stubEnv("TZ", "Europe/Berlin");
  expect(new Date(2022, 6, 8).toISOString()).toBe("2022-07-07T22:00:00.000Z");
});
afterEach(() => vi.unstubAllEnvs());

const markdown = (...lines: string[]) => ["---", "title: T", ...lines, "---", ""].join("\n");

const timeOf = async (at: string, key: string) => {
  const { articles, failed, remarks } = await readSource(at);
  expect(failed).toEqual({});
  return [articles[key]?.extras?.publishTime, remarks.filter((remark) => remark.includes("dates"))];
};

it.each([
  ['pubDate: "Jul 08 2022"', "2022-07-08T00:00:00.000Z"],
  ["date: 2024-01-31", "2024-01-31T00:00:00.000Z"],
  ["date: 2024-01-31 10:00:00 +0100", "2024-01-31T09:00:00.000Z"],
  ["date: 2024-01-31T10:00:00", "2024-01-31T10:00:00.000Z"],
  ["date: 2024/01/31 10:00", "2024-01-31T10:00:00.000Z"],
  ["publishTime: 2024-01-31T10:00:01.001Z", "2024-01-31T10:00:01.001Z"],
])("a file's %s is read in UTC, unless it says a zone", async (line, expected) => {
  expect(await timeOf(files.folder({ "a.md": markdown(line) }), "a.md")).toEqual([expected, []]);
});

it.each([
  ["2024-01-31-hello.md", "layout: post", "hello", "2024-01-31T00:00:00.000Z"],
  ["_posts/2024-1-5-hello.de.markdown", "layout: post", "hello", "2024-01-05T00:00:00.000Z"],
  ["2024-01-31-hello.md", "date: 2024-02-01 10:00 +0100", "hello", "2024-02-01T09:00:00.000Z"],
  ["2024-01-31-hello.md", "creationTime: 2023-01-01", "hello", "2024-01-31T00:00:00.000Z"],
  ["2024-02-30-hello.md", "layout: post", "2024-02-30-hello", undefined],
  ["2024-01-31-hello.md", "slug: 2024-01-31-hello", "2024-01-31-hello", undefined],
])("a file %s with %s is %s, from %s", async (name, line, slug, publishTime) => {
  const { articles } = await readSource(files.folder({ [name]: markdown(line) }));
  expect(articles[name]).toMatchObject({ slug, ...(publishTime && { extras: { publishTime } }) });
  expect(articles[name]?.extras?.publishTime).toBe(publishTime);
});

it.each(["Chapter 5", "01/31/2024", "2024-02-30"])("what is no date is left out, and said: %s", async (text) => {
  const said = `stays a draft: its date "${text}" cannot be read`;
  const folder = files.folder({ "a.md": markdown(`date: ${text}`, "published: true") });
  const ghost = files.file(ghostFile([{ id: "1", title: "T", status: "published", published_at: text }]));
  for (const at of [folder, ghost]) {
    const { articles, notes } = await readSource(at);
    expect(Object.values(articles)).toMatchObject([
      { published: false, extras: expect.not.objectContaining({ publishTime: expect.anything() }) },
    ]);
    expect(Object.values(notes)).toEqual([said]);
  }
});

it.each(["2020-03-02T09:00:00.000Z", "2020-03-02 09:00:00", 1_583_139_600_000])(
  "a post of Ghost is from %s",
  async (time) => {
    const file = files.file(ghostFile([{ id: "1", title: "T", status: "published", published_at: time }]));
    expect(await timeOf(file, "post-1")).toEqual(["2020-03-02T09:00:00.000Z", []]);
  },
);

const ZEROS = "0000-00-00 00:00:00";
/** The dates of a post: in UTC, by the site's clock, and of RSS. */
const wordpressDates = (utc: string, local = "", rss = "") =>
  `<wp:post_date_gmt>${utc}</wp:post_date_gmt><wp:post_date>${local}</wp:post_date><pubDate>${rss}</pubDate>`;

it.each([
  [wordpressDates("2020-03-02 09:00:00"), "2020-03-02T09:00:00.000Z"],
  ["<pubDate>Fri, 07 Jun 2013 03:00:44 +0000</pubDate>", "2013-06-07T03:00:44.000Z"],
  [wordpressDates(ZEROS, "2012-02-03 04:05:06", "Fri, 03 Feb 2012 09:05:06 +0000"), "2012-02-03T09:05:06.000Z"],
  // The site's clock, as other posts of the month show it.
  [wordpressDates(ZEROS, "2012-02-03 04:05:06", "Mon, 30 Nov -0001 00:00:00 +0000"), "2012-02-03T09:05:06.000Z"],
  [wordpressDates(ZEROS, "2012-07-03 04:05:06"), "2012-07-03T08:05:06.000Z"],
  [wordpressDates(ZEROS, ZEROS, "Mon, 30 Nov -0001 00:00:00 +0000"), undefined],
])("a post of WordPress with %s is from %s", async (more, expected) => {
  const known = [
    wordpressDates("2019-02-01 05:00:00", "2019-02-01 00:00:00"),
    wordpressDates("2019-07-01 04:00:00", "2019-07-01 00:00:00"),
  ];
  const items = [more, ...known].map((each, at) => wordpressItem({ id: String(at), name: `t${at}`, more: each }));
  const { articles, notes } = await readSource(files.file(wordpressFile(items)));
  expect(articles["post-0"]?.extras?.publishTime).toBe(expected);
  expect(articles["post-0"]?.published).toBe(expected !== undefined);
  expect(Object.values(notes)).toEqual(expected === undefined ? ["stays a draft: it has no date"] : []);
});

it("a draft of WordPress is not from when it was begun", async () => {
  const more = wordpressDates(ZEROS, "2012-02-03 04:05:06", "Fri, 03 Feb 2012 09:05:06 +0000");
  const file = files.file(wordpressFile([wordpressItem({ id: "1", name: "t", status: "draft", more })]));
  expect(await timeOf(file, "post-1")).toEqual([undefined, []]);
});

it("files are imported in the order of their dates, wherever a text of theirs only looks like one", async () => {
  const { order } = await readSource(
    files.folder({
      "a.md": markdown("date: 2024-01-31 00:30:00 +0100"),
      "b.md": markdown('date: "Jan 31 2024"'),
      "c.md": markdown("date: 2024-01-30T23:15:00Z"),
      "d.md": markdown("creationTime: Chapter 5", "date: 2024-02-01"),
      "2024-2-10-e.md": markdown(),
      "2024-02-09-f.md": markdown(),
    }),
  );
  expect(order).toEqual(["c.md", "a.md", "b.md", "d.md", "2024-02-09-f.md", "2024-2-10-e.md"]);
});

it("a flag is no date because it has a number in it", async () => {
  const folder = files.folder({
    "a.md": markdown("published: Chapter 5"),
    "b.md": markdown("published: Jul 08 2022"),
  });
  const { articles, notes } = await readSource(folder, { publication: "publish" });
  expect(notes).toEqual({ "a.md": 'stays a draft: it says "published: Chapter 5"' });
  expect(articles["b.md"]).toMatchObject({ published: true, extras: { publishTime: "2022-07-08T00:00:00.000Z" } });
});
