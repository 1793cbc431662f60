/** Converts HTML in Markdown files into Markdown where it can, because sites show few elements of HTML. */
import { Unusable } from "./article.ts";
import { htmlToMarkdown } from "./html.ts";
import { toPageUrl } from "./html-embeds.ts";
import type { Losses } from "./losses.ts";
import { Remarks } from "./remarks.ts";
import { toDestination, renderQuote } from "./template-blocks.ts";
import type { References } from "./references.ts";

const toSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Elements that sites show (contract 20.3). */
const KEPT = toSet(
  "br kbd sub sup mark abbr details summary img figure figcaption u ins small cite q dfn var samp s del dl dt dd audio video source",
);
const BLOCKS = toSet("div center section article header footer main aside address nav p hgroup picture");
const SPANS = toSet("span font nobr tt big label time bdi");
const CONVERTED = toSet("table ul ol pre h1 h2 h3 h4 h5 h6 code");
const MARKS: Readonly<Record<string, string>> = { b: "**", strong: "**", i: "*", em: "*", strike: "~~" };
const OTHERS = toSet(
  "button input form select textarea svg canvas object embed marquee blink math noscript template wbr ruby rt rp map area",
);

const LONGEST = 64 * 1024;

export type Attributes = ReadonlyMap<string, string>;
type Within = (text: string) => string;

/** Returns an element as Markdown, and its length; null if it stays. `text` begins with its start tag, `tag`. */
export function convertElement(
  text: string,
  { tag, isEnd, name, attributes }: { tag: string; isEnd: boolean; name: string; attributes: Attributes },
  { losses, unclosed }: References,
  within: Within,
): { readonly length: number; readonly text: string } | null {
  const block = (markdown: string, length = tag.length) => ({ length, text: `\n\n${markdown.trim()}\n\n` });
  if (name === "hr") return block("---");
  if (KEPT.has(name)) return null;
  const isKnown =
    [BLOCKS, SPANS, CONVERTED, OTHERS].some((names) => names.has(name)) ||
    /^(?:a|iframe|script|style|blockquote)$/.test(name);
  if (!isKnown && !Object.hasOwn(MARKS, name)) return null;
  const found = isEnd || OTHERS.has(name) ? null : findEndTag(text, tag.length, name, unclosed);
  const src = attributes.get("src") ?? "";
  if (name === "iframe" && /^(?:https?:)?\/\//.test(src))
    return block(toPageUrl(src.replace(/^\/\//, "https://")), found?.to);
  if (found === null) {
    if (!isEnd) losses.add("elements", `<${name}>`);
    return null;
  }
  const { at, to } = found;
  const inner = text.slice(tag.length, at);
  const [, gist] = /^(https:\/\/gist\.github\.com\/[\w/-]+)\.js/.exec(src) ?? [];
  if (name === "script" && gist !== undefined) return block(gist, to);
  if (name === "script" || name === "style" || name === "iframe") {
    losses.add("code", `<${name}>`);
    return { length: to, text: "" };
  }
  if (BLOCKS.has(name)) return block(within(dedent(inner)), to);
  if (SPANS.has(name)) return { length: to, text: within(inner) };
  if (name === "blockquote") return block(renderQuote(within(dedent(inner)).trim()), to);
  if (name === "a") {
    const href = attributes.get("href");
    return {
      length: to,
      text:
        href === undefined || inner.trim() === "" ? within(inner) : `[${within(inner).trim()}](${toDestination(href)})`,
    };
  }
  const mark = MARKS[name];
  if (mark !== undefined) {
    const [, before = "", words = "", after = ""] = /^(\s*)([^]*?)(\s*)$/.exec(within(inner)) ?? [];
    const isOne = words !== "" && !/\n\s*\n/.test(words);
    return { length: to, text: isOne ? `${before}${mark}${words}${mark}${after}` : within(inner) };
  }
  const markdown = convertHtml(text.slice(0, to), name, losses);
  if (markdown === null) return null;
  return name === "code" ? { length: to, text: markdown.trim() } : block(markdown, to);
}

function convertHtml(html: string, name: string, losses: Losses): string | null {
  try {
    return htmlToMarkdown(html, new Remarks());
  } catch (error) {
    if (!(error instanceof Unusable || error instanceof RangeError)) throw error;
    losses.add("elements", `<${name}>`);
    return null;
  }
}

/** After so many unclosed elements of a name, no end tag is looked for: each search may take the whole text. */
const MOST_UNCLOSED = 20;

function findEndTag(text: string, from: number, name: string, unclosed: Map<string, number>): End | null {
  const before = unclosed.get(name) ?? 0;
  if (before >= MOST_UNCLOSED) return null;
  let depth = 1;
  const tags = new RegExp(`<(/?)${name}(?=[\\s/>])[^<>]*>`, "gi");
  tags.lastIndex = from;
  for (let tag = tags.exec(text); tag !== null && tag.index < LONGEST; tag = tags.exec(text)) {
    depth += tag[1] === "/" ? -1 : 1;
    if (depth === 0) return { at: tag.index, to: tags.lastIndex };
  }
  unclosed.set(name, before + 1);
  return null;
}

type End = { readonly at: number; readonly to: number };

/** Removes indentation that would be code in Markdown. */
const dedent = (text: string): string =>
  /```|~~~/.test(text)
    ? text
    : text.replaceAll(/^[ \t]+(?=[<\p{L}\p{N}!["'(*])/gmu, (space) =>
        space.length < 4 && !space.includes("\t") ? space : "",
      );
