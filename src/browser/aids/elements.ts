/** Renders Markdown as nodes of the page, with the renderer of the console's pages. */
import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { ATTRIBUTES, attributesOf, cutOf, rendering } from "../../domain/markdown/reading.ts";

/** Returns the nodes that `Markdown` (src/console/articles/markdown.tsx) renders on the server. */
export function elementsOf(text: string, locale: string): Node[] {
  const { shown, rendered, source } = rendering(
    text,
    location.origin,
    (tree) => toJsxRuntime(tree, { Fragment, jsx, jsxs: jsx, ...ATTRIBUTES }) as Node,
  );
  const cut = cutOf(shown, text.length);
  const prose = create("div", { class: "prose", ...attributesOf(locale) });
  prose.append(rendered ?? create("pre", { tabindex: 0 }, [source]));
  return [...(cut === "" ? [] : [create("p", { class: "alert warn" }, [cut])]), prose];
}

const Fragment = Symbol("fragment");

type Child = Node | string;
type Attribute = string | number | boolean | null | undefined;
type Props = Readonly<Record<string, Attribute>> & { readonly children?: Child | readonly Child[] };

/** What the library calls for each element: a JSX runtime that makes nodes. */
function jsx(type: unknown, { children = [], ...attributes }: Props): Node {
  const all = [children].flat();
  if (typeof type === "string") return create(type, attributes, all);
  const fragment = document.createDocumentFragment();
  fragment.append(...all);
  return fragment;
}

function create(
  name: string,
  attributes: Readonly<Record<string, Attribute>>,
  children: readonly Child[] = [],
): Element {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    const isOn = value === true && BOOLEAN.has(attribute);
    element.setAttribute(attribute, isOn ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** Attributes that mean true by being there (HTML). Others, such as `data-footnotes`, get the text that the server writes. */
const BOOLEAN: ReadonlySet<string> = new Set(["checked", "disabled"]);
