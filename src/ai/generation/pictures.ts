import { toLine, listNodes, parse } from "./markdown.ts";

export type Picture = {
  readonly url: string;
  /** "" if it has none. */
  readonly alt: string;
  /** The text before and after it, which may say what it shows. */
  readonly around: string;
};

/** Characters of the text before a picture, and after it. */
const AROUND = 300;

/** Returns the pictures of a text in order, each URL once. */
export function listPictures(markdown: string): Picture[] {
  const tree = parse(markdown);
  const found = new Map<string, Picture>();
  for (const [index, block] of tree.children.entries()) {
    const [before, own, after] = [-1, 0, 1].map((step) => {
      const near = tree.children[index + step];
      return near === undefined ? "" : toLine(near);
    });
    const around = [before?.slice(-AROUND), own?.slice(0, AROUND), after?.slice(0, AROUND)].join(" ").trim();
    for (const { url, alt } of listNodes([block], "image")) {
      if (url !== "" && !found.has(url)) found.set(url, { url, alt, around });
    }
  }
  return [...found.values()];
}
