/** Shows Markdown in the console, on pages and while somebody writes. Loaded on first use. */
import { canonicalizeLocale } from "../../src/domain/locale.ts";
import { getTextDirection } from "../../src/lib/direction.ts";
import { renderHtml, READERS, type Refused } from "./html.ts";
import { parse } from "./parse.ts";
import { listNodes } from "./tree.ts";

/** Returns a text as safe HTML, below a heading of level 2. Pictures from `origin` are shown in smaller sizes. */
export const renderPreview = (text: string, origin: string | null): string =>
  renderHtml(parse(text), { above: 2, prefix: "user-content-", console: { origin } }).html;

/** Returns what readers will not see as it is meant. */
export const listRefused = (text: string): Refused => renderHtml(parse(text), READERS).refused;

/** Templates of Hugo, Jekyll and the like, and shortcodes of WordPress. */
const TEMPLATE = /\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}|\[[a-z][\w-]{2,40} [\w-]+=["'][^[\]\n]{1,200}\]/g;

/** Returns what looks like another site's templates outside of code. */
export const listTemplates = (text: string): Set<string> =>
  new Set(
    listNodes(parse(text).children, "text").flatMap(({ value }) => [...value.matchAll(TEMPLATE)].map(([tag]) => tag)),
  );

/** Returns the attributes of an element with text in this language. The preview of a form may have an invalid one. */
export function getLanguageAttributes(locale: string): { readonly lang?: string; readonly dir: "rtl" | "auto" } {
  const lang = canonicalizeLocale(locale);
  return lang === null ? { dir: "auto" } : { lang, dir: getTextDirection(lang) };
}
