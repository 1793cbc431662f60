/** The commands about schedules, against the service as `npm start` runs it. */
import { describe, expect, it } from "vitest";
import { useService } from "./service.ts";

const { json, newBlog } = await useService();

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
