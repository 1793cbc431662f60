/** What a clipboard has besides text: images, and code from a code editor. */
import { normalizeLineBreaks } from "../../src/lib/text.ts";

/** Image addresses that work only on the computer or page that they were copied from. */
export const ELSEWHERE = /^(file|data|blob|cid|webkit-fake-url):/i;

/** Returns the image tags with an {@link ELSEWHERE} address, without the checkboxes of tasks. */
const findLeftOut = (html: string): string[] =>
  [...html.matchAll(/<img\b[^<>]*?\ssrc\s*=\s*["']?\s*([^"'\s<>]{1,20})[^<>]*/gi)].flatMap(([tag, address = ""]) =>
    ELSEWHERE.test(address) && !/aria-roledescription=["']?checkbox/i.test(tag) ? [tag] : [],
  );

export const listImages = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

/**
 * Returns the images to paste as files. Word and Excel add an image of the copied text, which is left out. Browsers add
 * HTML to a copied image, with an address that may not work elsewhere.
 */
export function listPastedImages(data: DataTransfer | null): File[] {
  const html = data?.getData("text/html") ?? "";
  if (html === "") return listImages(data);
  const isPicture = findLeftOut(html).length > 0 && html.replaceAll(/<[^<>]*>|&nbsp;/g, "").trim() === "";
  return isPicture ? listImages(data) : [];
}

/** Returns how many images of a paste cannot be inserted. */
export const countLeftOut = (data: DataTransfer | null): number => findLeftOut(data?.getData("text/html") ?? "").length;

/** Returns lines copied from Visual Studio Code and their language; null if there is no code. */
export function parseCode(data: DataTransfer | null): { readonly language: string; readonly text: string } | null {
  const about = data?.getData("vscode-editor-data") ?? "";
  const text = normalizeLineBreaks(data?.getData("text/plain") ?? "").replace(/\n$/, "");
  const language = /"mode":"([\w+#.-]+)"/.exec(about)?.[1] ?? "";
  return language === "" || /^(markdown|plaintext|mdx)$/.test(language) || !text.includes("\n")
    ? null
    : { language, text };
}
