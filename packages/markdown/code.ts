/**
 * Highlights code with the classes of highlight.js, so that its themes fit (contract 20.3). Its patterns take
 * quadratic and some cubic time, so their input is limited here.
 */
import type { Emitter } from "highlight.js";
import { escapeText } from "./attributes.ts";
import { hljs } from "./languages.ts";

/** Maximum characters of highlighted code in a text, a block and a line. */
const MOST = 50_000;
const MOST_IN_BLOCK = 20_000;
const MOST_IN_LINE = 400;
/** The least that a block counts: to begin takes time, too. */
const LEAST = 100;
/** Languages with patterns over many lines, whose characters count four times. */
const SLOW = new Set(["C#", "TOML, also INI"]);
/** Maximum characters of a word or of white space that the patterns get. The rest gets the same style. */
const LONGEST = 32;
const DEEPEST = 12;

/** Returns a function that highlights the blocks of one text. It returns null for a block that is shown as it is. */
export function makeHighlighter(): (code: string, lang: string | null | undefined) => string | null {
  let left = MOST;
  return (code, lang) => {
    const language = lang ? hljs.getLanguage(lang) : undefined;
    if (!lang || language === undefined) return null;
    const cost = Math.max(code.length, LEAST) * (SLOW.has(language.name) ? 4 : 1);
    if (cost > Math.min(left, MOST_IN_BLOCK)) return null;
    left -= cost;
    return highlightCode(code, lang);
  };
}

function highlightCode(code: string, language: string): string | null {
  const { short, placeOf } = shortenCode(code);
  if (short.split("\n").some((line) => line.length > MOST_IN_LINE)) return null;
  const { _emitter: emitter } = hljs.highlight(short, { language, ignoreIllegals: true });
  if (!(emitter instanceof Spans)) return null;
  let html = "";
  let at = 0;
  for (const token of emitter.tokens) {
    if (typeof token === "string") html += escapeText(code.slice(placeOf(at), placeOf((at += token.length))));
    else html += token.isOpen ? `<span class="${toClass(token.scope)}">` : "</span>";
  }
  return at === short.length ? html : null;
}

/** Cuts long words and spaces. Also returns a function from places in `short`, in ascending order, to those in `code`. */
function shortenCode(code: string): { short: string; placeOf: (place: number) => number } {
  const cuts: { readonly at: number; readonly removed: number }[] = [];
  let removed = 0;
  const short = code.replaceAll(/[\w\u0080-\uffff]{33,}|\s{33,}/g, (run, from: number) => {
    const at = from - removed + LONGEST;
    removed += run.length - LONGEST;
    cuts.push({ at, removed });
    // If a line ended within the white space, one begins after it.
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
function toClass(scope: string): string {
  const [first, ...others] = scope.split(".");
  return [`hljs-${first}`, ...others.map((other, n) => other + "_".repeat(n + 1))].join(" ");
}

type Token = string | { readonly scope: string; readonly isOpen: boolean };

/** Collects texts and spans. Leaves out spans that themes do not color, and joins neighbours of the same kind. */
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
