/** Reads and writes front matter at the start of a Markdown file: YAML (`---`), TOML (`+++`) or JSON (`{…}`, `;;;`). */
import { parse as parseTomlText, TomlDate } from "smol-toml";
import { isMap, isScalar, isSeq, parseDocument, stringify, type Document } from "yaml";
import { escapeQuoted } from "../../src/lib/yaml.ts";
import { toExportedExtras } from "./extras.ts";
import { FIELDS, Unusable, type Article } from "./article.ts";

/** Maximum characters of front matter. For unusual input, the YAML parser takes quadratic time. */
const MOST_CHARACTERS = 32 * 1024;

/** Scalars are texts as they are in the file: `1.10` is not a number, and `no` is not a boolean. */
export type Value = string | readonly Value[] | ReadonlyMap<string, Value | undefined>;
export type FrontMatter = ReadonlyMap<string, Value | undefined>;

/**
 * Splits a file into front matter and content. Skips one empty line between them. Throws `Unusable` if the front
 * matter, or what looks like it, cannot be read.
 */
export function splitFrontMatter(text: string): { frontMatter: FrontMatter; content: string } {
  // A byte order mark and empty lines may precede it. `{{`, `{%` and `{:` begin templates and attributes, not JSON.
  const [opening = "", mark = ""] =
    /^\s*(?:(---|\+{3}|;{3})[ \t]*\r?\n|\{(?=\s*(?:["'}]|[\w-]+\s*:)))/.exec(text) ?? [];
  if (opening === "") return { frontMatter: new Map(), content: text };
  const from = mark === "" ? opening.length - 1 : opening.length;
  const rest = text.slice(from, from + MOST_CHARACTERS);
  const end = mark === "" ? findJsonEnd(rest) : findBlockEnd(rest, mark);
  if (end === null) {
    throw new Unusable(
      text.length - from > MOST_CHARACTERS
        ? `its front matter is longer than ${MOST_CHARACTERS / 1024} KiB`
        : `its front matter has no closing ${mark === "" ? "brace" : `line ${mark}`}`,
    );
  }
  const after = text.slice(from + end.after);
  return { frontMatter: parseAs(mark, rest.slice(0, end.at)), content: after.replace(/^\r?\n/, "") };
}

type End = { readonly at: number; readonly after: number };

function findBlockEnd(rest: string, mark: string): End | null {
  const closing = { "---": /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m, "+++": /^\+{3}[ \t]*(?:\r?\n|$)/m }[mark];
  const end = (closing ?? /^;{3}[ \t]*(?:\r?\n|$)/m).exec(rest);
  return end && { at: end.index, after: end.index + end[0].length };
}

/** Returns the end of the object at the start of a text. The line of its last brace belongs to it. */
function findJsonEnd(rest: string): End | null {
  let depth = 0;
  for (const { 0: token, index } of rest.matchAll(/"(?:[^"\\]|\\[^])*"|[{}]/g)) {
    depth += token === "{" ? 1 : token === "}" ? -1 : 0;
    if (depth > 0) continue;
    const [line = ""] = /^[ \t]*(?:\r?\n|$)/.exec(rest.slice(index + 1)) ?? [];
    return { at: index + 1, after: index + 1 + line.length };
  }
  return null;
}

function parseAs(mark: string, text: string): FrontMatter {
  if (mark === "---") return parseYaml(text);
  return mark === "+++" ? parseToml(text) : parseJson(mark === "" ? text : `{${text}}`);
}

/** Reads JSON as YAML, which keeps numbers as they are written and refuses duplicate names. */
function parseJson(text: string): FrontMatter {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Unusable("its front matter looks like JSON, but is not", { cause: error });
  }
  return parseYaml(text.replaceAll("\t", " "));
}

/** Returns the fields of a TOML document. Throws `Unusable` with a message about `what` if it is malformed. */
export function parseToml(text: string, what = "its front matter"): FrontMatter {
  try {
    return fromToml(parseTomlText(text, { integersAsBigInt: true, maxDepth: 50 })) as FrontMatter;
  } catch (error) {
    const reason = error instanceof Error ? getFirstLine(error.message) : String(error);
    throw new Unusable(`${what} is not TOML: ${reason}`, { cause: error });
  }
}

function fromToml(value: unknown): Value {
  if (Array.isArray(value)) return value.map(fromToml);
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value !== "object" || value === null) return String(value);
  return new Map(Object.entries(value).map(([name, each]) => [name, fromToml(each)]));
}

/**
 * Returns the fields of a YAML mapping. Throws `Unusable` with a message about `what` if it is malformed, is no
 * mapping, or has a name twice.
 */
export function parseYaml(text: string, what = "its front matter"): FrontMatter {
  const document = parseYamlDocument(text, what);
  const [error] = document.errors;
  if (error !== undefined) throw new Unusable(`${what} is not YAML: ${getFirstLine(error.message)}`);
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === "")) return new Map();
  if (!isMap(document.contents)) throw new Unusable(`${what} is not a mapping of names to values`);
  return toValue(document.contents, what) as FrontMatter;
}

function parseYamlDocument(text: string, what: string): Document.Parsed {
  try {
    // The "failsafe" schema has no numbers, booleans and dates. `uniqueKeys` would compare every key with every other, so
    // this file looks for duplicates itself.
    const options = {
      schema: "failsafe",
      merge: false,
      uniqueKeys: false,
      prettyErrors: true,
      logLevel: "silent",
    } as const;
    return parseDocument(text, options);
  } catch (error) {
    throw new Unusable(`${what} is nested too deeply`, { cause: error });
  }
}

/**
 * Returns the value of a YAML node; undefined for null. Throws `Unusable` for aliases, with which a few lines could
 * become gigabytes. Mappings become maps, in which no name is special.
 */
function toValue(node: unknown, what: string): Value | undefined {
  if (isScalar(node)) {
    const isNull = node.type === "PLAIN" && /^(?:~|null|Null|NULL)?$/.test(String(node.value));
    return isNull ? undefined : String(node.value);
  }
  if (isSeq(node)) return node.items.map((item) => toValue(item, what)).filter((value) => value !== undefined);
  if (!isMap(node)) throw new Unusable(`${what} has aliases (*name), which are not read`);
  const members = new Map<string, Value | undefined>();
  for (const { key, value } of node.items) {
    const read = toValue(value, what);
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (members.has(name)) throw new Unusable(`${what} is not YAML: "${name.slice(0, 60)}" is there twice`);
    members.set(name, read);
  }
  return members;
}

const getFirstLine = (message: string): string => message.split("\n", 1)[0]?.replace(/:$/, "") ?? "";

/**
 * Returns a line at the start that may be metadata in an unknown form, such as `Title: x`, `#+draft: t`, `export
 * const metadata`, Pandoc's `% Title` or a fence; undefined if there is none. `isRead` knows the names of metadata.
 */
export function findHeaderLine(content: string, isRead: (name: string) => boolean): string | undefined {
  const [fence] = /^\s*(?:[-+=%]{3}|%[ \t]).*/.exec(content) ?? [];
  if (fence !== undefined) return fence.trim().slice(0, 60);
  const start = content
    .slice(0, 20_000)
    .replace(/^\s*#{1,6}[ \t].*\s+/, "")
    .replace(/^[^\p{L}\p{N}]+/u, "");
  const lines = start.split(/\r\n?|\n/);
  const end = lines.findIndex((line) => line.trim() === "");
  return lines
    .slice(0, end === -1 ? undefined : end)
    .map((line) => line.trim().slice(0, 60))
    .find((line) => {
      const [, name = ""] = /^[^\p{L}\p{N}]*([\p{L}\p{N}_ -]+)["']?\s*[:=]/u.exec(line) ?? [];
      return isRead(name) || /^export\s/.test(line);
    });
}

/** Returns the form in which names are compared: generators treat `publishDate` and `publish_date` alike. */
export const foldName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, "");

/** Returns the fields by their folded names. Throws `Unusable` if two become the same name with different values. */
export function foldNames(frontMatter: FrontMatter): FrontMatter {
  const fields = new Map<string, Value | undefined>();
  for (const [name, value] of frontMatter) {
    const key = foldName(name);
    if (fields.has(key) && fields.get(key) !== value)
      throw new Unusable(`its front matter has "${name.slice(0, 60)}" twice, with different values`);
    fields.set(key, value instanceof Map ? foldNames(value) : value);
  }
  return fields;
}

/** Returns the file of an article, which `splitFrontMatter` reads. An import ignores the fields `more`. */
export function writeArticle(article: Article, more: Readonly<Record<string, string>> = {}): string {
  const { redirects = [] } = article;
  const extras = { ...toExportedExtras(article.extras ?? {}), ...(redirects.length > 0 && { redirects }) };
  const members = Object.fromEntries(FIELDS.filter((field) => field !== "content").map((key) => [key, article[key]]));
  return `---\n${writeYaml({ ...members, ...extras, ...more })}---\n\n${article.content}`;
}

/** Returns YAML that all parsers read alike: each text is on one line, in double quotes. */
export function writeYaml(value: object): string {
  const yaml = stringify(value, {
    lineWidth: 0,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "PLAIN",
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return escapeQuoted(yaml);
}
