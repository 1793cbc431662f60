/** The commands about schedules, against the service as `npm start` runs it. */
import { describe, expect, it } from "vitest";
import { useService } from "./service.ts";

const { edgepress, json, refused, newBlog } = await useService();

const NEXT_YEAR = new Date().getUTCFullYear() + 1;

describe("a time", () => {
  it("may have a space in the place of its T", async () => {
    const blog = await newBlog();
    const spaced = "2020-01-02 03:04:05Z";
    const { _id } = await json(["articles", "create", "--title", "Later", "--publish-time", spaced, "--blog", blog]);
    expect(await json(["articles", "get", _id])).toMatchObject({ publishTime: "2020-01-02T03:04:05.000Z" });
    const times = ["--publish", `${NEXT_YEAR}-01-10 09:00`, "--unpublish", `${NEXT_YEAR}-02-01 18:30`];
    expect(await json(["articles", "schedule", _id, ...times, "--zone", "Asia/Tokyo"])).toMatchObject({
      publishTime: `${NEXT_YEAR}-01-10T00:00:00.000Z`,
      unpublishTime: `${NEXT_YEAR}-02-01T09:30:00.000Z`,
    });
  });
});

describe("what is scheduled", () => {
  it("is listed with the ids of its articles and both times, so that it can be ended", async () => {
    const blog = await newBlog();
    const { _id } = await json(["articles", "create", "--title", "Sale", "--blog", blog]);
    const times = ["--publish", `${NEXT_YEAR}-01-10T09:00Z`, "--unpublish", `${NEXT_YEAR}-02-01T18:30Z`];
    await json(["articles", "schedule", _id, ...times]);
    const { stdout } = await edgepress(["schedules", "--blog", blog]);
    expect(stdout).toMatch(/^ARTICLE +NEXT \(UTC\) +ACTION +UNPUBLISH \(UTC\) +STATE +LOCALE +TITLE\n/);
    expect(stdout).toContain(`${_id}  ${NEXT_YEAR}-01-10 09:00  publish  ${NEXT_YEAR}-02-01 18:30`);
    const [listed = ""] = /^[\da-f-]{36}/m.exec(stdout) ?? [];
    await json(["articles", "unschedule", listed]);
    expect(await refused(["articles", "unschedule", listed])).toMatchObject({
      code: "not_found",
      exit: 5,
      message: expect.stringMatching(/^“Sale” .* is not scheduled\.$/),
    });
    expect(await refused(["articles", "unschedule", "no-such", "--blog", blog])).not.toMatchObject({
      message: expect.stringContaining("not scheduled"),
    });
  });
});

describe("many articles at once", () => {
  it("are scheduled by id or slug, and nothing is changed where one is not to be found", async () => {
    const blog = await newBlog();
    const { _id } = await json(["articles", "create", "--title", "First", "--blog", blog]);
    await json(["articles", "create", "--title", "Second", "--blog", blog]);
    const bulk = ["articles", "bulk", "schedule", _id.toUpperCase(), "second", "--blog", blog];
    const times = ["--publish", `${NEXT_YEAR}-01-10 09:00`, "--zone", "Asia/Tokyo"];
    expect(await refused(bulk)).toMatchObject({ code: "usage", exit: 2 });
    const message = "third: There is no such article.";
    expect(await refused([...bulk, "third", ...times])).toMatchObject({ code: "not_found", exit: 5, message });
    expect(await json(["schedules", "--blog", blog])).toEqual([]);
    expect(await json([...bulk, "first", ...times])).toMatchObject([{ outcome: "changed" }, { outcome: "changed" }]);
    expect(await json(["schedules", "--blog", blog])).toMatchObject(
      ["first", "second"].map((slug) => ({ slug, publishTime: `${NEXT_YEAR}-01-10T00:00:00.000Z` })),
    );
    const published = await json(["articles", "bulk", "publish", "first", "second", "--blog", blog]);
    expect(published).toMatchObject([{ _id, outcome: "changed" }, { outcome: "changed" }]);
  });
});
