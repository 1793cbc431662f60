/** Decodes the bytes of a document. What generators and servers say about the charset is often wrong. */
import { parse } from "content-type";
import { countMatches } from "../../lib/text.ts";

/**
 * Decodes by the byte order mark. Without one, as UTF-8 if the bytes fit: text in other charsets does not look like it.
 * Otherwise by the charset of the server or the XML declaration, and at last as windows-1252. Never throws.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const marked = detectUnicode(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  // A server may send the header twice, which is read as one with a comma. The first one counts.
  const { charset } = parse(contentType ?? "", { comma: true }).parameters;
  const labels = [charset, findDeclaredEncoding(bytes)].filter((label) => label !== undefined);
  const seven = labels.find((label) => SEVEN_BIT.has(label.toLowerCase()));
  const utf8 = seven === undefined ? tryUtf8(bytes) : undefined;
  if (utf8 !== undefined) return utf8;
  for (const label of [...labels, FALLBACK]) {
    const text = tryDecode(bytes, label);
    if (text !== undefined) return text;
  }
  // Never reached: every byte is a character of windows-1252.
  return "";
}

/**
 * Returns the Unicode encoding by the byte order mark (Encoding standard, 6), or by the first two bytes if they are `<`
 * in UTF-16 (XML 1.0, appendix F). Returns undefined if neither is there.
 */
function detectUnicode([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  return undefined;
}

/**
 * Returns the text if it is UTF-8, or else undefined. Allows some invalid bytes if most characters beyond ASCII are
 * valid: if a generator cut one character in two, only that one is lost and all accents stay correct.
 */
function tryUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  const broken = countMatches(text, /\ufffd/g);
  return broken === 0 || countMatches(text, /[^\0-\x7f\ufffd]/g) > broken ? text : undefined;
}

/** Decodes as the charset `label`. Returns undefined if it is unknown, or if the bytes do not fit. */
function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  // UTF-16 was recognized by its first bytes, and UTF-8 has failed.
  if (/^utf-?(?:8|16)/i.test(label)) return undefined;
  try {
    return new TextDecoder(label, { fatal: label !== FALLBACK, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the encoding of the XML declaration, which may stand after other text at the beginning. */
function findDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder(FALLBACK).decode(bytes.subarray(0, DECLARATION_BYTES));
  return /<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(beginning)?.[1];
}

const FALLBACK = "windows-1252";

const DECLARATION_BYTES = 512;

/** Charsets that use only ASCII bytes. Text in them would be taken for UTF-8. */
const SEVEN_BIT: ReadonlySet<string> = new Set(["iso-2022-jp", "csiso2022jp"]);
