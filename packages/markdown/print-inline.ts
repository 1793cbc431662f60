import { escapedText, type Place } from "./escapes.ts";
import { getText } from "./plain-text.ts";
import type { Attributes, ContentByType, Inline } from "./tree.ts";

/** The author's signs. Where one would be read as something else, the other one is used. */
export type Marks = { readonly emphasis: "*" | "_"; readonly strong: "*" | "_" };

/** The context of nodes. `isLine`: line breaks are elements. `within`: the marks around the nodes. */
export type Around = Place & { readonly marks: Marks; readonly isLine: boolean; readonly within: readonly string[] };

/** Prints nodes between the characters `before` and `after`, which are "" at the ends of a block. */
export function printInlines(nodes: readonly Inline[], before: string, after: string, around: Around): string {
  const printed: string[] = [];
  let last = before;
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1];
    const text = printInline(node, last, next === undefined ? after : getFirstCharacter(next, around), around);
    printed.push(text);
    last = Array.from(text.slice(-2)).at(-1) ?? last;
  }
  return printed.join("");
}

function getFirstCharacter(node: Inline, around: Around): string {
  switch (node.type) {
    case "text":
      return Array.from(node.value.slice(0, 2))[0] ?? "";
    case "emphasis":
    case "strong":
      return around.marks[node.type];
    case "delete":
      return "~";
    case "inlineCode":
      return "`";
    case "break":
      return node.written === "html" || around.isLine ? "<" : "\n";
    case "link":
      return isBare(node) ? (getText(node)[0] ?? "") : isAutolink(node) ? "<" : "[";
    case "image":
      return isElement(node) ? "<" : "!";
    case "footnoteReference":
      return "[";
    case "html":
    case "element":
      return "<";
  }
}

function printInline(node: Inline, before: string, after: string, around: Around): string {
  switch (node.type) {
    case "text": {
      const text = escapedText(node.value, before, after, around);
      return around.isLine ? text.replaceAll(/(?<!\s)\s*\n\s*/g, " ") : text;
    }
    case "emphasis":
    case "strong":
    case "delete":
      return printMark(node, before, after, around);
    case "inlineCode":
      return printCode(node.value, around);
    case "break":
      if (node.written === "html" || around.isLine) return "<br>";
      return node.written === "spaces" ? "  \n" : "\\\n";
    case "link":
      return printLink(node, around);
    case "image":
      return printImage(node, around);
    case "footnoteReference":
      return `[^${node.label}]`;
    case "html":
      return escapeCell(node.value, around);
    case "element":
      return `${escapeCell(printTag(node.name, node.attributes), around)}${printInlines(node.children as Inline[], ">", "<", around)}</${node.name}>`;
  }
}

/** Escapes vertical bars in HTML, which would end a cell of a table. */
const escapeCell = (html: string, { isCell }: Place): string => (isCell ? html.replaceAll(/(?<!\\)\|/g, "\\|") : html);

/** Prints a mark with signs, or as an element where signs would not be read as this mark. */
function printMark(
  node: ContentByType<"emphasis" | "strong" | "delete">,
  before: string,
  after: string,
  outside: Around,
): string {
  // The same mark inside changes nothing. Without this, deep nesting would be tried too often below.
  if (outside.within.includes(node.type)) return printInlines(node.children, before, after, outside);
  const [first] = node.children;
  const space = first?.type === "text" ? (/^\s+(?=\S)/.exec(first.value)?.[0] ?? "") : "";
  if (space !== "" && first?.type === "text") {
    const children = [{ ...first, value: first.value.slice(space.length) }, ...node.children.slice(1)];
    return space + printMark({ ...node, children }, space.slice(-1), after, outside);
  }
  const around = { ...outside, within: [...outside.within, node.type] };
  const own = node.type === "delete" ? "~" : around.marks[node.type];
  const signs = node.type === "delete" ? ["~"] : own === "*" ? ["*", "_"] : ["_", "*"];
  for (const sign of signs) {
    const touches = (text: string): boolean => text.startsWith(sign) || text.endsWith(sign);
    const same = printInlines(node.children, sign, sign, around);
    // Marks inside use the other sign where they touch this one.
    const isOther = sign !== "~" && touches(same);
    const inside = isOther
      ? printInlines(node.children, sign, sign, { ...around, marks: getOtherMarks(sign as "*" | "_") })
      : same;
    const [start, core, end] = splitSpaces(inside);
    const [last, next] = [start === "" ? before : " ", end === "" ? after : " "];
    if (core === "") return inside;
    const isApart = ![last, next, core[0], core.at(-1)].includes(sign) || isEscapedEnd(core, sign, last, next);
    if (isApart && canOpen(sign, last, core) && canClose(sign, core, next)) {
      const run = node.type === "emphasis" ? sign : sign + sign;
      return start + run + core + run + end;
    }
  }
  const name = { emphasis: "em", strong: "strong", delete: "del" }[node.type];
  const [start, core, end] = splitSpaces(printInlines(node.children, ">", "<", around));
  return `${start}<${name}>${core}</${name}>${end}`;
}

/** Splits Markdown into spaces and line breaks before it, its text, and those after it. Marks cannot touch spaces. */
export function splitSpaces(text: string, spaces = /\s/): [start: string, core: string, end: string] {
  const isSpace = (at: number): boolean => spaces.test(text.charAt(at));
  const isBreak = (at: number): boolean => text.charAt(at) === "\\" && text.charAt(at + 1) === "\n";
  let [from, to] = [0, text.length];
  while (from < to && (isSpace(from) || isBreak(from))) from++;
  while (to > from && (isSpace(to - 1) || (isBreak(to - 1) && !isEscaped(text, to - 1)))) to--;
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

/** Returns whether a backslash escapes the character at this place. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text.charAt(from - 1) === "\\") from--;
  return (at - from) % 2 === 1;
}

const getOtherMarks = (sign: "*" | "_"): Marks =>
  sign === "*" ? { emphasis: "_", strong: "_" } : { emphasis: "*", strong: "*" };

/** Returns whether the sign at the end of the inside is only an escaped one. */
const isEscapedEnd = (inside: string, sign: string, before: string, after: string): boolean =>
  before !== sign && after !== sign && inside[0] !== sign && inside.endsWith(`\\${sign}`);

function printCode(value: string, { isCell }: Place): string {
  const line = value.replaceAll(/\r?\n/g, " ");
  const runs = new Set((line.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const isPadded = /^`|`$/.test(line) || (/^ .* $/.test(line) && line.trim() !== "");
  const text = isPadded ? ` ${line} ` : line;
  const fence = "`".repeat(length);
  return fence + (isCell ? text.replaceAll("|", "\\|") : text) + fence;
}

/** Returns whether a link is written as a bare address. A changed text or address needs brackets. */
const isBare = (link: ContentByType<"link">): boolean =>
  link.written === "bare" && matchesAddress(getText(link), link.url);
const isAutolink = (link: ContentByType<"link">): boolean =>
  link.written === "autolink" && matchesAddress(getText(link), link.url) && /^[^\s<>]+$/.test(getText(link));

const matchesAddress = (text: string, url: string): boolean =>
  text === url || `http://${text}` === url || `mailto:${text}` === url;

function printLink(link: ContentByType<"link">, around: Around): string {
  if (isBare(link)) return getText(link);
  if (isAutolink(link)) return `<${getText(link)}>`;
  const text = printInlines(link.children, "[", "]", { ...around, isLabel: true });
  if (link.written === "reference" && link.label !== undefined) {
    return text === link.label ? `[${text}]` : `[${text}][${link.label}]`;
  }
  return `[${text}](${printTarget(link.url, link.title, around)})`;
}

function printImage(image: ContentByType<"image">, around: Around): string {
  const { url, alt, title, label, attributes = {} } = image;
  if (isElement(image))
    return escapeCell(printTag("img", { src: url, alt, ...(title != null && { title }), ...attributes }), around);
  const text = escapedText(alt, "[", "]", { ...around, isLabel: true }).replaceAll("\n", " ");
  if (image.written === "reference" && label !== undefined)
    return text === label ? `![${text}]` : `![${text}][${label}]`;
  return `![${text}](${printTarget(url, title, around)})`;
}

const isElement = ({ written, attributes = {} }: ContentByType<"image">): boolean =>
  written === "html" && Object.keys(attributes).length > 0;

function printTarget(url: string, title: string | null | undefined, { isCell }: Place): string {
  const target = printAddress(url);
  const whole = title ? `${target} "${title.replaceAll(/["\\]/g, "\\$&").replaceAll(/\n\s*\n/g, "\n")}"` : target;
  const line = whole.replaceAll(/\r?\n/g, " ");
  return isCell ? line.replaceAll("|", "\\|") : line;
}

/** Prints the address of a link, with angle brackets if it needs them. */
export function printAddress(url: string): string {
  const line = url.replaceAll(/[\r\n]+/g, "%0A");
  // A backslash before punctuation would be an escape.
  const safe = line.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "\\\\").replaceAll(/&(?=[#\w]+;)/g, "\\&");
  if (line === "" || /[\s\p{Cc}<>]/u.test(line) || !isBalanced(line)) return `<${safe.replaceAll(/[<>]/g, "\\$&")}>`;
  return safe;
}

function isBalanced(url: string): boolean {
  let depth = 0;
  for (const sign of url) {
    if (sign === "(") depth++;
    if (sign === ")" && --depth < 0) return false;
  }
  return depth === 0;
}

export function printTag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === "" && key !== "alt"
      ? ` ${key}`
      : ` ${key}="${value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll(/\s+/g, " ")}"`,
  );
  return `<${name}${written.join("")}>`;
}

/** East Asian scripts and wide or halfwidth signs (Unicode, UAX #11), beside which emphasis works here. */
const EAST_ASIAN =
  /^[\u1100-\u11ff\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff01-\uffee\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;

const isSpace = (character: string): boolean => /^\s?$/u.test(character);
const isPunctuation = (character: string): boolean => /^[\p{P}\p{S}]$/u.test(character);
const isWord = (character: string): boolean => !isSpace(character) && !isPunctuation(character);

function canOpen(sign: string, before: string, inside: string): boolean {
  const next = Array.from(inside.slice(0, 2))[0] ?? "";
  return isFlanking(before, next) && (sign !== "_" || !isWord(before));
}

function canClose(sign: string, inside: string, after: string): boolean {
  const last = Array.from(inside.slice(-2)).at(-1) ?? "";
  return isFlanking(after, last) && (sign !== "_" || !isWord(after));
}

/** Returns whether a sign between these two characters belongs to the inside. */
function isFlanking(outside: string, inside: string): boolean {
  if (isSpace(inside)) return false;
  if (!isPunctuation(inside) || isSpace(outside) || isPunctuation(outside)) return true;
  return EAST_ASIAN.test(outside) || EAST_ASIAN.test(inside);
}
