/**
 * Parses Markdown with markdown-it: CommonMark with GitHub's tables, strikethrough, footnotes and bare links.
 * Emphasis also works beside Chinese, Japanese and Korean punctuation. Takes linear time.
 */
import MarkdownIt, { type StateBlock, type StateInline, type Token } from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { measureAddress, findBareLinks } from "./bare-links.ts";
import { normalizeLineBreaks } from "../../src/lib/text.ts";

export type { Token };

/** Maximum depth of lists and quotes. Deeper ones are text. */
const MOST_NESTING = 60;

/** What the rules know about a text. `referred` counts the characters that references took. */
type Environment = {
  footnotes?: Set<string>;
  references?: References;
  referred?: number;
};
export type References = Readonly<Record<string, { readonly href: string; readonly title: string }>>;

/** Maximum characters of addresses and titles in all references, as in cmark: many may refer to a long definition. */
const MOST_REFERRED = 1_000_000;

/** The place of an inline token in the content of its block. `to` is the end of the whole construct. */
export type Span = { readonly from: number; readonly to: number };

type Meta = { span?: Span; label?: string } | null;

export const getSpan = ({ meta }: Token): Span | undefined => (meta as Meta)?.span;

function noteSpan(token: Token, span: Span): void {
  token.meta = Object.assign((token.meta as Meta) ?? {}, { span });
}

const md = new MarkdownIt({ html: true, maxNesting: MOST_NESTING + 40 }).use(cjkFriendly);

/**
 * Returns the tokens of a text's blocks, a function for the tokens within a block, and the link definitions by their
 * normalized labels. The tokens within all blocks at once could take 100 times the memory of the text.
 */
export function parseTokens(text: string) {
  const environment: Environment = {};
  const tokens: Token[] = [];
  md.block.parse(normalizeLineBreaks(text).replaceAll("\0", "\uFFFD"), md, environment, tokens);
  const definitions: References = environment.references ?? {};
  const within = ({ content }: Token): Token[] => md.parseInline(content, environment)[0]?.children ?? [];
  return { tokens, within, definitions };
}

export const { normalizeReference, unescapeAll: unescaped } = md.utils;

export const encodeAddress = (address: string): string => md.utils.lib.mdurl.encode(address);

/** Returns an address without percent-encodings; unchanged if they are malformed. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

// Addresses stay as they are written: html.ts decides which become links.
md.normalizeLink = (url) => url;
md.normalizeLinkText = (url) => url;
md.validateLink = () => true;

md.core.ruler.disable("strip_references");
md.core.ruler.at("linkify", ({ tokens, Token }) => {
  for (const token of tokens) if (token.children !== null) token.children = linkTokens(token.children, Token);
});
md.core.ruler.enable("linkify");
md.block.ruler.before("table", "deep", deep, { alt: [] });
md.inline.ruler.at("linkify", bareLink);
md.block.ruler.before("reference", "footnote", footnote, { alt: ["paragraph", "reference"] });
md.inline.ruler.before("link", "footnote_ref", footnoteReference);
md.inline.ruler.at("strikethrough", strikethrough);
md.inline.ruler2.at("strikethrough", closeStrikethrough);
for (const name of ["newline", "escape", "link", "image", "footnote_ref", "autolink", "html_inline"]) measure(name);

function measure(name: string): void {
  const index = md.inline.ruler.getRules("").length;
  md.inline.ruler.disable(name);
  const others = new Set(md.inline.ruler.getRules(""));
  md.inline.ruler.enable(name);
  const rule = md.inline.ruler.getRules("").find((each) => !others.has(each));
  if (rule === undefined || others.size !== index - 1) throw new Error(`There is no rule ${name}.`);
  md.inline.ruler.at(name, (state, silent) => {
    if (name === "html_inline" && isWithoutEnd(state)) return false;
    const [from, before] = [state.pos, state.tokens.length + (state.pending === "" ? 0 : 1)];
    const isFound = rule(state, silent);
    // A rule may take back pending text, such as spaces before a line break.
    const token = state.tokens[before] ?? state.tokens.at(-1);
    if (isFound && !silent && token !== undefined && token.type !== "softbreak" && getSpan(token) === undefined) {
      noteSpan(token, { from, to: state.pos });
      refer(token, state.env);
    }
    return isFound;
  });
}

const ENDS = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<!", ">"],
  ["<?", "?>"],
] as const;

const lastEnds = new WeakMap<StateInline, Map<string, number>>();

/** Returns whether a comment or the like has no end. Each would be searched to the end of the block. */
function isWithoutEnd(state: StateInline): boolean {
  const end = ENDS.find(([start]) => state.src.startsWith(start, state.pos))?.[1];
  if (end === undefined) return false;
  const known = lastEnds.get(state) ?? new Map<string, number>();
  lastEnds.set(state, known);
  const last = known.get(end) ?? state.src.lastIndexOf(end);
  known.set(end, last);
  return last < state.pos;
}

/** Counts a reference. Above the limit, references are text. */
function refer({ meta, attrs }: Token, environment: Environment): void {
  if ((meta as Meta)?.label === undefined) return;
  for (const [, value] of attrs ?? []) environment.referred = (environment.referred ?? 0) + String(value).length;
  if ((environment.referred ?? 0) >= MOST_REFERRED) environment.references = {};
}

/** Reads lists and quotes that are nested too deeply as text. markdown-it would drop them. */
function deep(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < MOST_NESTING) return false;
  let line = startLine + 1;
  while (line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent)) line++;
  state.push("paragraph_open", "p", 1).map = [startLine, line];
  const token = state.push("inline", "", 0);
  token.content = state.getLines(startLine, line, state.blkIndent, false).trim();
  token.map = [startLine, line];
  token.children = [];
  state.push("paragraph_close", "p", -1);
  state.line = line;
  return true;
}

/** Reads an address such as `https://a.example`, at its colon. */
function bareLink(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0 || !state.src.startsWith("://", state.pos)) return false;
  const scheme = /(?:https?|ftp)$/i.exec(state.pending.slice(-5))?.[0].length ?? 0;
  const start = state.pos - scheme;
  const before = state.src.slice(Math.max(0, start - 2), start);
  const length = scheme === 0 ? 0 : measureAddress(state.src.slice(start, state.posMax), before);
  if (length === 0) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme);
    const url = state.src.slice(start, start + length);
    const open = state.push("link_open", "a", 1);
    open.attrs = [["href", url]];
    open.markup = "linkify";
    noteSpan(open, { from: start, to: start + length });
    state.push("text", "", 0).content = url;
    state.push("link_close", "a", -1);
  }
  state.pos = start + length;
  return true;
}

function linkTokens(tokens: readonly Token[], TokenType: typeof Token): Token[] {
  const all: Token[] = [];
  let links = 0;
  for (const token of tokens) {
    if (token.type === "link_open" || /^<a[\s>]/i.test(token.content)) links++;
    if (token.type === "link_close" || /^<\/a\s*>/i.test(token.content)) links = Math.max(0, links - 1);
    if (token.type !== "text" || links > 0) all.push(token);
    else for (const each of splitLinks(token.content, all.at(-1)?.content ?? "", TokenType)) all.push(each);
  }
  return all;
}

function splitLinks(text: string, before: string, TokenType: typeof Token): Token[] {
  const tokens: Token[] = [];
  const add = (type: string, nesting: -1 | 0 | 1, content: string): Token => {
    const token = new TokenType(type, "", nesting);
    token.content = content;
    tokens.push(token);
    return token;
  };
  let at = 0;
  for (const { from, to, url } of findBareLinks(text, before)) {
    if (from > at) add("text", 0, text.slice(at, from));
    const open = add("link_open", 1, "");
    open.attrs = [["href", url]];
    open.markup = "linkify";
    add("text", 0, text.slice(from, to));
    add("link_close", -1, "");
    at = to;
  }
  if (at < text.length) add("text", 0, text.slice(at));
  return tokens;
}

const DEFINITION = /\[\^([^\s[\]]{1,999})\]:[ \t]*/y;

/** Reads a footnote as GitHub does: lines that are indented by four spaces belong to it. */
function footnote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const [indent = 0, start = 0, shift = 0] = [state.sCount, state.bMarks, state.tShift].map((of) => of[startLine]);
  if (indent - state.blkIndent >= 4) return false;
  DEFINITION.lastIndex = start + shift;
  const label = DEFINITION.exec(state.src)?.[1];
  if (label === undefined) return false;
  if (silent) return true;
  const environment = state.env as Environment;
  (environment.footnotes ??= new Set()).add(normalizeReference(label));
  const open = state.push("footnote_open", "", 1);
  open.meta = { note: label };
  // Its content begins after the colon.
  state.blkIndent += 4;
  state.bMarks[startLine] = DEFINITION.lastIndex;
  state.tShift[startLine] = 0;
  state.sCount[startLine] = state.blkIndent;
  state.md.block.tokenize(state, startLine, endLine);
  state.blkIndent -= 4;
  state.bMarks[startLine] = start;
  state.tShift[startLine] = shift;
  state.sCount[startLine] = indent;
  open.map = [startLine, state.line];
  state.push("footnote_close", "", -1);
  return true;
}

const REFERENCE = /\[\^([^\s[\]]{1,999})\]/y;

function footnoteReference(state: StateInline, silent: boolean): boolean {
  const { footnotes } = state.env as Environment;
  if (footnotes === undefined) return false;
  REFERENCE.lastIndex = state.pos;
  const label = REFERENCE.exec(state.src)?.[1];
  const end = REFERENCE.lastIndex;
  if (label === undefined || end > state.posMax || !footnotes.has(normalizeReference(label))) return false;
  if (!silent) state.push("footnote_ref", "", 0).meta = { note: label };
  state.pos = end;
  return true;
}

const TILDE = 126;

/** Reads `~text~` and `~~text~~` (GitHub Flavored Markdown, 6.5). markdown-it only knows the second. */
function strikethrough(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { can_open: open, can_close: close, length } = state.scanDelims(state.pos, true);
  state.push("text", "", 0).content = "~".repeat(length);
  // Marks of different lengths do not match each other.
  if (length <= 2)
    state.delimiters.push({ marker: TILDE + length, length: 0, token: state.tokens.length - 1, end: -1, open, close });
  state.pos += length;
  return true;
}

function closeStrikethrough(state: StateInline): boolean {
  const all = [state.delimiters, ...state.tokens_meta.map((meta) => meta?.delimiters ?? [])];
  for (const delimiters of all) {
    for (const { marker, token, end } of delimiters) {
      const close = delimiters[end]?.token;
      if (end === -1 || close === undefined || marker <= TILDE) continue;
      Object.assign(state.tokens[token] as Token, { type: "s_open", nesting: 1, content: "" });
      Object.assign(state.tokens[close] as Token, { type: "s_close", nesting: -1, content: "" });
    }
  }
  return true;
}
