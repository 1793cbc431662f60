/** Imports of articles whose date is still to come: a draft, and a schedule of the service for that time. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Remarks } from "../../packages/import/remarks.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { ghostFile, readSource, useFiles, wordpressFile, wordpressItem, readMarkdown } from "./source-files.ts";
import { none, useImports } from "./transfer-imports.ts";

const { uses, imported, run } = useImports();
const files = useFiles();

const DAY = 86_400_000;
/** A time in some days, as the service writes it. */
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const tomorrow = inDays(1);

const dated = (date: string, ...more: string[]) =>
  ["---", "title: Later", `date: ${date}`, ...more, "---", ""].join("\n");
const stored = () => [...uses.server.articles.values()].map(({ slug, published }) => ({ slug, published }));
const scheduled = () => Object.fromEntries(uses.server.schedules);

const FUTURE = { what: "articles whose date is in the future, imported as drafts and scheduled for it", times: 1 };

describe("an article whose date is in the future", () => {
  it("becomes a draft that is scheduled for it, once, and a dry run says so", async () => {
    const folder = uses.program.folder({ "later.md": dated(tomorrow, "published: true") });
    const dry = await imported(folder, "--dry-run");
    expect(dry).toMatchObject({ code: 0, counts: { ...none, created: 1 }, remarks: [FUTURE] });
    expect(scheduled()).toEqual({});
    expect(await imported(folder)).toMatchObject({ code: 0, counts: dry.counts, remarks: [FUTURE] });
    expect(stored()).toEqual([{ slug: "later", published: false }]);
    expect(scheduled()).toEqual({ "article-1": tomorrow });
    const { requests } = uses.server.told;
    expect(await imported(folder, "--no-settings")).toMatchObject({ counts: { ...none, unchanged: 1 } });
    expect(uses.server.told.requests).toBeLessThanOrEqual(requests + 2);
  });

  it("is scheduled by the next import where this one ended before that", async () => {
    const folder = uses.program.folder({ "later.md": dated(tomorrow, "published: true") });
    const { behaviour, articles, schedules } = uses.server;
    behaviour.refuse = () =>
      articles.size === 0 ? null : { status: 502, value: { status: 502, code: "bad_gateway" } };
    expect((await run(folder, ["--json"])).code).toBe(1);
    expect([articles.size, schedules.size]).toEqual([1, 0]);
    behaviour.refuse = null;
    expect(await imported(folder)).toMatchObject({ code: 0, failed: [] });
    expect(scheduled()).toEqual({ "article-1": tomorrow });
    expect(articles.size).toBe(1);
  });

  it("follows its file: another time, a draft without one", async () => {
    const folder = uses.program.folder({ "later.md": dated(tomorrow, "published: true") });
    await imported(folder);
    const change = (text: string) => writeFileSync(path.join(folder, "later.md"), text);
    change(dated(inDays(400), "published: true"));
    await imported(folder);
    expect(Object.values(scheduled())).toEqual([expect.stringMatching(/^20/)]);
    expect(Object.values(scheduled())).not.toEqual([tomorrow]);
    change(dated(tomorrow, "published: false"));
    const outcome = await imported(folder);
    expect(outcome.remarks).toEqual([{ what: "drafts whose date is in the future, not scheduled", times: 1 }]);
    expect(scheduled()).toEqual({});
  });

  it.each([
    ["a draft", "published: false", [], "drafts whose date is in the future, not scheduled"],
    ["by --drafts", "published: true", ["--drafts"], "drafts whose date is in the future, not scheduled"],
  ])("stays without a schedule if it is one, %s", async (_, line, more, remark) => {
    const folder = uses.program.folder({ "later.md": dated(tomorrow, line) });
    expect(await imported(folder, ...more)).toMatchObject({ code: 0, remarks: [{ what: remark, times: 1 }] });
    expect(stored()).toEqual([{ slug: "later", published: false }]);
    expect(scheduled()).toEqual({});
  });

  it("is only a draft if the service takes no schedule for so late, and is public if its date is over", () => {
    const read = (date: string) => {
      const remarks = new Remarks();
      const article = readMarkdown(dated(date), "a.md", { publication: "publish" }, remarks);
      return { ...article, said: remarks.listNotes().map(({ reason }) => reason) };
    };
    const late = read(inDays(366 * (LIMITS.scheduleYears + 1)));
    expect(late).toMatchObject({ published: false, said: [expect.stringContaining("10 years ahead")] });
    expect(late.scheduledTime).toBeUndefined();
    const over = read(inDays(-1));
    expect(over).toMatchObject({ published: true, said: [], extras: { publishTime: expect.any(String) } });
    expect(over.scheduledTime).toBeUndefined();
  });
});

describe("a scheduled post of another system", () => {
  const ghost = (published_at: string) =>
    files.file(ghostFile([{ id: "1", title: "Later", status: "scheduled", visibility: "public", published_at }]));
  const wordpress = (time: string) => {
    const more = `<wp:post_date_gmt>${time.slice(0, 19).replace("T", " ")}</wp:post_date_gmt>`;
    return files.file(wordpressFile([wordpressItem({ id: "1", name: "later", status: "future", more })]));
  };

  it.each([
    ["Ghost", ghost],
    ["WordPress", wordpress],
  ])("keeps its time, unless it is over: %s", async (_, exported) => {
    const to = (time: string) => time.replace(/\.\d+Z$/, ".000Z");
    const [ahead, over] = [to(tomorrow), to(inDays(-1))];
    const later = await readSource(exported(ahead));
    expect(later.articles["post-1"]).toMatchObject({ published: false, scheduledTime: ahead });
    const drafts = await readSource(exported(ahead), { publication: "drafts" });
    expect(drafts.articles["post-1"]?.scheduledTime).toBeUndefined();
    const missed = await readSource(exported(over));
    expect(missed.articles["post-1"]).toMatchObject({ published: false });
    expect(missed.articles["post-1"]?.scheduledTime).toBeUndefined();
  });
});
