/** Returns whether a text consists of one to six digits: a whole number from 0 to 999,999. */
export const isWholeNumber = (text: string): boolean => /^\d{1,6}$/.test(text);
