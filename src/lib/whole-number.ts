/** Returns whether a text is a whole number with at most `digits` digits. */
export const isWholeNumber = (text: string, digits = 6): boolean => text.length <= digits && /^\d+$/.test(text);
