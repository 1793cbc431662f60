/** What a clipboard has besides text: pictures, and code of an editor for programs. */

/** Addresses of pictures that only the computer or the page has of which they are copied. */
export const ELSEWHERE = /^(file|data|blob|cid|webkit-fake-url):/i;

/** Returns the pictures in HTML that the editor leaves out: {@link ELSEWHERE} fits their addresses. Boxes of tasks are none. */
const leftOutOf = (html: string): string[] =>
  [...html.matchAll(/<img\b[^<>]*?\ssrc\s*=\s*["']?\s*([^"'\s<>]{1,20})[^<>]*/gi)].flatMap(([tag, address = ""]) =>
    ELSEWHERE.test(address) && !/aria-roledescription=["']?checkbox/i.test(tag) ? [tag] : [],
  );

/** The pictures among files of a clipboard, or of what is dropped. */
export const imagesOf = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

/**
 * Returns the pictures of a clipboard that are pasted as files. Word and Excel put a picture of a copied text beside the
 * text; a browser puts HTML beside a picture, in which the picture may have an address that means nothing elsewhere.
 */
export function pastedImages(data: DataTransfer | null): File[] {
  const html = data?.getData("text/html") ?? "";
  if (html === "") return imagesOf(data);
  const isPicture = leftOutOf(html).length > 0 && html.replaceAll(/<[^<>]*>|&nbsp;/g, "").trim() === "";
  return isPicture ? imagesOf(data) : [];
}

/** Returns how many pictures the editor leaves out of what is pasted. */
export const leftOut = (data: DataTransfer | null): number => leftOutOf(data?.getData("text/html") ?? "").length;

/** Returns lines that were copied from Visual Studio Code and their language; null for what is not, or is no code. */
export function codeOf(data: DataTransfer | null): { readonly language: string; readonly text: string } | null {
  const about = data?.getData("vscode-editor-data") ?? "";
  const text = data?.getData("text/plain").replaceAll(/\r\n?/g, "\n").replace(/\n$/, "") ?? "";
  const language = /"mode":"([\w+#.-]+)"/.exec(about)?.[1] ?? "";
  return language === "" || /^(markdown|plaintext|mdx)$/.test(language) || !text.includes("\n")
    ? null
    : { language, text };
}
