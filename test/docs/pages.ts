/** The pages of the reference as they are served. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, type DefaultTreeAdapterTypes } from "parse5";
import { buildAssets } from "../../scripts/build-assets.ts";
import { ROOT } from "../e2e/local-run.ts";

export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** All text in it. */
  readonly text: string;
};

export type Page = { readonly path: string; readonly html: string; readonly elements: readonly Element[] };

/** Builds the pages, and reads them. */
export async function readPages(): Promise<Page[]> {
  await buildAssets();
  const folder = path.join(ROOT, "public");
  return globSync("docs/**/*.html", { cwd: folder }).map((file) => {
    const html = readFileSync(path.join(folder, file), "utf8");
    return { path: `/${file.replace(/(\/index)?\.html$/, "")}`, html, elements: elementsOf(parse(html)) };
  });
}

type Node = DefaultTreeAdapterTypes.Node;

function elementsOf(node: Node): Element[] {
  const inner = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  if (!("tagName" in node)) return inner;
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
  return [{ name: node.tagName, attributes, text: textOf(node) }, ...inner];
}

function textOf(node: Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}
