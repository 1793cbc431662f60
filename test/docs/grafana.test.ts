/** The files in grafana/ name only what the service has, and have a rule for all that operators are told to alarm on. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../e2e/local-run.ts";

type Query = {
  readonly expr?: string;
  readonly query?: string;
  readonly url?: string;
  readonly root_selector?: string;
};
type Panel = {
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly targets: readonly Query[];
};
type Variable = { readonly type: string; readonly name: string; readonly query: string };
type Dashboard = { readonly panels: readonly Panel[]; readonly templating: { readonly list: readonly Variable[] } };
type Rule = { readonly data: readonly { readonly datasourceUid: string; readonly model: Query }[] };

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const find = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, found = ""]) => found);

const { panels, templating } = JSON.parse(read("grafana/dashboard.json")) as Dashboard;
const { rules } = (parse(read("grafana/alerts.yaml")) as { groups: [{ rules: Rule[] }] }).groups[0];
const operations = read("docs/operations.md");
const source = globSync("src/**/*.{ts,tsx}", { cwd: ROOT }).map(read).join("\n");

const queries = [
  ...panels.flatMap(({ targets }) => targets),
  ...rules.flatMap(({ data }) => data.map((each) => each.model)),
];
const logQueries = queries.flatMap(({ expr }) => expr ?? []);
const listMessages = (expr: string): string[] => find(expr, /\bmessage=~`([^`]+)`/g).flatMap((some) => some.split("|"));

it("asks Loki for members and messages of the log", () => {
  const calls = find(source, /\blog\(\{([^}]*)\}/g).map((call) => call.replaceAll(/"[^"]*"|`[^`]*`/g, ""));
  const logged = new Set(calls.flatMap((call) => find(call, /(?<=^|,)\s*(\w+)\s*(?=[:,]|$)/g)));
  for (const expr of logQueries) {
    const grouped = find(expr, /\bby \(([^)]*)\)/g).flatMap((names) => names.split(", "));
    const filtered = find(expr, /\| (\w+) ?(?:=|!=|>=)/g);
    const named = [...grouped, ...filtered, ...find(expr, /\bunwrap (\w+)/g)];
    for (const name of named) expect([...logged, "service_name", "__error__"], expr).toContain(name);
    for (const message of listMessages(expr)) expect(source, expr).toContain(`"${message}"`);
  }
});

it("asks /healthz for its members, and Tempo for attributes of spans", () => {
  const members = new Set(find(operations.match(/```json\n(\{.*?)```/s)?.[1] ?? "", /"(\w+)":/g));
  const spans = find(source, /\binSpan\(([^;]*)/g).join("\n");
  for (const { url, root_selector: selector = "", query = "" } of queries) {
    if (url !== undefined) expect(source).toContain(`  "${url.replace(/^\$\{\w+\}/, "")}": async`);
    for (const name of find(selector, /\.([a-z]\w*)/g)) expect([...members, "key", "value"]).toContain(name);
    for (const name of find(query, /\bspan\.(\w+)/g)) expect(spans).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

it("declares every data source and variable", () => {
  const { list } = templating;
  for (const { datasource } of panels) {
    const { type, uid } = datasource;
    expect(list).toContainEqual(expect.objectContaining({ type: "datasource", query: type, name: uid.slice(2, -1) }));
  }
  const used = find(JSON.stringify(panels), /\$\{?(\w+)/g).filter((name) => name !== "__auto");
  expect(new Set(used)).toEqual(new Set(list.map(({ name }) => name)));
  // The rules have none of their own: envsubst fills them in.
  const filled = find(operations, /envsubst '([^']+)'/g).flatMap((names) => find(names, /\$(\w+)/g));
  expect(new Set(find(read("grafana/alerts.yaml"), /\$\{(\w+)\}/g))).toEqual(new Set(filled));
});

it("has a rule for every message to alarm on, and for /healthz", () => {
  const logs = operations.match(/^## Logs$(.*?)^## /ms)?.[1] ?? "";
  const toAlarmOn = find(logs, /`(\w+ [^`]+)`/g);
  const models = rules.flatMap(({ data }) => data.map(({ model }) => model));
  expect(models.flatMap(({ expr = "" }) => listMessages(expr)).toSorted()).toEqual(toAlarmOn.toSorted());
  expect(models).toContainEqual(expect.objectContaining({ url: "${BASE_URL}/healthz" }));
});
