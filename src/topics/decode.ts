/** Bytes of a document to text: what generators and servers say about the charset is often wrong. */

/**
 * Decodes by the byte order mark; else as UTF-8 wherever that fits, since no other text looks like it; else by
 * what the server or the XML declaration says; else as windows-1252. Never throws.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const marked = unicodeMark(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  const labels = [charsetOf(contentType), declaredEncoding(bytes)].filter((label) => label !== undefined);
  const seven = labels.find((label) => SEVEN_BIT.has(label.toLowerCase()));
  const utf8 = seven === undefined ? asUtf8(bytes) : undefined;
  if (utf8 !== undefined) return utf8;
  for (const label of [...labels, FALLBACK]) {
    const text = tryDecode(bytes, label);
    if (text !== undefined) return text;
  }
  // Every byte is a character of windows-1252, so this is never reached.
  return "";
}

/** By the mark (Encoding standard, 6), or by how `<` looks in its first two bytes (XML 1.0, appendix F). */
function unicodeMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  return undefined;
}

/**
 * Some invalid bytes are forgiven if the rest is UTF-8: a character cut in two by a generator should cost
 * one character, not the accents of all others.
 */
function asUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  const broken = count(text, /\ufffd/g);
  return broken === 0 || count(text, /[^\0-\x7f\ufffd]/g) > broken ? text : undefined;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  // The declaration could be read as ASCII, so it cannot be UTF-16, and UTF-8 it is not either.
  if (/^utf-?(?:8|16)/i.test(label)) return undefined;
  try {
    return new TextDecoder(label, { fatal: label !== FALLBACK, ignoreBOM: false }).decode(bytes);
  } catch {
    // An unknown label, or bytes that are not of that charset.
    return undefined;
  }
}

/** The parameter of a media type (RFC 9110, 8.3.1). */
const charsetOf = (contentType: string | null): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1];

/** Of the XML declaration, wherever it stands at the beginning. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder(FALLBACK).decode(bytes.subarray(0, DECLARATION_BYTES));
  return /<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(beginning)?.[1];
}

const FALLBACK = "windows-1252";

const DECLARATION_BYTES = 512;

/** Charsets whose bytes are all ASCII, and so look like UTF-8. */
const SEVEN_BIT: ReadonlySet<string> = new Set(["iso-2022-jp", "csiso2022jp"]);
