/** Shows Markdown in the console, on pages and while somebody writes. Loaded on first use. */
import { canonicalLocale } from "../../src/domain/locale.ts";
import { textDirection } from "../../src/lib/direction.ts";
import { htmlOf, READERS, type Refused } from "./html.ts";
import { parse } from "./parse.ts";
import { nodesOf } from "./tree.ts";

/** Returns a text as safe HTML, below a heading of level 2. Pictures from `origin` are shown in smaller sizes. */
export const previewOf = (text: string, origin: string | null): string =>
  htmlOf(parse(text), { above: 2, prefix: "user-content-", console: { origin } }).html;

/** Returns what readers will not see as it is meant. */
export const refusedIn = (text: string): Refused => htmlOf(parse(text), READERS).refused;

/** Templates of Hugo, Jekyll and the like, and shortcodes of WordPress. */
const TEMPLATE = /\{\{[^{}\n]{1,200}\}\}|\{%[^{}\n]{1,200}%\}|\[[a-z][\w-]{2,40} [\w-]+=["'][^[\]\n]{1,200}\]/g;

/** Returns what looks like another site's templates outside of code. */
export const templatesIn = (text: string): Set<string> =>
  new Set(
    nodesOf(parse(text).children, "text").flatMap(({ value }) => [...value.matchAll(TEMPLATE)].map(([tag]) => tag)),
  );

/** Returns the attributes of an element with text in this language. The preview of a form may have an invalid one. */
export function attributesOf(locale: string): { readonly lang?: string; readonly dir: "rtl" | "auto" } {
  const lang = canonicalLocale(locale);
  return lang === null ? { dir: "auto" } : { lang, dir: textDirection(lang) };
}
