/** `topics list`, of the demo's ideas. */
import { beforeAll, expect, it } from "vitest";
import { sharedRun } from "../e2e/shared.ts";
import { errorIn, resultIn, useProgram } from "./program.ts";

type Idea = { _id: string; title: string; status: string; source: { name: string } };

const program = useProgram();
const { local } = await sharedRun();
/** As the service lists them. */
let ideas: Idea[];

const edgepress = (args: readonly string[]) =>
  program.call(args, { env: { EDGEPRESS_URL: local.baseUrl, EDGEPRESS_API_KEY: local.apiKey } });

const list = (...options: string[]) => edgepress(["topics", "list", "--blog", "field-notes", ...options]);

const api = (path: string, options: { method?: string; body?: string } = {}) =>
  fetch(`${local.baseUrl}/api/topics${path}`, {
    ...options,
    headers: { Authorization: `Basic ${btoa(`${local.apiKey}:`)}`, "Content-Type": "application/json" },
  });

beforeAll(async () => {
  // The start waits for the first refresh only for a while.
  const { code, stderr } = await edgepress(["topics", "refresh", "--blog", "field-notes"]);
  expect(code, stderr).toBe(0);
  ideas = (await (await api(`?blogId=${local.blogId}`)).json()) as Idea[];
  expect(ideas.length).toBeGreaterThan(2);
});

it("shows them as JSON, best first as the service has them", async () => {
  const outcome = await list("--json");
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
  expect(resultIn(outcome)).toEqual(ideas);
});

it("shows them as a table", async () => {
  const { code, stdout, stderr } = await list();
  expect([code, stderr]).toEqual([0, ""]);
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ["ID", "STATUS", "SOURCE", "TITLE"],
    ...ideas.map(({ _id, status, source, title }) => [_id, status, source.name, title]),
  ]);
});

it("shows as many as are asked for, and says that there are more", async () => {
  expect(resultIn(await list("--limit", "1", "--json"))).toEqual(ideas.slice(0, 1));
  const { stdout, stderr } = await list("--limit", "1");
  expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(stderr).toBe("There is more than 1 idea: see --limit.\n");
});

it("shows those of one status", async () => {
  const [first, dismissed, ...others] = ideas;
  const body = JSON.stringify({ status: "dismissed" });
  expect((await api(`/${dismissed?._id}`, { method: "PATCH", body })).status).toBe(200);
  expect(resultIn(await list("--status", "new", "--json"))).toEqual([first, ...others]);
  expect(resultIn(await list("--status", "dismissed", "--json"))).toMatchObject([{ _id: dismissed?._id }]);
  expect((await list("--status", "used")).stdout).toBe("No ideas.\n");
  expect(errorIn(await list("--status", "old", "--json"))).toMatchObject({ code: "usage", exit: 2 });
});
