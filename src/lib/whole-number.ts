/** Whether a setting is a whole number from 0, of six digits at most. */
export const isWholeNumber = (text: string): boolean => /^\d{1,6}$/.test(text);
