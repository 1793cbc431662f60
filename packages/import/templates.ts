/**
 * Turns templates of the old site into Markdown: shortcodes of Hugo and Zola, tags of Liquid, Hexo and Nunjucks, MDX,
 * Obsidian's links and callouts, admonitions. Unknown ones stay and are counted by name. Code is never touched.
 */
import { toGitHubName } from "../markdown/anchors.ts";
import type { References } from "./references.ts";
import { isPicture } from "./source.ts";
import { renderAlert, findIndentedCode, isAlert } from "./template-blocks.ts";
import { CLOSING, expandTag, hasBody, parseTag } from "./template-tags.ts";
import { expandElement, findModuleEnd } from "./template-elements.ts";

/** Maximum depth of templates in templates, such as a quote in a note. */
const MOST_NESTED = 20;

export function expandTemplates(markdown: string, references: References, depth = 0): string {
  return depth > MOST_NESTED ? markdown : new Scan(markdown, references, depth).run();
}

/** What may begin a template, or must be skipped. Indented code is found separately. */
const TOKENS =
  /\\[^]|^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*(?:`{3,}(?=[^`\n]*$)|~{3,})|`+|<!--|(?<!=)\{\{[<%]?|\{%|\{#(?=[\w-]+\}[ \t]*$)|\{:|\{\/\*|\{" "\}|\{(?=[A-Za-z_(])|!?\[\[|%%|^:{3,}(?=[ \t]*\w)|^(?:>[ \t]?)+\[!|^(?:import|export)\b|<\/?[A-Za-z]/gm;

const LONGEST = 4000;
const LONGEST_ELEMENT = 80_000;

class Scan {
  #at = 0;
  #written = "";
  #from = 0;
  readonly #text: string;
  readonly #references: References;
  readonly #depth: number;
  readonly #indented: readonly (readonly [number, number])[];
  /** Expands the templates within another one. */
  readonly #within = (text: string): string => expandTemplates(text, this.#references, this.#depth + 1);
  /** What does not occur in the rest of the text, so that it is searched only once. */
  readonly #absent = new Set<string>();

  constructor(text: string, references: References, depth: number) {
    this.#text = text;
    this.#references = references;
    this.#depth = depth;
    this.#indented = findIndentedCode(text);
  }

  run(): string {
    const tokens = new RegExp(TOKENS.source, TOKENS.flags);
    let code = 0;
    for (;;) {
      tokens.lastIndex = this.#at;
      const found = tokens.exec(this.#text);
      if (found === null) break;
      while ((this.#indented[code]?.[1] ?? Infinity) <= found.index) code++;
      const [from, to] = this.#indented[code] ?? [Infinity, 0];
      this.#at = found.index >= from ? to : this.#past(found[0], found.index);
    }
    return this.#written + this.#text.slice(this.#from);
  }

  /** Replaces a part of the text and returns its end. */
  #put(from: number, to: number, text: string): number {
    this.#written += this.#text.slice(this.#from, from) + text;
    this.#from = to;
    return to;
  }

  /** Returns where to continue after a token. */
  #past(token: string, at: number): number {
    const end = at + token.length;
    if (token.startsWith("\\")) return end;
    if (/[`~]{3,}$/.test(token) && /^[^`~]*[`~]+$/.test(token) && (at === 0 || this.#text[at - 1] === "\n")) {
      return this.#code(end, this.#endOfFence(token, end));
    }
    if (token.startsWith("`")) return this.#code(end, this.#endOfSpan(token, end));
    if (token === "<!--") return this.#after("-->", end) ?? end;
    if (token === "{{<" || token === "{{%" || token === "{%" || token === "{{") return this.#tag(token, at);
    if (token.endsWith("[[")) return this.#wiki(token, at);
    if (token === "%%") return this.#comment(at);
    if (token === "{:" || token === "{#") return this.#attribute(token, at);
    if (token.startsWith("{")) return this.#expression(token, at);
    if (token.startsWith(":")) return this.#admonition(token, at);
    if (token.startsWith(">")) return this.#callout(token, at);
    return token.startsWith("<") ? this.#element(at) : this.#module(at);
  }

  #after(mark: string, from: number, most = Infinity): number | null {
    if (this.#absent.has(mark)) return null;
    const at = this.#text.indexOf(mark, from);
    if (at === -1) this.#absent.add(mark);
    return at === -1 || at - from > most ? null : at + mark.length;
  }

  #endOfFence(token: string, from: number): number {
    const [, mark = ""] = /([`~]+)$/.exec(token) ?? [];
    const closing = new RegExp(`^[ \\t>]*${mark.charAt(0)}{${mark.length},}[ \\t]*\\r?$`, "gm");
    closing.lastIndex = from;
    const found = closing.exec(this.#text);
    return found === null ? this.#text.length : found.index + found[0].length;
  }

  /** Inline code ends with as many backticks, in the same paragraph. */
  #endOfSpan(mark: string, from: number): number {
    const closing = new RegExp(`\\n[ \\t]*\\r?\\n|(?<!\`)${mark}(?!\`)`, "g");
    closing.lastIndex = from;
    const found = closing.exec(this.#text);
    return found === null || found[0].startsWith("\n") ? from : found.index + found[0].length;
  }

  /** Code stays, except for the marks by which generators show templates in it. */
  #code(from: number, to: number): number {
    const code = this.#text.slice(from, to);
    const shown = code.replaceAll(/\{\{([<%])\/\*(.{0,400}?)\*\/([>%])\}\}/g, "{{$1$2$3}}");
    const plain = this.#references.isJekyll ? shown.replaceAll(/\{%-?\s*(?:end)?raw\s*-?%\}/g, "") : shown;
    if (plain !== code) this.#put(from, to, plain);
    return to;
  }

  #tag(token: string, at: number): number {
    const closing = CLOSING[token] ?? "}}";
    const inside = this.#text.slice(at + token.length, at + LONGEST);
    const length = inside.indexOf(closing);
    if (length === -1) return at + token.length;
    const to = at + token.length + length + closing.length;
    const source = inside.slice(0, length);
    if (/^\/\*[^]*\*\/$/.test(source)) return this.#put(at, to, token + source.slice(2, -2) + closing);
    const tag = parseTag(token, source);
    if (tag === null) return this.#variable(source, at, to);
    const body = hasBody(tag) ? this.#body(tag.name, token, to) : null;
    const end = body?.to ?? to;
    const inner = body === null ? null : this.#text.slice(to, body.at);
    const text = expandTag(tag, inner, this.#references, this.#within);
    if (text === null) {
      if (!tag.isEnd) this.#references.losses.add("templates", tag.shown);
      return to;
    }
    return this.#put(at, end, text.isBlock ? this.#onItsOwn(text.text, at, end) : text.text);
  }

  #variable(source: string, at: number, to: number): number {
    const text = expandVariable(source, this.#text.slice(to, to + 1), this.#references);
    if (text !== null) return this.#put(at, to, text);
    this.#references.losses.add("templates", `{{ ${source.trim()} }}`);
    return to;
  }

  /** Returns the start and the end of a tag's end tag. */
  #body(name: string, token: string, from: number): { at: number; to: number } | null {
    const key = `${token}${name}`;
    if (this.#absent.has(key)) return null;
    const word = name.replaceAll(/[^\w-]/g, "");
    const end = token === "{%" ? `\\{%-?\\s*end(?:${word})?\\s*-?%\\}` : `\\{\\{[<%]\\s*/\\s*${word}\\s*[>%]\\}\\}`;
    const closing = new RegExp(end, "g");
    closing.lastIndex = from;
    const found = closing.exec(this.#text);
    if (found === null) this.#absent.add(key);
    return found && { at: found.index, to: found.index + found[0].length };
  }

  /** Obsidian's `[[Page#Heading|text]]` and `![[picture.png|300]]`. */
  #wiki(token: string, at: number): number {
    const end = at + token.length;
    const [whole = "", inside = ""] = /^([^[\]\n]{1,400})\]\](?![([])/.exec(this.#text.slice(end, end + 500)) ?? [];
    if (whole === "" || /^\s|^_?toc_?$/i.test(inside)) return end;
    const [target = "", ...texts] = inside.split(/\\?\|/);
    const [name = "", ...headings] = target.trim().split("#");
    const isEmbed = token.startsWith("!");
    const { losses, findFile, findArticle } = this.#references;
    const shown = texts
      .filter((text) => !/^\s*\d+(?:x\d+)?\s*$/.test(text))
      .join("|")
      .trim();
    const isFile = isPicture(name) || /\.(?!md$)[a-z\d]{2,5}$/i.test(name);
    const address = isFile ? (findFile(name) ?? encodeURI(name)) : null;
    if (address !== null && isPicture(name) && isEmbed)
      return this.#put(at, end + whole.length, `![${shown}](<${address}>)`);
    if (address !== null && (isEmbed || findFile(name) !== null)) {
      return this.#put(at, end + whole.length, `[${shown || name}](<${address}>)`);
    }
    const anchor = headings.length === 0 ? "" : `#${toGitHubName(headings.at(-1)?.trim() ?? "")}`;
    const text = shown || [name.split("/").at(-1), ...headings].filter(Boolean).join(" > ");
    const found = name === "" ? { address: "" } : findArticle(name);
    if (isEmbed) losses.add("embeds", `![[${inside}]]`);
    if (found === null) losses.add("links", `[[${target.trim()}]]`);
    return this.#put(at, end + whole.length, found === null ? text : `[${text}](${found.address}${anchor})`);
  }

  #comment(at: number): number {
    const isBlock = /(?:^|\n)[ \t]*$/.test(this.#text.slice(Math.max(0, at - 50), at));
    const to = this.#after("%%", at + 2);
    if (to === null || (!isBlock && this.#text.slice(at, to).includes("\n"))) return at + 2;
    return this.#put(at, to, "");
  }

  /** Kramdown's `{: .class}`, on a line of its own or after what it concerns, and `{#id}` of headings. */
  #attribute(token: string, at: number): number {
    const near = this.#text.slice(Math.max(0, at - 1000), at);
    const line = near.slice(near.lastIndexOf("\n") + 1);
    const [whole = ""] = /^[^{}\n]{0,300}\}/.exec(this.#text.slice(at + token.length, at + token.length + 301)) ?? [];
    const isOne = token === "{#" ? /^\s{0,3}#{1,6}\s/.test(line) : line.trim() === "" || /[)*_\]`"'!>]$/.test(line);
    if (whole === "" || !isOne) return at + token.length;
    if (token === "{#")
      this.#references.anchors.set(whole.slice(0, -1), toGitHubName(line.replace(/^\s*#+/, "").trim()));
    else this.#references.losses.add("attributes", token + whole);
    const before = this.#text.slice(this.#from, at);
    // The table of contents replaces the list above.
    const list = whole === "toc}" ? /(?:^|\n)[ \t]*(?:[-*+]|1\.)[ \t][^\n]*\n[ \t]*$/ : /(?<=\S)[ \t]*$/;
    return this.#put(at - (list.exec(before)?.[0].length ?? 0), at + token.length + whole.length, "");
  }

  #expression(token: string, at: number): number {
    const end = at + token.length;
    const { isMdx, losses } = this.#references;
    if (token === '{" "}') return isMdx ? this.#put(at, end, " ") : end;
    if (token === "{") {
      const [value] = /^\{[^{}\n]{1,200}\}/.exec(this.#text.slice(at, at + 202)) ?? [];
      if (isMdx && value !== undefined) losses.add("templates", value);
      return end;
    }
    const to = this.#after("*/}", at);
    return to === null ? end : this.#put(at, to, "");
  }

  /** Docusaurus's `:::note[Title]`, up to a line of as many colons. */
  #admonition(token: string, at: number): number {
    const end = this.#text.indexOf("\n", at);
    const line = this.#text.slice(at + token.length, end === -1 ? undefined : end).trim();
    const [, kind = "", rest = ""] = /^([\w-]+)(.*)$/.exec(line) ?? [];
    const closing = new RegExp(`^${token}[ \\t]*\\r?$`, "gm");
    closing.lastIndex = end === -1 ? this.#text.length : end;
    const found = this.#absent.has(token) ? null : closing.exec(this.#text);
    if (found === null) this.#absent.add(token);
    if (found === null || !isAlert(kind)) {
      this.#references.losses.add("templates", `${token}${kind}`);
      return at + token.length;
    }
    const title =
      /^\s*\[(.*)\]/.exec(rest)?.[1] ?? /title="([^"]*)"/.exec(rest)?.[1] ?? rest.replace(/^\s*\{.*\}$/, "").trim();
    const inner = this.#within(this.#text.slice(end + 1, found.index));
    return this.#put(at, found.index + found[0].length, renderAlert(kind, title, inner));
  }

  /** Obsidian's `> [!info]- Title`. GitHub has five kinds, and no titles. */
  #callout(token: string, at: number): number {
    const [whole = "", kind = "", title = ""] =
      /^([\w-]+)\][+-]?[ \t]*(.*)/.exec(this.#text.slice(at + token.length, at + token.length + 1000)) ?? [];
    if (whole === "") return at + token.length;
    const marks = token.slice(0, -2);
    const shown = this.#within(title.trim());
    const titled = shown === "" ? "" : `\n${marks}**${shown}**\n${marks.trimEnd()}`;
    const head = `${marks}${renderAlert(kind, "", "").slice(2)}`;
    return this.#put(at, at + token.length + whole.length, head + titled);
  }

  #element(at: number): number {
    // `Vec<T>` is a type.
    if (/[\w`]/.test(this.#text[at - 1] ?? "")) return at + 1;
    const found = expandElement(this.#text.slice(at, at + LONGEST_ELEMENT), this.#references, this.#within);
    if (found === null) return at + 1;
    const end = at + found.length;
    if (found.text === null) return end;
    return this.#put(at, end, found.text.startsWith("\n\n") ? this.#onItsOwn(found.text.trim(), at, end) : found.text);
  }

  /** Returns a block with empty lines around it, with the indentation of what it replaces. */
  #onItsOwn(block: string, from: number, to: number): string {
    const before = this.#text.slice(Math.max(0, from - 200), from);
    const indent = /(?:^|\n)([ \t]*)$/.exec(before)?.[1];
    const isFree = from === 0 || /\n[ \t]*\n[ \t]*$/.test(before);
    const lead = isFree ? "" : indent === undefined ? "\n\n" : `\n${indent}`;
    const lines = indent === undefined || indent === "" ? block : block.replaceAll(/\n(?=[^\n])/g, `\n${indent}`);
    const [line = null, more = ""] =
      /^[ \t]*(?:\r?\n|$)([ \t]*(?:\r?\n|$))?/.exec(this.#text.slice(to, to + 200)) ?? [];
    return `${lead}${lines}${line === null ? "\n\n" : more === "" && to + line.length < this.#text.length ? "\n" : ""}`;
  }

  #module(at: number): number {
    const length = findModuleEnd(this.#text.slice(at, at + 20_000), this.#references);
    return length === null ? at + 6 : this.#put(at, at + length, "");
  }
}

const ROOT =
  /^(?:site\.(?:baseurl|url|github\.url|base_url)|config\.(?:root|url)|base_?url|page\.root|root)(?:\s*\|\s*(?:default|strip|append|prepend)[^|]*)*$/i;

/** Returns the value of a variable; null if it is unknown. `next` is the character after it. */
function expandVariable(source: string, next: string, { origin, title }: References): string | null {
  const text = source.replaceAll(/^[\s-]+|[\s-]+$/g, "");
  if (ROOT.test(text)) return next === "/" || next === "{" ? "" : next === ")" || next === '"' ? "/" : origin || null;
  const [, double, single, filters = ""] = /^(?:"([^"]*)"|'([^']*)')\s*((?:\|[^]*)?)$/.exec(text) ?? [];
  const literal = double ?? single;
  if (
    literal !== undefined &&
    (filters === "" ||
      /^(?:\|\s*(?:relative_url|absolute_url|url|absolute_?url|prepend\s*:\s*site\.\w+|asset|asset_url|safe)\s*)+$/.test(
        filters,
      ))
  ) {
    return literal;
  }
  return /^(?:page\.)?title$/.test(text) && title !== "" ? title : null;
}
