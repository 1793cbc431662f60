/** Reads and writes front matter: YAML between two lines `---` at the start of a Markdown file. */
import { isMap, isScalar, isSeq, parseDocument, stringify, type Document } from "yaml";
import { withEscapes } from "../../lib/yaml.ts";
import { exportedExtras } from "./extras.ts";
import { FIELDS, Unusable, type Article } from "./article.ts";

/** Maximum characters of front matter. For unusual input, the YAML parser takes time in the square of the length. */
const MOST_CHARACTERS = 32 * 1024;

/** A YAML value. Scalars are texts, exactly as in the file: a title `1.10` is not a number, `no` is not a boolean. */
export type Value = string | readonly Value[] | ReadonlyMap<string, Value>;
export type FrontMatter = ReadonlyMap<string, Value>;

/**
 * Splits the text of a file into front matter and content. Skips one empty line after the front matter; the rest is the
 * content, unchanged. Throws `Unusable` if the front matter cannot be read.
 */
export function splitFrontMatter(text: string): { frontMatter: FrontMatter; content: string } {
  if (/^\+\+\+[ \t]*\r?\n/.test(text)) {
    throw new Unusable("its front matter is TOML (+++); write it as YAML (Hugo: hugo convert toYAML)");
  }
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (opening === null) return { frontMatter: new Map(), content: text };
  const from = opening[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;
  const rest = text.slice(from, from + MOST_CHARACTERS);
  const end = closing.exec(rest);
  if (end === null) {
    throw new Unusable(
      text.length - from > MOST_CHARACTERS
        ? `its front matter is longer than ${MOST_CHARACTERS / 1024} KiB`
        : "its front matter has no closing line ---",
    );
  }
  const after = text.slice(from + end.index + end[0].length);
  return { frontMatter: parseYaml(rest.slice(0, end.index)), content: after.replace(/^\r?\n/, "") };
}

/**
 * Returns the fields of a YAML mapping; fields with a null value are left out. Throws `Unusable` if the text is not a
 * mapping, or if a name occurs twice, which YAML forbids; the message says it of `what`.
 */
export function parseYaml(text: string, what = "its front matter"): FrontMatter {
  const document = parsed(text, what);
  const [error] = document.errors;
  if (error !== undefined) throw new Unusable(`${what} is not YAML: ${firstLine(error.message)}`);
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === "")) return new Map();
  if (!isMap(document.contents)) throw new Unusable(`${what} is not a mapping of names to values`);
  return valueOf(document.contents, what) as FrontMatter;
}

function parsed(text: string, what: string): Document.Parsed {
  try {
    // The "failsafe" schema has no numbers, booleans and dates. `uniqueKeys` is off because the parser's own check for
    // duplicates compares every key with every other; `valueOf` checks them instead.
    const options = {
      schema: "failsafe",
      merge: false,
      uniqueKeys: false,
      prettyErrors: true,
      logLevel: "silent",
    } as const;
    return parseDocument(text, options);
  } catch (error) {
    // The parser is recursive, so very deep nesting causes a RangeError.
    throw new Unusable(`${what} is nested too deeply`, { cause: error });
  }
}

/**
 * Returns the value of a YAML node; undefined for null. Throws `Unusable` for aliases, with which a few lines could
 * become gigabytes. Returns maps instead of objects, so that no name has a special meaning.
 */
function valueOf(node: unknown, what: string): Value | undefined {
  if (isScalar(node)) {
    const isNull = node.type === "PLAIN" && /^(?:~|null|Null|NULL)?$/.test(String(node.value));
    return isNull ? undefined : String(node.value);
  }
  if (isSeq(node)) return node.items.map((item) => valueOf(item, what)).filter((value) => value !== undefined);
  if (!isMap(node)) throw new Unusable(`${what} has aliases (*name), which are not read`);
  const members = new Map<string, Value>();
  const names = new Set<string>();
  for (const { key, value } of node.items) {
    const read = valueOf(value, what);
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (names.has(name)) throw new Unusable(`${what} is not YAML: "${name.slice(0, 60)}" is there twice`);
    names.add(name);
    if (read !== undefined) members.set(name, read);
  }
  return members;
}

const firstLine = (message: string): string => message.split("\n", 1)[0]?.replace(/:$/, "") ?? "";

/**
 * Returns the text of an article's file. `splitFrontMatter` reads the same values from it. `more` are additional fields
 * for people to read, which an import ignores.
 */
export function writeArticle(article: Article, more: Readonly<Record<string, string>> = {}): string {
  const extras = exportedExtras(article.extras ?? {});
  const members = Object.fromEntries(FIELDS.filter((field) => field !== "content").map((key) => [key, article[key]]));
  return `---\n${writeYaml({ ...members, ...extras, ...more })}---\n\n${article.content}`;
}

/** Returns YAML that every parser reads in the same way: each text is on one line, in double quotes. */
export function writeYaml(value: object): string {
  const yaml = stringify(value, {
    lineWidth: 0,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "PLAIN",
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  return withEscapes(yaml);
}
