/** Reads HTML as a browser would, without building a page. */
import { Parser } from "htmlparser2";

export type Found = { readonly name: string; readonly attributes: Readonly<Record<string, string>> };

/** Returns the elements of a piece of HTML, in order. */
export function fromHtml(html: string): Found[] {
  const found: Found[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => void found.push({ name, attributes: { ...attributes } }),
  });
  parser.end(html);
  return found;
}
