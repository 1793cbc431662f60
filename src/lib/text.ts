/** What stored text may not contain. */

/** Whether D1 would give the text back as it was: no lone surrogates, no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Whether the text has no control characters, line breaks included. */
export const isSingleLine = (text: string): boolean => !/\p{Cc}/u.test(text);

const encoder = new TextEncoder();

/** The length of a text in UTF-8 bytes. */
export const utf8Length = (text: string): number => encoder.encode(text).byteLength;

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text) as Uint8Array<ArrayBuffer>;

/** Whether a place is within a character: before the second half of a surrogate pair. */
export function splitsCharacter(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc_00 && code <= 0xdf_ff && place > 0;
}
