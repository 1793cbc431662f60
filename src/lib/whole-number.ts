/** Returns whether a text consists of digits only, at most so many: a whole number, by default from 0 to 999,999. */
export const isWholeNumber = (text: string, digits = 6): boolean => text.length <= digits && /^\d+$/.test(text);
