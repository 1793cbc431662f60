/** `events`: the feed as lines, and the place that it keeps (docs/cli.md). */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { interruptOnce } from "./ctrl-c.ts";
import { errorIn, useProgram } from "./program.ts";
import { answering, json, refuse, type Handler } from "./scripted-server.ts";

const program = useProgram();

const NAMES = ["a", "b", "c"];
const events = NAMES.map((_id, n) => ({
  _id,
  event: "article.updated",
  blogId: "blog",
  timestamp: 1_795_168_379 + n,
  data: { _id: "x", title: `Title ${_id}`, changed: ["content", "title"] },
}));

/** Answers like a feed of three events with pages of two. */
const feed: Handler = ({ query }, response) => {
  const after = query.get("after");
  const begin = after === null ? 0 : after === "end" ? NAMES.length : NAMES.indexOf(after) + 1;
  const page = events.slice(begin, begin + 2);
  const next = begin + 2 >= NAMES.length ? "end" : page.at(-1)?._id;
  json(response, page, 200, { Link: `</api/events?after=${next}>; rel="next"` });
};

const call = (url: string, args: readonly string[], more = {}) =>
  program.call(["events", ...args], {
    env: { EDGEPRESS_URL: url, EDGEPRESS_OPERATOR_TOKEN: "ept_of_the_test" },
    ...more,
  });

it("prints a line for each event to the end of the feed, and goes on from its file the next time", async () => {
  const { url, asked } = await answering(feed);
  const state = path.join(program.folder(), "cursor");
  const first = await call(url, ["--state", state, "--kinds", "article.updated"]);
  expect([first.code, first.stdout.trim().split("\n")]).toEqual([
    0,
    NAMES.map((name) =>
      expect.stringMatching(new RegExp(`article\\.updated  Title ${name}  changed: content, title  ${name}$`)),
    ),
  ]);
  expect(asked.map(({ query }) => query.get("after"))).toEqual([null, "b", "end"]);
  expect(asked.map(({ query }) => query.get("kinds"))).toEqual(Array(3).fill("article.updated"));
  expect(readFileSync(state, "utf8").trim()).toBe("end");
  writeFileSync(state, "b\n");
  const again = await call(url, ["--state", state, "--json"]);
  expect(
    again.stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { _id: string })._id),
  ).toEqual(["c"]);
  expect(errorIn(await call(url, ["--state", state, "--after", "latest", "--json"]))["code"]).toBe("usage");
});

it("keeps the place behind the last event that it printed if it is interrupted", async () => {
  const { url } = await answering(feed);
  const state = path.join(program.folder(), "cursor");
  const { code } = await call(url, ["--state", state, "--json"], {
    onOutput: interruptOnce(({ stdout }) => stdout.includes("Title b")),
  });
  expect(code).toBe(130);
  // The second one was printed, but perhaps not handled.
  expect(readFileSync(state, "utf8").trim()).toBe("a");
  expect(readdirSync(program.folder()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

it("--follow waits for more, with the credential of an operator", async () => {
  const { url, asked } = await answering(feed);
  const waits = () => asked.filter(({ query }) => query.get("wait") === "25").length;
  const { code } = await call(url, ["--follow"], { onOutput: interruptOnce(() => waits() > 0) });
  expect(code).toBe(130);
  expect(asked[0]?.query.get("wait")).toBeNull();
  expect(asked[0]?.headers.authorization).toBe("Token ept_of_the_test");
});

it("says what to do if the place has expired, and leaves the file as it is", async () => {
  const { url } = await answering((_, response) => refuse(response, 410, "cursor_expired"));
  const state = path.join(program.folder(), "cursor");
  writeFileSync(state, "old\n");
  const { code, stderr } = await call(url, ["--state", state]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("--after latest")]);
  expect(existsSync(state) && readFileSync(state, "utf8")).toBe("old\n");
});
