/** Pictures in a paragraph of their own: a title becomes a caption, and several are a gallery (contract 20.3). */
import { isWebUrl } from "../../src/lib/web-url.ts";
import { escapeText } from "./attributes.ts";
import { encodeAddress } from "./parser.ts";
import type { ContentByType, Image, Link } from "./tree.ts";

export type Picture = {
  /** The picture without its title, or the link around it. */
  readonly node: Image | Link;
  readonly caption: string;
};

/** Returns the pictures of a paragraph that contains nothing else; else none. */
export function listPictures({ children }: ContentByType<"paragraph">): readonly Picture[] {
  const pictures: Picture[] = [];
  for (const node of children) {
    if (node.type === "break" || (node.type === "text" && node.value.trim() === "")) continue;
    const image = node.type === "link" && node.children.length === 1 ? node.children[0] : node;
    if (image?.type !== "image" || !isWebUrl(encodeAddress(image.url))) return [];
    const bare = { ...image, title: null };
    pictures.push({
      node: node.type === "link" ? { ...node, children: [bare] } : bare,
      caption: image.title?.trim() ?? "",
    });
  }
  return pictures;
}

export function renderFigures(pictures: readonly Picture[], toHtml: (picture: Picture["node"]) => string): string {
  const figures = pictures.map(({ node, caption }) => {
    const inside = toHtml(node);
    return caption === "" ? inside : `<figure>${inside}<figcaption>${escapeText(caption)}</figcaption></figure>`;
  });
  return figures.length === 1 ? figures.join("") : `<div class="gallery">${figures.join("")}</div>`;
}
