/** The marks of the rich editor's document. */
import type { MarkSpec } from "prosemirror-model";
import { isAllowed, isBlockElement } from "../markdown/elements.ts";
import type { Attributes } from "../markdown/tree.ts";

/**
 * Returns the address if a page of the console may show it; null for others, such as `javascript:`, which readers would
 * not get either. The document keeps all.
 */
export const toSafeAddress = (address: string, schemes: RegExp): string | null =>
  URL.canParse(address, "https://x") && schemes.test(new URL(address, "https://x").href) ? address : null;

/** Returns the attributes of an HTML element that are harmless on a page of the console. */
export const pickSafeAttributes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => /^(?:dir|lang|title|width|height)$/.test(key)));

/** Returns a mark for HTML within a line. `tags` are read from the clipboard. */
const html = (name: string, tags: string): MarkSpec => ({
  attrs: { name: { default: name }, attributes: { default: {} } },
  parseDOM: [
    {
      tag: tags,
      getAttrs: ({ localName, attributes }) =>
        isAllowed(localName) &&
        !isBlockElement(localName) && {
          name: localName,
          attributes: pickSafeAttributes(Object.fromEntries(Array.from(attributes, (each) => [each.name, each.value]))),
        },
    },
  ],
  toDOM: ({ attrs }) => [
    attrs["name"] as string,
    { ...pickSafeAttributes(attrs["attributes"] as Attributes), "data-html": "" },
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
    toDOM: ({ attrs: { href, title } }) => [
      "a",
      { href: toSafeAddress(href as string, /^(https?|mailto|tel):/), title },
      0,
    ],
  },
  strong: { parseDOM: [{ tag: "strong" }, { tag: "b" }], toDOM: () => ["strong", 0] },
  em: { parseDOM: [{ tag: "em" }, { tag: "i" }], toDOM: () => ["em", 0] },
  strike: { parseDOM: [{ tag: "del" }, { tag: "s" }, { tag: "strike" }], toDOM: () => ["del", 0] },
  code: {
    code: true,
    parseDOM: [{ tag: "code" }, { tag: "tt" }],
    toDOM: () => ["code", { spellcheck: "false" }, 0],
  },
  // What Markdown has no syntax for is written as HTML, with its attributes.
  sub: { ...html("sub", "sub"), excludes: "sup" },
  sup: { ...html("sup", "sup:not([data-footnote])"), excludes: "sub" },
  element: { ...html("span", "kbd, mark, u, [data-html]"), excludes: "" },
  // Markdown within a line that the rich mode cannot show, mostly HTML. It is shown and written as it is.
  raw: {
    code: true,
    inclusive: false,
    parseDOM: [{ tag: "span[data-raw]" }],
    toDOM: () => ["span", { "data-raw": "", spellcheck: "false" }, 0],
  },
} satisfies Record<string, MarkSpec>;
