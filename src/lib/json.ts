/** Parses JSON. Returns null if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Parses JSON in UTF-8 (RFC 8259, 8.1). Returns null if it is invalid. */
export const decodeJson = (bytes: Uint8Array): unknown => parseJson(new TextDecoder().decode(bytes));

const [QUOTE, COMMA, OPEN_LIST, BACKSLASH, OPEN_OBJECT] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];

/**
 * Returns whether a JSON text has more than `most` values, members and items alike. Parsing takes a hundred times as
 * long as this count, and validation even longer.
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
