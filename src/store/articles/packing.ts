/**
 * Renderings, compressed. They consist mostly of what the content says, so the content is the dictionary: the rendering of
 * 6,000 characters takes some 700 bytes instead of 13,000.
 */
import { deflateSync, inflateSync } from "node:zlib";
import type { ArticleRendering } from "../../domain/rendering.ts";
import { utf8 } from "../../lib/text.ts";

/** Between the parts. None of them has this character. */
const SEPARATOR = "\0";

export const pack = ({ html, text, ...small }: ArticleRendering, content: string): Buffer =>
  deflateSync([html, JSON.stringify(small), text].join(SEPARATOR), { dictionary: utf8(content) });

/** Decompresses a result of {@link pack}. Returns null if it is of another content: the checksum of the dictionary tells. */
export function unpack(packed: Buffer, content: string): ArticleRendering | null {
  try {
    const bytes = inflateSync(packed, { dictionary: utf8(content) });
    const read = (start: number, end?: number) => bytes.toString("utf8", start, end);
    const [first, last] = [bytes.indexOf(SEPARATOR), bytes.lastIndexOf(SEPARATOR)];
    const small = JSON.parse(read(first + 1, last)) as Omit<ArticleRendering, "html" | "text">;
    // Nearly all readers want one of both, and to decode UTF-8 takes as long as to decompress it.
    const large = {
      get html() {
        return read(0, first);
      },
      get text() {
        return read(last + 1);
      },
    };
    return Object.assign(large, small);
  } catch {
    return null;
  }
}
