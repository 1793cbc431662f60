/** What the commands make of their arguments, before and in what they ask the service. */
import { describe, expect, it } from "vitest";
import { ERRORS } from "../../src/domain/errors.ts";
import { errorIn, resultIn, useProgram, type CallOptions } from "./program.ts";
import { answering, json, refuse, type Handler } from "./scripted-server.ts";

const program = useProgram();
const BLOG = "019a9d3c-8f5e-7c2a-9b1d-3e4f5a6b7c8d";
const ARTICLE = "019a9d3c-1b2c-7d3e-8f4a-5b6c7d8e9f0a";

/** Runs a command against a server that behaves so. */
async function against(handler: Handler, args: readonly string[], options: CallOptions = {}) {
  const server = await answering(handler);
  const env = { EDGEPRESS_URL: server.url, EDGEPRESS_API_KEY: "epk_of_the_test" };
  return { outcome: await program.call(args, { ...options, env }), asked: server.asked };
}

const nothing: Handler = (_, response) => json(response, {});

describe("articles create", () => {
  it.each([
    [["--content", "-"], "# Heading\n"],
    [["--title", "", "--content", "-"], ""],
    [["--title", " "], ""],
    [[], ""],
  ])("with %j is refused: nobody means an article without a title", async (args, input) => {
    const command = ["articles", "create", "--blog", BLOG, ...args, "--json"];
    const { outcome, asked } = await against(nothing, command, { input });
    expect(errorIn(outcome)).toMatchObject({
      code: "usage",
      exit: 2,
      message: "An article needs a title: --title.",
      hint: expect.stringContaining("edgepress import"),
    });
    expect(asked).toEqual([]);
  });

  it("has a title in every example", async () => {
    for (const args of [["--help"], ["articles", "create", "--help"]]) {
      const examples = (await program.call(args)).stdout.match(/^ {2}\$ .*articles create.*$/gm) ?? [];
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(example).toContain("--title");
    }
  });
});

describe("articles generate", () => {
  const generate = (handler: Handler, ...args: string[]) =>
    against(handler, ["articles", "generate", "--blog", BLOG, "--json", ...args]);

  const generated: Handler = ({ method }, response) => {
    if (method === "GET") return json(response, { _id: ARTICLE });
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.end('event: result\ndata: {"article":{},"metadata":{"checks":[],"degradations":[]}}\n\n');
  };

  it("takes an article by its slug, as other commands do", async () => {
    const { outcome, asked } = await generate(generated, "--article", "slow-mornings", "--locale", "de");
    expect(outcome.code, outcome.stderr).toBe(0);
    const [read, write] = asked;
    expect([read?.path, read?.query.get("blogId")]).toEqual(["/api/articles/slow-mornings", BLOG]);
    expect(JSON.parse(write?.body ?? "")).toMatchObject({ articleId: ARTICLE, locale: "de" });
  });

  it("asks nothing more for an id", async () => {
    const { asked } = await generate(generated, "--article", ARTICLE);
    expect(asked.map(({ method }) => method)).toEqual(["POST"]);
    expect(JSON.parse(asked[0]?.body ?? "")).toMatchObject({ articleId: ARTICLE, blogId: BLOG });
  });

  it("is not asked for again where another server answers", async () => {
    const { outcome, asked } = await generate((_, response) => json(response, {}, 404), "--topic", "Ferries");
    expect(errorIn(outcome)).toMatchObject({ code: "invalid_answer", status: 404 });
    expect(asked).toHaveLength(1);
  });

  const otherBlog: Handler = (_, response) => {
    const errors = [{ path: "blogId", message: "is not the blog of the topic idea or article; leave it out" }];
    json(response, { status: 400, code: "invalid_request", detail: "blogId: …", errors }, 400);
  };

  it.each(["--article", "--topic-id"])("speaks of --blog where %s has another blog", async (option) => {
    const { outcome } = await generate(otherBlog, option, ARTICLE);
    expect(errorIn(outcome)).toEqual({
      code: "invalid_request",
      exit: 2,
      status: 400,
      message: "--blog names another blog than that of the idea or article.",
      hint: "Leave out --blog, or name that blog.",
    });
  });
});

it("what the service tells programs by default, of headers and paths, is a title and a hint here", async () => {
  const { title, help: detail, hint } = ERRORS.precondition_failed;
  const problem = { status: 412, code: "precondition_failed", title, detail };
  const { outcome } = await against((_, response) => json(response, problem, 412), ["blogs", "list", "--json"]);
  expect(errorIn(outcome)).toMatchObject({ message: `${title}.`, hint });
});

it("a blog that is not there is named with the way to see those that are", async () => {
  const { outcome } = await against(
    (_, response) => refuse(response, 404, "not_found"),
    ["articles", "list", "--blog", "Field Notes", "--json"],
  );
  expect(errorIn(outcome)).toMatchObject({
    code: "not_found",
    exit: 5,
    hint: "To see the blogs: edgepress blogs list",
  });
});

it("topics refresh says why items were left out", async () => {
  const source = { state: "read", found: 6, created: 0, merged: 0, reason: null, detail: null };
  const refused = [
    { reason: "is known", count: 5 },
    { reason: "has no title", count: 2 },
    { reason: "is older than a year", count: 1 },
  ];
  const sources = [
    { ...source, source: { kind: "feed", name: "Ferries" }, refused },
    { ...source, source: { kind: "feed", name: "Trains" }, refused, state: "failed", detail: "It is gone." },
  ];
  const { outcome } = await against(
    (_, response) => json(response, { _id: ARTICLE, blogId: BLOG, state: "done", sources }),
    ["topics", "refresh", "--blog", BLOG],
  );
  const rows = outcome.stdout.split("\n").map((row) => row.trim().split(/ {2,}/));
  expect(rows[1]).toEqual([
    "Ferries",
    "read",
    "6",
    "0",
    "0",
    "8",
    "5 are known, 2 have no title, 1 is older than a year",
  ]);
  expect(rows[2]?.at(-1)).toBe("It is gone.");
});

it.each([
  [["blogs", "update", BLOG, "--topic-sources", "-"], /^Standard input is not JSON/],
  [["import", "", "--blog", BLOG], /^Name the folder or file to import\.$/],
  [["export", "", "--blog", BLOG], /^Name the folder to export to\.$/],
])("%j is refused in words that name something", async (args, message) => {
  const { outcome, asked } = await against(nothing, [...args, "--json"], { input: "{" });
  expect(errorIn(outcome)).toMatchObject({ exit: 2, message: expect.stringMatching(message) });
  expect(asked).toEqual([]);
});

it("the limit of one is singular", async () => {
  const { outcome } = await against(
    (_, response) => json(response, [{ _id: ARTICLE }, { _id: BLOG }]),
    ["articles", "list", "-b", BLOG, "--limit", "1"],
  );
  expect(outcome.stderr).toBe("There is more than 1 article: see --limit and --all.\n");
});

it("articles bulk shows what has been done, also if a later request fails", async () => {
  const ids = Array.from({ length: 150 }, (_, n) => `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`);
  let requests = 0;
  const { outcome } = await against(
    ({ body }, response) => {
      if (requests++ > 0) return refuse(response, 500, "internal");
      const { articleIds } = JSON.parse(body) as { articleIds: string[] };
      json(
        response,
        articleIds.map((_id) => ({ _id, outcome: "changed" })),
      );
    },
    ["articles", "bulk", "publish", ...ids, "--json"],
  );
  expect(errorIn(outcome)).toMatchObject({ code: "internal" });
  expect(resultIn(outcome)).toHaveLength(100);
});
