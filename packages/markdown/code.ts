/**
 * Highlights code as HTML with the classes of highlight.js, so that its themes fit (contract 20.3). Its patterns take time in
 * proportion to the square of what they look at, and some to its cube; so what they are given is bounded here.
 */
import type { Emitter } from "highlight.js";
import { escaped } from "./attributes.ts";
import { hljs } from "./languages.ts";

/** The most characters of code in a text, in one block, and in one line that are highlighted. */
const MOST = 50_000;
const MOST_IN_BLOCK = 20_000;
const MOST_IN_LINE = 400;
/** What each block counts at least: to begin takes time, too. */
const LEAST = 100;
/** Languages with patterns over many lines: each character counts as four. */
const SLOW = new Set(["C#", "TOML, also INI"]);
/** The longest word, and the longest space, that the patterns are given. The rest looks like its beginning. */
const LONGEST = 32;
/** The most spans within each other. */
const DEEPEST = 12;

/** Returns a function that highlights one block of a text after the other; null for one that is shown as it is. */
export function highlighter(): (code: string, lang: string | null | undefined) => string | null {
  let left = MOST;
  return (code, lang) => {
    const language = lang ? hljs.getLanguage(lang) : undefined;
    if (!lang || language === undefined) return null;
    const cost = Math.max(code.length, LEAST) * (SLOW.has(language.name) ? 4 : 1);
    if (cost > Math.min(left, MOST_IN_BLOCK)) return null;
    left -= cost;
    return highlighted(code, lang);
  };
}

function highlighted(code: string, language: string): string | null {
  const { short, placeOf } = shortened(code);
  if (short.split("\n").some((line) => line.length > MOST_IN_LINE)) return null;
  const { _emitter: emitter } = hljs.highlight(short, { language, ignoreIllegals: true });
  if (!(emitter instanceof Spans)) return null;
  let html = "";
  let at = 0;
  for (const token of emitter.tokens) {
    if (typeof token === "string") html += escaped(code.slice(placeOf(at), placeOf((at += token.length))));
    else html += token.isOpen ? `<span class="${classOf(token.scope)}">` : "</span>";
  }
  return at === short.length ? html : null;
}

/** Returns code with long words and spaces cut, and where a place of it is in the code; places are asked for in order. */
function shortened(code: string): { short: string; placeOf: (place: number) => number } {
  const cuts: { readonly at: number; readonly removed: number }[] = [];
  let removed = 0;
  const short = code.replaceAll(/[\w\u0080-\uffff]{33,}|\s{33,}/g, (run, from: number) => {
    const at = from - removed + LONGEST;
    removed += run.length - LONGEST;
    cuts.push({ at, removed });
    // Behind the space, a line begins if one did.
    return run.slice(0, LONGEST - 1) + (run.includes("\n") ? "\n" : run.slice(LONGEST - 1, LONGEST));
  });
  let next = 0;
  let before = 0;
  const placeOf = (place: number): number => {
    for (let cut = cuts[next]; cut !== undefined && cut.at <= place; cut = cuts[++next]) before = cut.removed;
    return place + before;
  };
  return { short, placeOf };
}

/** `title.function` is `hljs-title function_`. */
function classOf(scope: string): string {
  const [first, ...others] = scope.split(".");
  return [`hljs-${first}`, ...others.map((other, n) => other + "_".repeat(n + 1))].join(" ");
}

type Token = string | { readonly scope: string; readonly isOpen: boolean };

/** Collects texts, and where spans begin and end: those that themes colour, and two of a kind beside each other as one. */
class Spans implements Emitter {
  readonly tokens: Token[] = [];
  readonly #open: (string | null)[] = [];

  addText(text: string): void {
    if (text !== "") this.tokens.push(text);
  }

  startScope(name: string): void {
    const isShown = this.#open.length < DEEPEST && !/^(?:operator|punctuation|language:.*)$/.test(name);
    this.#open.push(isShown ? name : null);
    if (!isShown) return;
    const last = this.tokens.at(-1);
    if (typeof last === "object" && !last.isOpen && last.scope === name) this.tokens.pop();
    else this.tokens.push({ scope: name, isOpen: true });
  }

  endScope(): void {
    const scope = this.#open.pop();
    if (!scope) return;
    const last = this.tokens.at(-1);
    if (typeof last === "object" && last.isOpen) this.tokens.pop();
    else this.tokens.push({ scope, isOpen: false });
  }

  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof Spans) for (const token of emitter.tokens) this.tokens.push(token);
  }

  finalize(): void {
    while (this.#open.length > 0) this.endScope();
  }

  toHTML(): string {
    return "";
  }
}

hljs.configure({ __emitter: Spans });
