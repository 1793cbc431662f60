/** The marks of the rich editor's document: what stands within a line and is shown as something. */
import type { MarkSpec } from "prosemirror-model";
import { isAllowed, isBlockElement } from "../markdown/elements.ts";
import type { Attributes } from "../markdown/tree.ts";

/**
 * Returns the address that is shown for a link or a picture: null for one that readers would not get either, such as
 * `javascript:`. The page is the console's own. The document keeps it as it is.
 */
export const harmless = (address: string, schemes: RegExp): string | null =>
  URL.canParse(address, "https://x") && schemes.test(new URL(address, "https://x").href) ? address : null;

/** The attributes of an HTML element that do no harm on a page of the console. */
export const shownOf = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => /^(?:dir|lang|title|width|height)$/.test(key)));

/** A mark for HTML within a line. It is read where the editor itself has put it onto the clipboard, and where pages have `tags`. */
const html = (name: string, tags: string): MarkSpec => ({
  attrs: { name: { default: name }, attributes: { default: {} } },
  parseDOM: [
    {
      tag: tags,
      getAttrs: ({ localName, attributes }) =>
        isAllowed(localName) &&
        !isBlockElement(localName) && {
          name: localName,
          attributes: shownOf(Object.fromEntries(Array.from(attributes, (each) => [each.name, each.value]))),
        },
    },
  ],
  toDOM: ({ attrs }) => [
    attrs["name"] as string,
    { ...shownOf(attrs["attributes"] as Attributes), "data-html": "" },
    0,
  ],
});

/** From the outermost to the innermost. */
export const marks = {
  link: {
    // `reference` is `[text][label]`, whose address is in a definition; `bare` is an address without brackets.
    attrs: { href: {}, title: { default: null }, reference: { default: null }, bare: { default: false } },
    inclusive: false,
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (dom) => {
          const href = dom.getAttribute("href") ?? "";
          return /^(javascript|file|data|vbscript):/i.test(href) ? false : { href, title: dom.getAttribute("title") };
        },
      },
    ],
    toDOM: ({ attrs: { href, title } }) => ["a", { href: harmless(href as string, /^(https?|mailto|tel):/), title }, 0],
  },
  strong: { parseDOM: [{ tag: "strong" }, { tag: "b" }], toDOM: () => ["strong", 0] },
  em: { parseDOM: [{ tag: "em" }, { tag: "i" }], toDOM: () => ["em", 0] },
  strike: { parseDOM: [{ tag: "del" }, { tag: "s" }, { tag: "strike" }], toDOM: () => ["del", 0] },
  code: {
    code: true,
    parseDOM: [{ tag: "code" }, { tag: "tt" }],
    toDOM: () => ["code", { spellcheck: "false" }, 0],
  },
  // What Markdown has no signs for is written as HTML: each element with its attributes.
  sub: { ...html("sub", "sub"), excludes: "sup" },
  sup: { ...html("sup", "sup:not([data-footnote])"), excludes: "sub" },
  element: { ...html("span", "kbd, mark, u, [data-html]"), excludes: "" },
  // Markdown that the rich mode cannot show, within a text: HTML, mostly. It is shown and written as it is.
  raw: {
    code: true,
    inclusive: false,
    parseDOM: [{ tag: "span[data-raw]" }],
    toDOM: () => ["span", { "data-raw": "", spellcheck: "false" }, 0],
  },
} satisfies Record<string, MarkSpec>;
