/** Contract 16.1: the list of endpoints is that of the routes. */
import { expect, it } from "vitest";
import document from "../../docs/contract/16-endpoints.md?raw";
import { routes } from "../../src/surfaces/rest/routes.ts";

/** What the service answers beside its operations. */
const OTHERS = [
  "GET /blogs/{}/articles/{}.md",
  "GET /blogs/{}/atom.xml",
  "GET /blogs/{}/feed.json",
  "GET /blogs/{}/feed.xml",
  "GET /blogs/{}/llms.txt",
  "GET /blogs/{}/sitemap.xml",
  "GET /blogs/{}/subscribe",
  "GET /blogs/{}/subscribe/{}",
  "GET /blogs/{}/unsubscribe/{}",
  "GET /healthz",
  "GET /media/{}",
  "GET /openapi.json",
  "GET /previews/{}",
  "POST /blogs/{}/subscribe",
  "POST /blogs/{}/subscribe/{}",
  "POST /blogs/{}/unsubscribe/{}",
];

/** Leaves out the names of parameters, of Hono's paths as of the document's. */
const unnamed = (path: string): string => path.replace(/:\w+|\{\w+\}/g, "{}");

/** The endpoints at the head of a line such as "`GET`, `POST /api/tags` · `GET /api/tags/{tagId}`". */
function endpointsIn(line: string): string[] {
  const waiting: string[] = [];
  return [...line.matchAll(/`([A-Z]+)(?: (\/[^`]*))?`/g)].flatMap(([, method = "", path]) => {
    waiting.push(method);
    return path === undefined ? [] : waiting.splice(0).map((each) => `${each} ${unnamed(path)}`);
  });
}

it("names every route of the service, and no other", () => {
  const [, section = ""] = /## 16\.1 [^\n]*\n([^]*?)\n## 16\.2/.exec(document) ?? [];
  const listed = [...section.matchAll(/^- (`.*?): /gm)].flatMap(([, line = ""]) => endpointsIn(line));
  const served = routes.map(({ method, path }) => `${method.toUpperCase()} ${unnamed(path)}`);
  expect(listed.toSorted()).toEqual([...served, ...OTHERS].toSorted());
});
