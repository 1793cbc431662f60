/** Writes the examples in TypeScript, with `@edgepress/client` (packages/client). */

type Named = (call: Call) => string;

/** Operations with a method of their own. All others use `client.request`. */
const METHODS: Readonly<Record<string, Named>> = {
  "articles.list": (call) => `await client.articles.list(${toLiteral(parseQuery(call))}).all(20)`,
  "articles.get": (call) => `await client.articles.get(${getLastPart(call)})`,
  "articles.search": (call) => `await client.articles.search(${toLiteral(parseQuery(call))}).all(20)`,
  "articles.save": ({ body }) => `await client.articles.create(${toLiteral(body)})`,
  "articles.delete": (call) => `await client.articles.delete(${getLastPart(call)})`,
  "previews.create": ({ body, target }) =>
    `await client.previews.create("${getPathPart(target, 3)}", ${toLiteral(body)})`,
  "blogs.show.byPath": (call) => `await client.blogs.get(${getLastPart(call)})`,
  "blogs.search": (call) =>
    `await client.blogs.search("${getPathPart(call.target, 2)}", ${toLiteral(parseQuery(call))})`,
  "contacts.subscribe": ({ body, target }) =>
    `await client.blogs.subscribe("${getPathPart(target, 2)}", ${toLiteral(body)})`,
  "tags.list": (call) => `await client.tags.list(${toLiteral(parseQuery(call))}).all()`,
  "authors.list": (call) => `await client.authors.list(${toLiteral(parseQuery(call))}).all()`,
};

const CREDENTIALS = {
  key: "apiKey: process.env.EDGEPRESS_API_KEY",
  operator: "operatorToken: process.env.EDGEPRESS_OPERATOR_TOKEN",
  nobody: null,
} as const;

/** Returns null for files and feeds, which the client does not handle. */
export function writeTypescript(id: string, call: Call): string | null {
  if (call.sendsFile || isFile(call.target)) return null;
  const credentials = CREDENTIALS[call.caller];
  const named = METHODS[id];
  return [
    `import { createClient } from "@edgepress/client";`,
    "",
    "const client = createClient({",
    `  url: process.env.EDGEPRESS_URL ?? "http://127.0.0.1:8787",`,
    ...(credentials === null ? [] : [`  ${credentials},`]),
    "});",
    named === undefined
      ? `const { value } = await client.request(${toLiteral(toRequest(call))});`
      : `const value = ${named(call)};`,
    "console.log(value);",
  ].join("\n");
}

/** Returns true if the path leads to something that is not JSON. */
export const isFile = (target: string): boolean => target.startsWith("/media/") || /\.(?:xml|txt|md)$/.test(target);

function toRequest(call: Call): object {
  const { method, target, body } = call;
  const query = parseQuery(call);
  return {
    ...(method !== "GET" && { method }),
    path: target.split("?")[0],
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== null && { body }),
  };
}

/** Returns the parameters of the query. Digits become numbers. */
function parseQuery({ target }: Call): Record<string, string | number> {
  const [, words = ""] = target.split("?");
  const given = [...new URLSearchParams(words)];
  return Object.fromEntries(given.map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]));
}

const getPathPart = (target: string, nth: number): string => target.split("?")[0]?.split("/")[nth] ?? "";
const getLastPart = ({ target }: Call): string =>
  JSON.stringify(decodeURIComponent(target.split("?")[0]?.split("/").at(-1) ?? ""));

function toLiteral(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => toLiteral(each, indent)).join(", ")}]`;
  const deeper = `${indent}  `;
  const members = Object.entries(value).map(([name, each]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
    return `${key}: ${toLiteral(each, deeper)}`;
  });
  const line = `{ ${members.join(", ")} }`;
  if (members.length === 0) return "{}";
  if (line.length + indent.length < 50 && !line.includes("\n")) return line;
  return `{\n${members.map((member) => `${deeper}${member},\n`).join("")}${indent}}`;
}

/** Who calls: an operator if only they may, nobody if credentials add nothing. */
export type Caller = "key" | "operator" | "nobody";

export type Call = {
  readonly method: string;
  readonly target: string;
  readonly body: object | null;
  readonly sendsFile: { readonly name: string; readonly type: string } | null;
  readonly caller: Caller;
};
