/** Parses a JSON text. Returns null if it is not JSON. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The same of JSON in UTF-8 (RFC 8259, 8.1). */
export const jsonIn = (bytes: Uint8Array): unknown => jsonOrNull(new TextDecoder().decode(bytes));

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, OPEN_OBJECT] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];

/**
 * Returns whether a JSON text has more than `most` values, members and items alike. To parse them takes a hundred times as long,
 * and to check them even longer.
 */
export function hasMoreValues(text: Uint8Array, most: number): boolean {
  let values = 1;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) at += Number(byte === BACKSLASH);
    else if ((byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) && ++values > most) return true;
  }
  return false;
}
